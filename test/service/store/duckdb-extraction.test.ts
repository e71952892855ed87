import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonKind, KindCounts } from '../../../src/service/store/duckdb/census.ts';
import { DuckDbDatabase } from '../../../src/service/store/duckdb/database.ts';
import { lowerExtraction } from '../../../src/service/store/duckdb/extraction.ts';
import { quoteSqlString } from '../../../src/service/store/duckdb/quote-sql.ts';
import { getPromotedColumnName, PROPERTY_TYPES, type PropertyType } from '../../../src/service/store/promoted.ts';
import { codePoint } from '../../code-point.ts';
import { splitRuns } from '../../runs.ts';

/** Values as JSON, by kind. Several are not written as JavaScript would write them. */
const VALUES: Readonly<Record<JsonKind, Arbitrary<string>>> = {
  number: fc.oneof(
    fc.constantFrom('0', '-0', '1', '1.0', '1E3', '5e-324', '1e-400', '1.7976931348623157e308', '0.1'),
    fc.constantFrom('9007199254740993', '9223372036854775808', '-9223372036854775809', '18446744073709551617'),
    fc.bigInt().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
  ),
  string: fc.oneof(
    fc.constantFrom('""', '"null"', '"true"', '"1"', '"[1]"', '"\\"a\\""', '"\\u0000"', '"\\ud83d\\ude00\\/"'),
    fc.string({ unit: codePoint }).map((text) => JSON.stringify(text)),
  ),
  boolean: fc.constantFrom('true', 'false'),
  null: fc.constant('null'),
  list: fc.constantFrom('[]', '[null]', '["a", 1.50]', '[[{"a": "]"}]]'),
  object: fc.constantFrom('{}', '{"a": 1}', '{"a": [true]}'),
};

const NAMES = [
  'a',
  'A',
  'b',
  '',
  'Time',
  '1',
  '0',
  'é',
  'É',
  "it's",
  '"',
  '\\',
  'a.b',
  'a/b',
  '~',
  '$x',
  '__proto__',
  '😀',
];

const kindSets = fc.uniqueArray(fc.constantFrom(...(Object.keys(VALUES) as JsonKind[])), {
  minLength: 1,
  maxLength: 3,
});

const RECORDS = 6;

/** The JSON of a property in each record; undefined if a record lacks it. */
const columns = kindSets.chain((kinds) =>
  fc.array(fc.option(fc.oneof(...kinds.map((kind) => VALUES[kind])), { nil: undefined }), {
    minLength: RECORDS,
    maxLength: RECORDS,
  }),
);

/** Properties by name. */
type Table = readonly (readonly [name: string, values: readonly (string | undefined)[]])[];

const tables: Arbitrary<Table> = fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), columns), {
  selector: ([name]) => name,
  minLength: 1,
  maxLength: 8,
});

const OWN = [
  { column: '"time"', property: 'time', type: 'BIGINT' },
  { column: 'distinct_id', property: 'distinct_id', type: 'VARCHAR' },
];

function getKind(json: string): JsonKind {
  const value: unknown = JSON.parse(json);
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value as JsonKind;
}

function countKinds(values: readonly (string | undefined)[]): KindCounts {
  const counts = new Map<JsonKind, number>();
  for (const json of values) if (json !== undefined) counts.set(getKind(json), (counts.get(getKind(json)) ?? 0) + 1);
  return counts;
}

/** Parses JSON as DuckDB reads it: without negative zero. */
function parse(json: string): unknown {
  return JSON.parse(json, (_, value) => (value === 0 ? 0 : value));
}

/** Returns the JSON of a record: those properties of a table that it has. */
function formatRecord(table: Table, record: number): string {
  const present = table.flatMap(([name, values]) =>
    values[record] === undefined ? [] : [`${JSON.stringify(name)}: ${values[record]}`],
  );
  return `{${[`"time": ${record}`, '"distinct_id": "u"', ...present].join(', ')}}`;
}

/** Returns the columns of a record that are not NULL, by name. */
function getExpected(table: Table, record: number): Record<string, unknown> {
  const cells = table.flatMap(([, values], index) => {
    const json = values[record];
    if (json === undefined || getKind(json) === 'object') return [];
    const type = getKind(json) as PropertyType;
    return [[getPromotedColumnName({ number: index + 1 }, type), type === 'null' ? true : parse(json)]];
  });
  return { time: record, distinct_id: 'u', ...Object.fromEntries(cells) };
}

/** Returns SQL for one row for each record, with all columns in one JSON object. */
function lowerTable(table: Table): string {
  const records = Array.from({ length: RECORDS }, (_, record) => `(${quoteSqlString(formatRecord(table, record))})`);
  const rows = `(SELECT CAST(json AS JSON) AS properties FROM (VALUES ${records.join(', ')}) AS records (json))`;
  const promoted = table.map(([name], index) => ({ name, number: index + 1, types: PROPERTY_TYPES }));
  const kinds = new Map(table.map(([name, values]) => [name, countKinds(values)]));
  const { columns, extracted } = lowerExtraction(rows, promoted, kinds, OWN);
  const own = OWN.map(({ column }) => [column, column] as const);
  const cells = [...own, ...columns].map(([name, sql]) => `${name}: to_json(${sql})`);
  return `SELECT CAST(to_json({${cells.join(', ')}}) AS VARCHAR) FROM ${extracted} ORDER BY "time"`;
}

describe('extraction', () => {
  let folder: string;
  let database: DuckDbDatabase;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onwhere-extraction-'));
    database = await DuckDbDatabase.open({ temporaryFolder: join(folder, 'temporary') });
  });

  afterAll(async () => {
    database?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('fills each column with the values of its type, and no others', async () => {
    let cells = 0;
    const extract = fc.asyncProperty(tables, async (table) => {
      const rows = await database.withConnection((connection) => connection.rows(lowerTable(table)));
      const found = rows.map(([json]) => {
        const filled = Object.entries(parse(json as string) as object).filter(([, cell]) => cell !== null);
        cells += filled.length;
        return Object.fromEntries(filled);
      });
      expect(found).toEqual(Array.from({ length: RECORDS }, (_, record) => getExpected(table, record)));
    });
    const { seeded, fresh } = splitRuns(100);
    await fc.assert(extract, seeded);
    expect(cells).toBeGreaterThan(seeded.numRuns * RECORDS * 3);
    await fc.assert(extract, fresh);
  });
});
