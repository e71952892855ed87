import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOUBLE, type DuckDBConnection, DuckDBInstance, DuckDBListValue } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { duckdb } from '../../../src/lang/engines/sql/dialects/duckdb.ts';
import type { SqlSource } from '../../../src/lang/engines/sql/sql-source.ts';
import { MAX_SECONDS } from '../../../src/lang/operators/time.ts';
import { print } from '../../../src/lang/syntax/print.ts';
import type { Properties } from '../../../src/lang/value.ts';
import { DuckDbConnection } from '../../../src/service/store/duckdb/database.ts';
import { DuckDbStore } from '../../../src/service/store/duckdb/duck-db-store.ts';
import { getSources } from '../../../src/service/store/duckdb/version-state.ts';
import type { PersonLine } from '../../../src/service/store/log-line.ts';
import type { RecordKind } from '../../../src/service/store/store.ts';
import { expressions, records, timeZones } from '../../arbitraries.ts';
import type { Input } from '../../engines.ts';
import type { Database } from '../../lang/engines/sql/database.ts';
import { toStored } from '../../lang/engines/sql/layouts.ts';
import { expectAgreement, SqlComparison } from '../../lang/engines/sql/sql-comparison.ts';
import { splitRuns } from '../../runs.ts';
import { eventLine, writeLogFile } from './log-files.ts';

const TABLES = Number(process.env.ONWHERE_RUNS ?? 4);
const RECORDS = 60;
const EXPRESSIONS = 25;
const TOGETHER = 8;

/** Returns the properties of a record in the log. JSON has no infinite numbers. */
function toImported(record: Input, own: Properties): Properties {
  const entries = Object.entries(toStored(record, true).properties).filter(
    ([, value]) => typeof value !== 'number' || Number.isFinite(value),
  );
  return JSON.parse(JSON.stringify({ ...Object.fromEntries(entries), ...own }));
}

/** Evaluates expressions over a flushed table. */
class FlushedDatabase implements Database {
  readonly dialect = duckdb;
  readonly holdsNul = true;

  constructor(
    private readonly instance: DuckDBInstance,
    private readonly connection: DuckDBConnection,
  ) {}

  static async open(): Promise<FlushedDatabase> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
    const connection = await instance.connect();
    for (const statement of duckdb.setup) await connection.run(statement);
    return new FlushedDatabase(instance, connection);
  }

  /** Attaches a file and selects the records of a kind, with a SQL expression as their ID. */
  async read(file: string, kind: RecordKind, id: string): Promise<SqlSource> {
    await this.connection.run('USE memory; DETACH DATABASE IF EXISTS flushed');
    await this.connection.run(`ATTACH '${file}' AS flushed (READ_ONLY)`);
    const { [kind]: source } = await getSources(new DuckDbConnection(this.connection), '"flushed"');
    expect(source.table).toEqual(['flushed', kind]);
    await this.connection.run(`CREATE OR REPLACE TEMP VIEW records AS SELECT *, ${id} AS id FROM flushed.${kind}`);
    return { ...source, table: 'records' };
  }

  createTable(): never {
    throw new Error('it is flushed');
  }

  async query(sql: string, parameters: readonly (string | number | boolean)[]) {
    const types = Object.fromEntries(
      parameters.flatMap((value, index) => (typeof value === 'number' ? [[index, DOUBLE]] : [])),
    );
    const reader = await this.connection.runAndReadAll(sql, [...parameters], types);
    const names = reader.columnNames();
    const plain = (cell: unknown) => (cell instanceof DuckDBListValue ? [...cell.items] : cell);
    return reader.getRows().map((row) => Object.fromEntries(row.map((cell, index) => [names[index], plain(cell)])));
  }

  async close(): Promise<void> {
    this.connection.closeSync();
    this.instance.closeSync();
  }
}

describe('expressions over flushed records', () => {
  let database: FlushedDatabase;
  let folder: string;
  let versions = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onwhere-expressions-'));
    database = await FlushedDatabase.open();
  });

  afterAll(async () => {
    await database?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Flushes records in parts, so that later parts have properties and types without columns. */
  async function flushParts(kind: RecordKind, parts: number, kept: readonly Input[]): Promise<SqlSource> {
    const id = `e${++versions}`;
    const version = { id, folder: join(folder, id) };
    const lines = kept.map(({ properties }, at) =>
      kind === 'events' ? eventLine('a', properties) : ({ $distinct_id: String(at), $set: properties } as PersonLine),
    );
    const store = await DuckDbStore.open({ temporaryFolder: folder });
    for (let part = 0; part < parts; part++) {
      const own = lines.slice((part * lines.length) / parts, ((part + 1) * lines.length) / parts);
      const file = await writeLogFile(join(folder, id, kind), `0000000${part + 1}`, [own]);
      await store.flush(version, kind, [file]);
    }
    await store.close();
    const place = kind === 'events' ? 'CAST("time" AS INTEGER)' : 'CAST(distinct_id AS INTEGER)';
    return database.read(join(version.folder, 'store.duckdb'), kind, place);
  }

  it.each<[RecordKind, number]>([
    ['events', 1],
    ['events', 3],
    ['people', 1],
    ['people', 3],
  ])(
    'have the same results as in the interpreter for %s, parts: %i',
    async (kind, parts) => {
      const trees = fc.array(expressions(4), { minLength: EXPRESSIONS, maxLength: EXPRESSIONS });
      const inputs = fc.array(records, { minLength: RECORDS, maxLength: RECORDS });
      let [agreed, columns] = [0, 0];
      const ask = fc.asyncProperty(trees, inputs, timeZones, async (sample, table, timeZone) => {
        const now = Math.min(table[0]?.now ?? 0, MAX_SECONDS);
        const kept = table.map((input, at) => ({
          properties: toImported(input, kind === 'events' ? { distinct_id: `u${at % 7}`, time: at } : {}),
          user: undefined,
          now,
          timeZone,
        }));
        const source = await flushParts(kind, parts, kept);
        columns += Object.values(source.properties.columns ?? {}).flatMap((types) => Object.keys(types)).length;
        const answers = new SqlComparison(database, source, kept);
        const texts = sample.map((tree) => print(tree));
        for (let at = 0; at < texts.length; at += TOGETHER) await answers.compare(texts.slice(at, at + TOGETHER));
        agreed += answers.compared;
      });
      const { seeded, fresh } = splitRuns(TABLES);
      await expectAgreement(ask, seeded);
      expect(agreed).toBeGreaterThan(seeded.numRuns * EXPRESSIONS * RECORDS);
      expect(columns).toBeGreaterThan(seeded.numRuns * 20);
      await expectAgreement(ask, fresh);
    },
    3_600_000,
  );
});
