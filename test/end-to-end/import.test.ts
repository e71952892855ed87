import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DuckDbStore } from '../../src/service/store/duckdb/duck-db-store.ts';
import type { StoredEvent, StoredPerson } from '../../src/service/store/store.ts';
import { writeQueryFiles } from '../cli/query-files.ts';
import { runCli } from '../cli/run-cli.ts';
import { TestFolder } from './server-process.ts';

const EVENTS = [
  {
    event: 'order',
    properties: { distinct_id: 'ann', time: 1_750_000_001, amount: 12.5, tags: ['a', 'b'], address: { city: 'Köln' } },
  },
  { event: 'order', properties: { distinct_id: 7, time: 1_750_000_002, amount: '12,50', gift: null } },
  { event: 'visit', properties: { distinct_id: 'bob', time: 1_750_000_003, $insert_id: 'x', paid: true } },
];

const PEOPLE = [
  { $distinct_id: 'ann', $properties: { $email: 'ann@example.com', plan: 'pro' } },
  { $distinct_id: 'bob', $properties: { plan: null } },
];

let folder: TestFolder;
let files: string;

beforeAll(() => {
  files = mkdtempSync(join(tmpdir(), 'onwhere-import-'));
});
afterAll(() => rmSync(files, { recursive: true }));
beforeEach(() => {
  folder = TestFolder.make();
});
afterEach(() => folder.remove());

function writeFile(name: string, content: string | Buffer): string {
  const path = join(files, name);
  writeFileSync(path, content);
  return path;
}

function toLines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

function importFiles(dataset: string, ...paths: string[]) {
  return runCli(['import', ...paths, '--project', 'shop', '--dataset', dataset, '--data', folder.path]);
}

async function readStored(): Promise<{ events: StoredEvent[]; people: StoredPerson[] }> {
  const versions = readdirSync(join(folder.path, 'projects', 'shop', 'datasets', 'orders', 'versions'));
  expect(versions).toHaveLength(1);
  const id = versions[0] as string;
  const store = await DuckDbStore.open({ temporaryFolder: join(folder.path, 'temporary') });
  const version = { id, folder: join(folder.versionFolder(id), 'store') };
  const [events, people]: [StoredEvent[], StoredPerson[]] = [[], []];
  for await (const event of store.events(version)) events.push(event);
  for await (const person of store.people(version)) people.push(person);
  await store.close();
  return { events, people };
}

describe('onwhere import', () => {
  it.each([
    ['NDJSON', 'events.ndjson', toLines(EVENTS)],
    ['gzipped NDJSON', 'events.ndjson.gz', gzipSync(toLines(EVENTS))],
    ['a JSON array', 'events.json', JSON.stringify(EVENTS)],
    ['NDJSON with repeated names', 'twice.ndjson', toLines(EVENTS).replace('"amount":', '"amount":1,"amount":')],
    ['NDJSON with spaces, quotes and stars in the file name', `it's "a" [*] ?.ndjson`, toLines(EVENTS)],
  ])('imports %s unchanged', async (_, name, content) => {
    const { code, out, err } = await importFiles('orders', writeFile(name, content));
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^3 events in shop\/orders, version [0-9a-f]{16}, which is live\.\n$/);
    expect((await readStored()).events).toEqual(EVENTS);
  });

  it('imports each CSV row as an event', async () => {
    const csv = 'event,distinct_id,time,amount,note\norder,ann,1750000001,12.5,"a, b"\nvisit,7,1750000002,,\n';
    expect(await importFiles('orders', writeFile('events.csv', csv))).toMatchObject({ code: 0, err: '' });
    const { events } = await readStored();
    expect(events.map(({ event }) => event)).toEqual(['order', 'visit']);
    expect(events[0]?.properties).toMatchObject({ distinct_id: 'ann', amount: 12.5, note: 'a, b' });
  });

  it('refuses CSV whose header repeats a name', async () => {
    const csv = writeFile('twice.csv', 'event,distinct_id,time,plan,plan\norder,ann,1750000001,pro,free\n');
    const { code, out, err } = await importFiles('orders', csv);
    expect([code, out]).toEqual([3, '']);
    expect(err).toContain('twice.csv:1: the header row has several columns called "plan"');
  });

  it('imports Parquet', async () => {
    const parquet = await writeQueryFiles(writeFile('events.ndjson', toLines(EVENTS)), files);
    expect(await importFiles('orders', parquet.json)).toMatchObject({ code: 0, err: '' });
    expect((await readStored()).events).toEqual(EVENTS);
  });

  it('imports profiles and updates of people, from several files at once', async () => {
    const update = { $distinct_id: 'bob', $append: { seen: 'later' } };
    const { code, out } = await importFiles(
      'orders',
      writeFile('events.ndjson', toLines(EVENTS)),
      writeFile('people.ndjson', toLines(PEOPLE)),
      writeFile('updates.ndjson', toLines([update])),
    );
    expect(code).toBe(0);
    expect(out).toContain('3 events and 2 people in shop/orders');
    expect((await readStored()).people).toEqual([
      { distinctId: 'ann', properties: { $email: 'ann@example.com', plan: 'pro' } },
      { distinctId: 'bob', properties: { plan: null, seen: ['later'] } },
    ]);
  });

  it.each([
    ['a record without an event', { properties: { distinct_id: 'a', time: 1 } }, /bad\.ndjson:4: no event/],
    [
      'a time in milliseconds',
      { event: 'a', properties: { distinct_id: 'a', time: 1_750_000_000_000 } },
      /:4: .*milliseconds/,
    ],
    ['an event without distinct_id', { event: 'a', properties: { time: 1 } }, /:4: no distinct_id/],
  ])('imports nothing if a file contains %s', async (_, bad, message) => {
    const { code, out, err } = await importFiles('orders', writeFile('bad.ndjson', toLines([...EVENTS, bad])));
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(message);
    expect(err).toContain('Nothing was imported');
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(existsSync(join(folder.path, 'projects', 'shop', 'datasets', 'orders', 'versions'))).toBe(false);
    expect(readdirSync(join(folder.path, 'incoming'))).toEqual([]);
  });

  it.each([
    ['a file that does not exist', ['orders', 'no-such.ndjson'], 3, /No such file/],
    ['a dataset that does not exist', ['visits', 'events.ndjson'], 2, /no dataset visits in shop: there is orders/],
    ['files without records', ['orders', 'empty.ndjson'], 3, /no records/],
    ['a folder without records', ['orders', 'empty'], 3, /no event files in/],
  ])('reports %s', async (_, [dataset, name], expected, message) => {
    writeFile('events.ndjson', toLines(EVENTS));
    writeFile('empty.ndjson', '');
    mkdirSync(join(files, 'empty'), { recursive: true });
    const { code, err } = await importFiles(dataset as string, join(files, name as string));
    expect(err).toMatch(message);
    expect(code).toBe(expected);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });
});
