import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DuckDbDatabase } from '../../../src/service/store/duckdb/database.ts';
import { DuckDbStore } from '../../../src/service/store/duckdb/duck-db-store.ts';
import { quoteSqlString } from '../../../src/service/store/duckdb/quote-sql.ts';
import type { RecordKind, StoredVersion } from '../../../src/service/store/store.ts';
import { DamagedVersionError } from '../../../src/service/store/store-error.ts';
import { countOf } from './count-of.ts';
import { eventLine, writeLogFile } from './log-files.ts';

let folder: string;
let versions = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onwhere-files-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const open = () => DuckDbStore.open({ temporaryFolder: join(folder, 'temporary') });

const fileOf = (version: StoredVersion) => join(version.folder, 'store.duckdb');

function newVersion(): StoredVersion {
  const id = `f${++versions}`;
  return { id, folder: join(folder, `it's ${id}`) };
}

async function flush(
  store: DuckDbStore,
  version: StoredVersion,
  kind: RecordKind,
  lines: Parameters<typeof writeLogFile>[2][number],
) {
  const name = String(++versions);
  await store.flush(version, kind, [await writeLogFile(join(folder, 'logs'), name, [lines])]);
}

const events = (count: number, properties = {}) =>
  Array.from({ length: count }, (_, index) => eventLine('a', { distinct_id: 'u', time: index + 1, ...properties }));

/** Lists the columns of promoted properties in a table. */
async function listPromotedColumns(version: StoredVersion, table: RecordKind): Promise<unknown[]> {
  const database = await DuckDbDatabase.open({ temporaryFolder: join(folder, 'temporary') });
  const rows = await database.withConnection(async (connection) => {
    await connection.run(`ATTACH ${quoteSqlString(fileOf(version))} AS flushed (READ_ONLY)`);
    return connection.rows(
      `SELECT column_name FROM duckdb_columns() WHERE table_name = '${table}' AND regexp_matches(column_name, '^p[0-9]+_')`,
    );
  });
  database.close();
  return rows.map(([name]) => name);
}

describe('the file of a version', () => {
  it('is found when the store is opened again', async () => {
    const version = newVersion();
    const store = await open();
    await flush(store, version, 'events', events(10));
    await store.close();
    const again = await open();
    expect(await countOf(again, version, 'events')).toBe(10);
    await flush(again, version, 'events', events(5));
    expect(await countOf(again, version, 'events')).toBe(15);
    await again.close();
  });

  it('is not created by a read', async () => {
    const version = newVersion();
    const store = await open();
    expect(await countOf(store, version, 'events')).toBe(0);
    await store.close();
    expect(existsSync(version.folder)).toBe(false);
  });

  it('can be one of many, used concurrently and repeatedly', async () => {
    // More than the maximum number of attached files.
    const many = Array.from({ length: 80 }, newVersion);
    const store = await open();
    const file = await writeLogFile(join(folder, 'logs'), 'many', [events(2)]);
    const first = many[0] as StoredVersion;
    await store.flush(first, 'events', [file]);
    const reading = store.events(first)[Symbol.asyncIterator]();
    await reading.next();
    await Promise.all(many.map((version) => store.flush(version, 'events', [file])));
    for (let round = 0; round < 2; round++) {
      expect(await Promise.all(many.map((version) => countOf(store, version, 'events')))).toEqual(many.map(() => 2));
    }
    for (const version of many) expect(await countOf(store, version, 'events')).toBe(2);
    expect((await reading.next()).value).toMatchObject({ properties: { time: 2 } });
    await Promise.all(many.map((version) => Promise.all([countOf(store, version, 'events'), store.drop(version)])));
    await reading.return?.(undefined);
    expect(many.filter((version) => existsSync(fileOf(version)))).toEqual([]);
    await store.close();
  });

  it('is removed when its version is dropped and no longer read', async () => {
    const version = newVersion();
    const store = await open();
    await flush(store, version, 'events', events(20_000));
    const readings = [store.events(version), store.events(version)].map((each) => each[Symbol.asyncIterator]());
    for (const reading of readings) await reading.next();
    await store.drop(version);
    await readings[0]?.return?.(undefined);
    expect(existsSync(fileOf(version))).toBe(true);
    await readings[1]?.return?.(undefined);
    expect(existsSync(fileOf(version))).toBe(false);
    await store.close();
  });

  it('is removed even if it was not used since the store was opened', async () => {
    const version = newVersion();
    const store = await open();
    await flush(store, version, 'events', events(10));
    await store.close();
    const again = await open();
    await again.drop(version);
    expect(existsSync(fileOf(version))).toBe(false);
    await again.close();
  });

  it('that cannot be opened is reported, and others can be opened', async () => {
    const [broken, whole] = [newVersion(), newVersion()];
    await mkdir(broken.folder, { recursive: true });
    await writeFile(fileOf(broken), 'x'.repeat(20_000));
    const store = await open();
    await expect(countOf(store, broken, 'events')).rejects.toThrow(/store\.duckdb.*not a valid DuckDB database file/);
    await flush(store, whole, 'events', events(10));
    expect(await countOf(store, whole, 'events')).toBe(10);
    await store.drop(broken);
    expect(await countOf(store, broken, 'events')).toBe(0);
    await store.close();
  });

  it('with any damaged block is reported by every read', async () => {
    const [version, whole] = [newVersion(), newVersion()];
    const store = await open();
    await flush(store, whole, 'events', events(10));
    // The second flush uses blocks that the first one freed, and new ones.
    for (const count of [700, 100]) {
      const lines = Array.from({ length: count }, (_, index) =>
        eventLine('a', { distinct_id: 'u', time: index + 1, filler: String(index * 7919) }),
      );
      await flush(store, version, 'events', lines);
    }
    await store.close();
    const bytes = await readFile(fileOf(version));
    let damaged = 0;
    // Three headers of 4 KiB precede the blocks of 256 KiB.
    for (let block = 12_288; block < bytes.length; block += 262_144) {
      const flipped = Buffer.from(bytes);
      flipped[block + 9] = ~flipped.readUInt8(block + 9);
      await writeFile(fileOf(version), flipped);
      const again = await open();
      const count = again.read([whole, version], async ({ dialect, versions, rows }) => {
        for (const { events } of versions) {
          const table = [events.table].flat().map((name) => dialect.quoteName(name));
          await rows(`SELECT count(properties) FROM ${table.join('.')}`, []);
        }
      });
      const error = await count.then(
        () => undefined,
        (thrown) => thrown,
      );
      if (error !== undefined) {
        expect([block, error]).toEqual([block, expect.any(DamagedVersionError)]);
        expect(error).toMatchObject({ versionId: version.id, damage: 'its file cannot be read' });
        damaged++;
      }
      await again.close();
    }
    expect(damaged).toBeGreaterThan(1);
  });

  it('is created again if the process ended while creating it', async () => {
    const version = newVersion();
    await mkdir(version.folder, { recursive: true });
    await writeFile(`${fileOf(version)}.new`, 'half');
    const store = await open();
    await flush(store, version, 'events', events(10));
    expect(await countOf(store, version, 'events')).toBe(10);
    await store.close();
  });
});

