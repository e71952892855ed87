import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Data,
  Field,
  Map_,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { Table as ParquetTable, writeParquet } from 'parquet-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileOn } from '../../src/api/expressions.ts';
import { readTableLines } from '../../src/cli/query/read-table-lines.ts';
import type { Properties } from '../../src/lang/value.ts';
import { runStatements } from './query-files.ts';
import { runQuery } from './run-query.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-columns-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Columns of strings: the name and the values of each. */
type Columns = readonly (readonly [name: string, values: readonly string[]])[];

function structOf(columns: Columns): Data<Struct> {
  const fields = columns.map(([name]) => new Field(name, new Utf8(), true));
  const children = columns.map(([, values]) => vectorFromArray(values, new Utf8()).data[0] as Data<Utf8>);
  return makeData({ type: new Struct(fields), length: columns[0]?.[1].length ?? 0, children });
}

/** Writes a Parquet file without DuckDB, which would rename the columns. */
function writeRecords(name: string, records: Data<Struct>): string {
  const schema = new Schema(records.type.children);
  const stream = tableToIPC(new Table(schema, new RecordBatch(schema, records)), 'stream');
  const file = join(folder, name);
  writeFileSync(file, writeParquet(ParquetTable.fromIPCStream(stream)));
  return file;
}

/** Writes a file with a column per property, and one with a struct column `properties`. */
function writeBoth(name: string, columns: Columns): Readonly<Record<'flat' | 'nested', string>> {
  const records = structOf(columns);
  const type = new Struct([new Field('properties', records.type, true)]);
  return {
    flat: writeRecords(`${name}.parquet`, records),
    nested: writeRecords(`${name}-nested.parquet`, makeData({ type, length: records.length, children: [records] })),
  };
}

async function segmentsOf(file: string, on: string, ...options: string[]): Promise<Record<string, number>> {
  const { out, err } = await runQuery(['segment', on, file, '--json', '--limit', '1000', ...options]);
  expect(err).toMatch(/^(?:warning: No record has the property .*\n)?$/);
  const { segments } = JSON.parse(out) as { segments: { name: string; count: number }[] };
  return Object.fromEntries(segments.map(({ name, count }) => [name, count]));
}

async function linesOf(file: string): Promise<string> {
  let lines = '';
  for await (const text of readTableLines(file, 'parquet', {})) lines += text;
  return lines;
}

