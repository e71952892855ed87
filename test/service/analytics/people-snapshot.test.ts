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

/** A reading of one person. */
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

it('is written by the second reading where the first one answers nothing', async () => {
  await snapshot.write(async (work) => work(readingOf(lost)).catch(() => work(readingOf(answered))), WRITING);
  expect(await snapshot.page(0, undefined)).toEqual({ people: [{ $distinct_id: 'a', $properties: {} }], total: 1 });
  await snapshot.remove();
});

it('is not written by a second reading once pages are shown', async () => {
  await snapshot.write(async (work) => {
    await work(readingOf(answered));
    expect((await snapshot.page(0, undefined)).total).toBe(1);
    return work(readingOf(answered));
  }, WRITING);
  await expect(snapshot.page(0, undefined)).rejects.toMatchObject({ status: 503 });
});

it('is not read where the profiles of a page are too long together', async () => {
  const asked: string[] = [];
  const reading = readingOf(async (sql) => {
    asked.push(sql);
    return [{ version: 0, people: 1_000_000, error: null, longest: asked.length === 1 ? 32_001 : 32_000_001 }];
  });
  await snapshot.write((work) => work(reading), WRITING);
  await expect(snapshot.page(0, undefined)).rejects.toThrow('too many characters (32,000,000 are the most)');
  expect(asked).toHaveLength(2);
});

it('ends where profiles have grown too long since they were counted', async () => {
  const properties = JSON.stringify({ x: 'x'.repeat(10_000_000) });
  async function* stream() {
    for (let id = 0; id < 4; id++) yield [{ id: `${id}`, properties, version: 0, error: null }];
  }
  const reading = { ...readingOf(answered), isSnapshot: false, stream };
  await snapshot.write((work) => work(reading), WRITING);
  await expect(snapshot.page(0, undefined)).rejects.toThrow('too many characters');
});