describe('the columns of a table', () => {
  it('are limited, whatever the number of properties', async () => {
    const version = newVersion();
    const store = await open();
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, index]));
    await flush(store, version, 'events', events(3, wide));
    await store.close();
    expect(await listPromotedColumns(version, 'events')).toHaveLength(128);
  });

  it.each<RecordKind>(['events', 'people'])(
    'are for the types that occur, and more come with more types: %s',
    async (kind) => {
      const version = newVersion();
      const store = await open();
      const line = (properties: Record<string, unknown>) =>
        kind === 'events' ? events(1, properties) : [{ $distinct_id: 'u', $set: properties }];
      await flush(store, version, kind, line({ a: 1, b: 'x', c: { d: 1 } }));
      await flush(store, version, kind, line({ a: null, b: { c: 1 }, d: 1 }));
      await flush(store, version, kind, line({ a: [1], b: 'y' }));
      await store.close();
      const columns = await listPromotedColumns(version, kind);
      expect(columns.sort()).toEqual(['p1_list', 'p1_null', 'p1_number', 'p2_string']);
    },
  );
});

describe('a connection', () => {
  it('runs one statement at a time, and is closed when it has ended', async () => {
    const database = await DuckDbDatabase.open({ temporaryFolder: join(folder, 'temporary') });
    const connection = await database.connect();
    const first = connection.rows('SELECT count(*) FROM range(1000000)');
    await expect(connection.run('SELECT 1')).rejects.toThrow('a statement is still running');
    await connection.close();
    expect(await first).toEqual([[1_000_000n]]);
    database.close();
  });

  it('ends a stream that is not read to its end', async () => {
    const version = newVersion();
    const store = await open();
    await flush(store, version, 'events', events(20_000));
    await store.close();
    const database = await DuckDbDatabase.open({ temporaryFolder: join(folder, 'temporary') });
    const file = quoteSqlString(fileOf(version));
    await database.withConnection((connection) => connection.run(`ATTACH ${file} AS flushed (READ_ONLY)`));
    const reader = await database.connect();
    await reader.run('BEGIN');
    for await (const _ of reader.stream('SELECT properties FROM flushed.events')) break;
    await reader.close();
    await database.withConnection(async (connection) => {
      await connection.run('DETACH flushed');
      // The file is only closed if no scan holds it, and only then can it be attached for writing.
      await connection.run(`ATTACH ${file} AS flushed`);
    });
    database.close();
  });
});

describe('a database confined to a folder', () => {
  it.each([
    'SELECT * FROM read_text(OUTSIDE)',
    'COPY (SELECT 1) TO OUTSIDE',
    'ATTACH OUTSIDE AS other',
    'INSTALL httpfs',
    'LOAD httpfs',
    'SET enable_external_access = true',
    `SET allowed_directories = ['/']`,
    `SET memory_limit = '1TB'`,
  ])('refuses %s', async (sql) => {
    const inner = join(folder, 'kept');
    await mkdir(inner, { recursive: true });
    const outside = join(folder, 'outside');
    const database = await DuckDbDatabase.open({ temporaryFolder: join(inner, 'temporary'), onlyFolder: inner });
    const answer = database.withConnection((connection) =>
      connection.run(sql.replace('OUTSIDE', quoteSqlString(outside))),
    );
    await expect(answer).rejects.toThrow(/Permission Error|configuration has been locked/);
    expect(existsSync(outside)).toBe(false);
    database.close();
  });
});