describe('names of columns in a Parquet file', () => {
  const CLASHING: Columns = [
    ['plan', ['pro', 'free']],
    ['Plan', ['Enterprise', 'Basic']],
    ['plan_1', ['p', 'q']],
    ['PLAN', ['X', 'Y']],
    ['', ['empty', 'none']],
    ['C4', ['c', 'd']],
    ['1', ['one', 'two']],
    ['\ufeffid', ['marked', 'strings']],
    ['"; \\ \'', ['quoted', 'names']],
    ['__proto__', ['own', 'property']],
  ];
  let files: ReturnType<typeof writeBoth>;
  beforeAll(() => {
    files = writeBoth('clashing', CLASHING);
  });

  it.each(['flat', 'nested'] as const)('match the file exactly: %s', async (kind) => {
    for (const [name, values] of CLASHING) {
      const expected = Object.fromEntries(values.map((value) => [value, 1]));
      expect(await segmentsOf(files[kind], `properties[${JSON.stringify(name)}]`)).toEqual(expected);
    }
  });

  it.each(['Plan_1', 'plan_1_1', 'C5', 'pLaN', 'id', '2'])('do not match other names: %s', async (name) => {
    for (const file of [files.flat, files.nested]) {
      expect(await segmentsOf(file, `properties["${name}"]`)).toEqual({ undefined: 2 });
    }
  });

  it('are printed and imported unchanged', async () => {
    const records = [0, 1].map(
      (row) => `{${CLASHING.map(([name, values]) => `${JSON.stringify(name)}:${JSON.stringify(values[row])}`)}}`,
    );
    const nested = records.map((record) => `{"properties":${record}}`);
    for (const [file, lines] of [
      [files.flat, records],
      [files.nested, nested],
    ] as const) {
      const text = lines.map((line) => `${line}\n`).join('');
      expect(await runQuery(['filter', 'true', file])).toEqual({ code: 0, out: text, err: '' });
      expect(await linesOf(file)).toBe(text);
    }
  });

  it('are refused if two are the same', async () => {
    const { flat, nested } = writeBoth('same', [
      ['plan', ['pro']],
      ['a', ['1']],
      ['plan', ['free']],
    ]);
    const [columns, fields] = ['columns called "plan"', 'fields of "properties" called "plan"'];
    for (const [file, kind] of [
      [flat, columns],
      [nested, fields],
    ] as const) {
      const message = `${file} has several ${kind}. Rename them so that each name is unique`;
      expect(await runQuery(['count', 'true', file])).toEqual({ code: 3, out: '', err: `error: ${message}\n` });
      await expect(linesOf(file)).rejects.toThrow(message);
    }
  });

  it('are read per file', async () => {
    const { flat } = writeBoth('other', [
      ['Plan', ['Basic']],
      ['amount', ['1']],
    ]);
    const { out } = await runQuery(['segment', 'properties["Plan"]', files.flat, flat, '--csv']);
    expect(out.split('\n').sort().join(' ').trim()).toBe('Basic,2 Enterprise,1 segment,events');
    expect((await runQuery(['count', 'defined(properties["amount"])', files.flat, flat])).out).toBe('1\n');
  });

  it('are correct in nested lists, maps and structs', async () => {
    const file = join(folder, 'deep.parquet');
    await runStatements([
      `COPY (SELECT [{x: 1, y: [{z: 2}]}] AS structs, [[{a: 1}]] AS lists, MAP {'k': {m: MAP {'n': [{o: 3}]}}} AS maps,
          {p: {q: {r: 4}}} AS inner, [MAP {'s': 5}] AS "in") TO '${file}' (FORMAT parquet)`,
    ]);
    expect(await linesOf(file)).toBe(
      '{"structs":[{"x":1,"y":[{"z":2}]}],"lists":[[{"a":1}]],"maps":{"k":{"m":{"n":[{"o":3}]}}},' +
        '"inner":{"p":{"q":{"r":4}}},"in":[{"s":5}]}\n',
    );
  });

  it('tell which tool wrote the table, whose lists of keys and values are properties', async () => {
    const file = join(folder, 'ga4.parquet');
    await runStatements([
      `COPY (SELECT 'buy' AS event_name, 1748772000000000 AS event_timestamp, '1.2' AS user_pseudo_id,
          [{key: 'plan', value: {string_value: 'pro'}}] AS event_params) TO '${file}' (FORMAT parquet)`,
    ]);
    for (const where of ['properties["event_params.plan"] == "pro"', 'properties["event_name"] == "buy"']) {
      const { out, err } = await runQuery(['count', where, file]);
      expect([out, err]).toEqual(['1\n', expect.stringMatching(/^Google Analytics 4 events, time: event_timestamp/)]);
    }
  });
});

