import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { duckdb } from '../../../src/lang/engines/sql/dialects/duckdb.ts';
import { PeopleSnapshot, type SnapshotWriter } from '../../../src/service/analytics/people-snapshot.ts';
import type { JsonSqlRow, StoreSnapshot } from '../../../src/service/store/store-snapshot.ts';

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
  snapshot = new PeopleSnapshot(join(folder, 'pages'), undefined, 0);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A snapshot of one person. */
function readingOf(rows: StoreSnapshot['rows']): StoreSnapshot {
  return {
    dialect: duckdb,
    isSnapshot: true,
    versions: [{ events: SOURCE, people: SOURCE }],
    rows,
    async *stream() {},
  };
}

const answered: StoreSnapshot['rows'] = async (sql): Promise<readonly JsonSqlRow[]> =>
  sql.includes('count(')
    ? [{ version: 0, people: 1, error: null, longest: 2 }]
    : [{ id: 'a', properties: '{}', version: 0, error: null }];

const lost: StoreSnapshot['rows'] = async () => Promise.reject(new Error('the database ended'));

it('PeopleSnapshot is written by a second read if the first failed', async () => {
  await snapshot.write(async (work) => work(readingOf(lost)).catch(() => work(readingOf(answered))), WRITING);
  expect(await snapshot.page(0, undefined)).toEqual({ people: [{ $distinct_id: 'a', $properties: {} }], total: 1 });
  await snapshot.remove();
});

it('PeopleSnapshot refuses a second read once pages were shown', async () => {
  await snapshot.write(async (work) => {
    await work(readingOf(answered));
    expect((await snapshot.page(0, undefined)).total).toBe(1);
    return work(readingOf(answered));
  }, WRITING);
  await expect(snapshot.page(0, undefined)).rejects.toMatchObject({ status: 503 });
});

it('PeopleSnapshot is refused if the profiles of a page are too large', async () => {
  const asked: string[] = [];
  const reading = readingOf(async (sql) => {
    asked.push(sql);
    return [{ version: 0, people: 1_000_000, error: null, longest: asked.length === 1 ? 32_001 : 32_000_001 }];
  });
  await snapshot.write((work) => work(reading), WRITING);
  await expect(snapshot.page(0, undefined)).rejects.toThrow('too many characters (at most 32,000,000)');
  expect(asked).toHaveLength(2);
});

it('PeopleSnapshot fails if profiles have grown too large since the count', async () => {
  const properties = JSON.stringify({ x: 'x'.repeat(10_000_000) });
  async function* stream() {
    for (let id = 0; id < 4; id++) yield [{ id: `${id}`, properties, version: 0, error: null }];
  }
  const reading = { ...readingOf(answered), isSnapshot: false, stream };
  await snapshot.write((work) => work(reading), WRITING);
  await expect(snapshot.page(0, undefined)).rejects.toThrow('too many characters');
});
