import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DuckDbStore } from '../../src/service/store/duckdb/duck-db-store.ts';
import type { RecordKind, StoredEvent } from '../../src/service/store/store.ts';
import { runStatements } from '../cli/query-files.ts';
import { codePoint } from '../code-point.ts';
import { drawSample } from '../runs.ts';
import { Client } from './client.ts';
import { onwhere, ServerProcess, TestFolder } from './server-process.ts';

/** The number of generated records of each kind, and of records per batch. */
const RECORDS = 3000;
const BATCH = 1000;

const EDGES = [
  ...[0, 1, -1, 0.1, 5e-324, 2 ** -1022, 1e-7, 1e15, 1e15 + 0.5, 123456789012345680, 1e21, 1e23, 1.5e300],
  ...[2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, -(2 ** 53), 2 ** 63, -(2 ** 63), 2 ** 64, 2 ** 127],
  ...[Number.MAX_VALUE, -Number.MAX_VALUE, Number.EPSILON, 0.1 + 0.2, 1 / 3, 17.100000000000001, 4.35, 100, 1e2],
];

const number = fc
  .oneof(fc.constantFrom(...EDGES), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((n) => n + 0);

const text = fc.oneof(
  fc.string({ unit: codePoint }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ufeff',
    '\ufeffa',
    '\uffff',
    '\u{1f600}',
    'e\u0301',
    '"',
    '\\',
    '\\ud800',
    '\n',
    '\u2028',
  ),
  fc.constantFrom('null', 'true', '12', '1e5', '2024-01-01', '2024-01-01T00:00:00Z', '{}', '[]', 'NaN', 'ÿ'),
);

const name = fc.oneof(
  fc.string({ unit: codePoint }),
  fc.constantFrom(
    'a',
    'b',
    'c',
    'A',
    '',
    '.',
    '$',
    'a.b',
    '/a',
    '"',
    '0',
    '1',
    'event',
    'properties',
    'constructor',
    'p0_number',
  ),
);

const json: Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(number, text, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
})).value;

const RESERVED = new Set(['token', 'distinct_id', 'time', '$insert_id']);

const properties = fc
  .dictionary(name, json, { maxKeys: 6 })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([key]) => !RESERVED.has(key))));

const id = fc.oneof(
  text.filter((written) => written !== ''),
  number,
);

const events: Arbitrary<StoredEvent> = fc
  .tuple(
    text.filter((written) => written !== ''),
    id,
    fc.oneof(fc.integer({ min: 1, max: 2 ** 32 - 1 }), fc.constantFrom(1, 2 ** 32 - 1)),
    properties,
  )
  .map(([event, distinct_id, time, rest]) => ({ event, properties: { distinct_id, time, ...rest } as never }));

let folder: TestFolder;
let generated: StoredEvent[];
let profiles: Record<string, unknown>[];
let overHttp: string;

beforeAll(async () => {
  folder = TestFolder.make();
  folder.createDataset('files');
  generated = drawSample(events, RECORDS).map((event, index) => {
    return { ...event, properties: { ...event.properties, index } as never };
  });
  profiles = drawSample(properties, RECORDS);
  const server = await ServerProcess.start(folder);
  const client = new Client(folder, server);
  ({ version_id: overHttp } = await client.create());
  for (let start = 0; start < RECORDS; start += BATCH) {
    const batch = generated.slice(start, start + BATCH);
    const sent = batch.map(({ event, properties: own }) => ({ event, properties: { token: folder.token, ...own } }));
    expect(await client.importVerbosely('events', overHttp, sent)).toEqual({ error: null, status: 1 });
    const people = profiles
      .slice(start, start + BATCH)
      .map(($set, index) => client.person(`${start + index}`, { $set }));
    expect(await client.importVerbosely('people', overHttp, people)).toEqual({ error: null, status: 1 });
  }
  await client.setState(overHttp, { readable: true, writable: true });
  await client.untilReady(overHttp);
  expect(await server.stop()).toBe(0);
});

afterAll(() => folder.remove());

/** Imports files with `onwhere import` and returns the ID of the version. */
function importFiles(...files: readonly string[]): string {
  const { status, stdout, stderr } = onwhere(
    'import',
    ...files,
    ...['--data', folder.path, '--project', 'shop', '--dataset', 'files'],
  );
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('error')]);
  return /version (\w+)/.exec(stdout)?.[1] as string;
}

/** Returns the records of a version as sorted JSON strings, with their properties in the stored order. */
async function readStored(versionId: string, kind: RecordKind, datasetId: string): Promise<string[]> {
  const store = await DuckDbStore.open({ temporaryFolder: join(folder.path, 'temporary') });
  const version = { id: versionId, folder: join(folder.versionFolder(versionId, datasetId), 'store') };
  const records: string[] = [];
  for await (const record of store[kind](version)) records.push(JSON.stringify(record));
  await store.close();
  return records.sort();
}

/** Compares records. A failure shows only the first pair that differs. */
function expectSame(found: readonly string[], sent: readonly unknown[]): void {
  const wanted = sent.map((record) => JSON.stringify(record)).sort();
  expect(found.length).toBe(wanted.length);
  const at = wanted.findIndex((one, index) => one !== found[index]);
  expect(found[at]).toBe(wanted[at]);
}

describe('an import keeps every record and the order of its properties', () => {
  it('for events sent over HTTP', async () => {
    expectSame(await readStored(overHttp, 'events', 'orders'), generated);
  });

  it('for people sent over HTTP', async () => {
    const people = profiles.map((own, index) => ({ distinctId: String(index), properties: own }));
    expectSame(await readStored(overHttp, 'people', 'orders'), people);
  });

  it('for the same events and people from a file', async () => {
    const lines = [...generated, ...profiles.map((own, index) => ({ $distinct_id: String(index), $properties: own }))];
    const [together, events] = [join(folder.path, 'all.ndjson'), join(folder.path, 'events.ndjson')];
    writeFileSync(together, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    writeFileSync(events, generated.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expectSame(await readStored(importFiles(events), 'events', 'files'), generated);
    const version = importFiles(together);
    expectSame(await readStored(version, 'events', 'files'), generated);
    const people = profiles.map((own, index) => ({ distinctId: String(index), properties: own }));
    expectSame(await readStored(version, 'people', 'files'), people);
  });

  it('for a Parquet file with nested lists and lists of objects', async () => {
    const file = join(folder.path, 'lists.parquet');
    const properties = {
      distinct_id: 'ann',
      time: 1_700_000_000,
      numbers: [1, null, 2.5],
      deep: [[1, 2], [], null, [3]],
      items: [
        { name: 'a"b', tags: ['x', 'ÿ'] },
        { name: '', tags: [] },
      ],
      empty: [],
      inner: { a: { b: [true, false] } },
    };
    writeFileSync(join(folder.path, 'lists.ndjson'), JSON.stringify({ event: 'a', properties }));
    await runStatements([
      `COPY (FROM read_ndjson('${join(folder.path, 'lists.ndjson')}')) TO '${file}' (FORMAT parquet)`,
    ]);
    expectSame(await readStored(importFiles(file), 'events', 'files'), [{ event: 'a', properties }]);
  });
});