describe('values of a map', () => {
  /** SQL of a value of each type. */
  const VALUES = [
    `TIMESTAMP '2024-01-01 00:00:00.5'`,
    `TIMESTAMPTZ '2024-01-01 00:00:00+02'`,
    `TIMESTAMP_NS '2024-01-01 00:00:00.000000001'`,
    `DATE '2024-01-01'`,
    `TIME '10:00:00'`,
    `'x'::BLOB`,
    `12.10::DECIMAL(30, 2)`,
    `9007199254740993::BIGINT`,
    `170141183460469231731687303715884105727::HUGEINT`,
    `1.5::DOUBLE`,
    `0.1::FLOAT`,
    `'nan'::DOUBLE`,
    `'-inf'::DOUBLE`,
    `true`,
    `'a'::ENUM('a', 'b')`,
    `'5dbc1efe-7b3c-4ad3-8b6b-2f6d1f7a8f4a'::UUID`,
    `'"text" \\ \n \u001b é'`,
    `''`,
    `[1, NULL, 3]`,
    `['a', NULL, '']`,
    `[TIMESTAMP '2024-01-01 00:00:00', NULL]`,
    `[DATE '2024-01-01']`,
    `[[1, 2]]`,
    `[true, NULL]`,
    `['inf'::DOUBLE, 2]`,
    `{a: DATE '2024-01-01', b: NULL, c: [1, NULL]}`,
    `MAP {'a': DATE '2024-01-01', 'b': NULL}`,
    `[MAP {'a': TIME '10:00:00'}]`,
    `'{"a": [1, null, "x"]}'::JSON`,
    `'"text"'::JSON`,
    `' null'::JSON`,
    `' [1, null, {}, "x"]'::JSON`,
    `['1'::JSON, '"x"'::JSON, 'null'::JSON, NULL, '{}'::JSON, ' true'::JSON]`,
  ];

  it('equal the fields of a struct', async () => {
    const file = join(folder, 'values.duckdb');
    await runStatements([
      `ATTACH '${file}' AS written`,
      `CREATE TABLE written.structs AS SELECT {${VALUES.map((value, index) => `v${index}: ${value}`)}} AS properties`,
      ...VALUES.map(
        (value, index) =>
          `CREATE TABLE written.t${index} AS SELECT MAP {'v${index}': ${value}, '': NULL} AS properties`,
      ),
    ]);
    const printed = await runQuery(['filter', 'true', file, '--table', 'structs']);
    const { properties } = JSON.parse(printed.out) as { properties: Properties };
    for (const [index, value] of VALUES.entries()) {
      const [name, table] = [`v${index}`, ['--table', `t${index}`]];
      const filter = await runQuery(['filter', 'not defined(properties[""])', file, ...table]);
      const text = JSON.stringify({ properties: { [name]: properties[name] } });
      expect({ value, ...filter, out: JSON.stringify(JSON.parse(filter.out)) }).toEqual({
        value,
        code: 0,
        err: expect.stringMatching(/^warning: No record has the property ""\..*\n$/),
        out: text,
      });
      // The printed records read the same.
      const names = Object.keys(await segmentsOf(file, `properties["${name}"]`, ...table));
      const expected = compileOn(`properties["${name}"]`)(properties);
      expect({ value, names: new Set(names) }).toEqual({ value, names: new Set(expected) });
    }
  });

  it.each([
    ['1::INTEGER', '1', '01'],
    [`DATE '2024-01-01'`, '2024-01-01', '1704067200'],
    [`'a'::ENUM('a')`, 'a', 'A'],
    [`'a' || chr(0) || '''b'`, "a\0'b", 'a'],
    [`'\ufeffa'`, '\ufeffa', 'a'],
  ])('are found by the printed form of their keys: %s', async (key, name, other) => {
    const file = join(folder, `keys-${name.codePointAt(0)}-${name.length}.parquet`);
    await runStatements([`COPY (SELECT MAP {${key}: 'found'} AS properties) TO '${file}' (FORMAT parquet)`]);
    expect(await segmentsOf(file, `properties[${JSON.stringify(name)}]`)).toEqual({ found: 1 });
    expect(await segmentsOf(file, `properties[${JSON.stringify(other)}]`)).toEqual({ undefined: 1 });
    expect((await runQuery(['filter', 'true', file])).out).toBe(`{"properties":{${JSON.stringify(name)}:"found"}}\n`);
  });
});

describe('a repeated name in an object', () => {
  const JSON_TEXT = '{"a": "first", "b": null, "a": {"a": 2}, "A": 1.50, "b": [1,  2], "": "", "": 1}';

  it('is printed and imported once, with the first value', async () => {
    const file = join(folder, 'twice.parquet');
    const texts = [`'${JSON_TEXT}'`, `' [1,  1]'`, 'NULL'].map((text) => `SELECT ${text}::JSON AS properties`);
    await runStatements([`COPY (${texts.join(' UNION ALL ')}) TO '${file}' (FORMAT parquet)`]);
    const text = '{"properties":{"a":"first","b":null,"A":1.5,"":""}}\n{"properties":[1,1]}\n{}\n';
    expect(await segmentsOf(file, 'properties["a"]')).toEqual({ first: 1, undefined: 2 });
    expect(await segmentsOf(file, 'properties["b"]')).toEqual({ null: 1, undefined: 2 });
    expect((await runQuery(['filter', 'true', file])).out).toBe(text);
    expect(await linesOf(file)).toBe(text);
  });

  it('keeps the first value in a map too', async () => {
    const entries = structOf([
      ['key', ['a', 'b', 'a']],
      ['value', ['first', 'x', 'second']],
    ]);
    const [key, value] = [new Field('key', new Utf8(), false), new Field('value', new Utf8(), true)];
    const type = new Map_(new Field('entries', new Struct<{ key: Utf8; value: Utf8 }>([key, value]), false));
    const map = makeData({ type, length: 1, valueOffsets: Int32Array.of(0, 3), child: entries });
    const record = new Struct([new Field('properties', type, true)]);
    const file = writeRecords('twice-map.parquet', makeData({ type: record, length: 1, children: [map] }));
    expect(await segmentsOf(file, 'properties["a"]')).toEqual({ first: 1 });
    expect((await runQuery(['filter', 'true', file])).out).toBe('{"properties":{"a":"first","b":"x"}}\n');
  });
});
