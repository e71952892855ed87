import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { duckdb } from '../../../../src/lang/engines/sql/dialects/duckdb.ts';
import { PeopleSnapshot, type SnapshotWriter } from '../../../../src/service/analytics/people/people-snapshot.ts';
import type { JsonSqlRow, StoreSnapshot } from '../../../../src/service/store/store-snapshot.ts';
import { collectGarbage } from '../../../collect-garbage.ts';

const SOURCE = { table: 'people', properties: {} };

const WRITING: SnapshotWriter = {
  signal: new AbortController().signal,
  inBackground: (work) => work(),
  onPage: () => undefined,
  about: {},
};

let folder: string;
let snapshot: PeopleSnapshot;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-snapshot-'));
  snapshot = new PeopleSnapshot(join(folder, 'pages'), {}, { now: 0, timeZone: 'UTC' });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Creates a snapshot of one person. */
function createStoreSnapshot(rows: StoreSnapshot['rows']): StoreSnapshot {
  return {
    dialect: duckdb,
    isSnapshot: true,
    parameters: [],
    versions: [{ events: SOURCE, people: SOURCE }],
    rows,
    async *stream() {},
  };
}

const readOnePerson: StoreSnapshot['rows'] = async (sql): Promise<readonly JsonSqlRow[]> =>
  sql.includes('count(')
    ? [{ version: 0, people: 1, error: null, longest: 2 }]
    : [{ id: 'a', properties: '{}', version: 0, error: null }];

const failToRead: StoreSnapshot['rows'] = async () => Promise.reject(new Error('the database stopped'));

/** Creates a snapshot of 1,001 people. */
function createLongReading(): StoreSnapshot {
  const people = Array.from({ length: 1_001 }, (_, id) => ({ id: `${id}`, properties: '{}', version: 0, error: null }));
  const count = [{ version: 0, people: people.length, error: null, longest: 2 }];
  return {
    ...createStoreSnapshot(async (sql) => (sql.includes('count(') ? count : people.slice(0, 1_000))),
    async *stream() {
      yield people.slice(1_000);
    },
  };
}

it('PeopleSnapshot writes the other pages although nobody asks for them and memory is collected', async () => {
  const writing = snapshot.write((work) => work(createLongReading()), WRITING);
  expect((await snapshot.page(0, undefined)).people).toHaveLength(1_000);
  expect(snapshot.isWhole).toBe(false);
  const collecting = setInterval(collectGarbage, 50);
  await writing.finally(() => clearInterval(collecting));
  expect(snapshot.isWhole).toBe(true);
});

it('PeopleSnapshot accepts a second read after the first failed', async () => {
  await snapshot.write(
    async (work) => work(createStoreSnapshot(failToRead)).catch(() => work(createStoreSnapshot(readOnePerson))),
    WRITING,
  );
  expect(await snapshot.page(0, undefined)).toEqual({ people: [{ $distinct_id: 'a', $properties: {} }], total: 1 });
  await snapshot.remove();
});

it('PeopleSnapshot refuses a second read after a page was returned', async () => {
  await snapshot.write(async (work) => {
    await work(createStoreSnapshot(readOnePerson));
    expect((await snapshot.page(0, undefined)).total).toBe(1);
    return work(createStoreSnapshot(readOnePerson));
  }, WRITING);
  await expect(snapshot.page(0, undefined)).rejects.toMatchObject({ status: 503 });
});

it.each([32_001, null])('PeopleSnapshot fails if the profiles of a page are too large (bound: %s)', async (bound) => {
  const queries: string[] = [];
  const source = createStoreSnapshot(async (sql) => {
    queries.push(sql);
    return [{ version: 0, people: 1_000_000, error: null, longest: queries.length === 1 ? bound : 32_000_001 }];
  });
  await snapshot.write((work) => work(source), WRITING);
  await expect(snapshot.page(0, undefined)).rejects.toThrow('too many characters (at most 32,000,000)');
  expect(queries).toHaveLength(2);
});

it('PeopleSnapshot fails if profiles grew too large after they were counted', async () => {
  const properties = JSON.stringify({ x: 'x'.repeat(10_000_000) });
  async function* stream() {
    for (let id = 0; id < 4; id++) yield [{ id: `${id}`, properties, version: 0, error: null }];
  }
  const source = { ...createStoreSnapshot(readOnePerson), isSnapshot: false, stream };
  await snapshot.write((work) => work(source), WRITING);
  await expect(snapshot.page(0, undefined)).rejects.toThrow('too many characters');
});
