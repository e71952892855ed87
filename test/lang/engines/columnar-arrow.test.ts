import * as arrow from 'apache-arrow';
import { Table as ParquetTable, readParquet, writeParquet } from 'parquet-wasm';
import { describe, expect, it } from 'vitest';
import {
  type Batch,
  compileBatchOn,
  compileBatchWhere,
  compileWhere,
  createBatchFromArrow,
  createBatchFromRecords,
} from '../../../src/api/index.ts';
import { generateShopEvents } from '../../../src/data/shop-sample.ts';
import { getValue } from '../../../src/lang/plan/batch-column.ts';
import type { Properties, Value } from '../../../src/lang/value.ts';

function readColumn(batch: Batch, name: string): Value[] {
  const column = batch.properties.get(name) ?? expect.unreachable();
  return Array.from({ length: batch.length }, (_, row) => getValue(column, row));
}

function createTable(column: arrow.Vector): arrow.Table {
  return new arrow.Table({ a: column });
}

/** Reads the values of a vector: whole, sliced twice, and as several chunks, one of them a slice. */
function readInAllForms(vector: arrow.Vector): Value[][] {
  const table = createTable(vector);
  const chunks = new arrow.Table([...table.batches, ...table.slice(1).batches]);
  return [table, table.slice(1), table.slice(1, 2), chunks].map((one) => readColumn(createBatchFromArrow(one), 'a'));
}

const { Dictionary, Field, FixedSizeList, Float16, Float32, Float64, Int8, Int16, Int32, Int64 } = arrow;
const { LargeUtf8, List, Struct, TimestampMicrosecond, TimestampMillisecond, TimestampNanosecond } = arrow;
const { TimestampSecond, Uint8, Uint16, Uint32, Uint64, Utf8, Bool, DateDay, DateMillisecond, Binary, Null } = arrow;

const item = (type: arrow.DataType) => new Field('item', type, true);
const june = Date.UTC(2025, 5, 1, 10);

/** Columns of each type, with the values written and the values read. */
const KINDS: readonly (readonly [string, arrow.DataType, readonly unknown[], readonly Value[]])[] = [
  ['utf8', new Utf8(), ['pro', null, '', 'é\u{1f600}'], ['pro', undefined, '', 'é\u{1f600}']],
  ['large utf8', new LargeUtf8(), ['pro', null, 'x'], ['pro', undefined, 'x']],
  ['bool', new Bool(), [true, null, false, true], [true, undefined, false, true]],
  ['float64', new Float64(), [1.5, null, -2, 1e300], [1.5, undefined, -2, 1e300]],
  ['float64, not finite', new Float64(), [Number.NaN, Infinity, -0, 4], [undefined, undefined, 0, 4]],
  ['float32', new Float32(), [1.5, null, Infinity, -2], [1.5, undefined, undefined, -2]],
  ['float16', new Float16(), [1.5, null, -0.25, 6e-8], [1.5, undefined, -0.25, 2 ** -24]],
  ['int8', new Int8(), [-5, null, 127], [-5, undefined, 127]],
  ['int16', new Int16(), [-500, null, 5], [-500, undefined, 5]],
  ['int32', new Int32(), [-70000, null, 7], [-70000, undefined, 7]],
  ['int64', new Int64(), [-5n, null, 2n ** 53n + 1n], [-5, undefined, 2 ** 53]],
  ['uint8', new Uint8(), [200, null, 0], [200, undefined, 0]],
  ['uint16', new Uint16(), [60000, null, 1], [60000, undefined, 1]],
  ['uint32', new Uint32(), [4e9, null, 1], [4e9, undefined, 1]],
  ['uint64', new Uint64(), [2n ** 63n, null, 1n], [2 ** 63, undefined, 1]],
  ['date in days', new DateDay(), [june - 36e6, null, 0], [(june - 36e6) / 1000, undefined, 0]],
  ['date in milliseconds', new DateMillisecond(), [june, null, 0], [june / 1000, undefined, 0]],
  ['seconds', new TimestampSecond(), [june, null, 0], [june / 1000, undefined, 0]],
  ['milliseconds', new TimestampMillisecond(), [june + 500, null, 0], [june / 1000 + 0.5, undefined, 0]],
  ['microseconds', new TimestampMicrosecond(), [june, null, 0], [june / 1000, undefined, 0]],
  ['nanoseconds', new TimestampNanosecond(), [june, null, 0], [june / 1000, undefined, 0]],
  ['dictionary', new Dictionary(new Utf8(), new Int32()), ['a', 'b', null, 'a'], ['a', 'b', undefined, 'a']],
  ['dictionary, small', new Dictionary(new Utf8(), new Uint8()), ['a', null, 'b'], ['a', undefined, 'b']],
  ['dictionary of numbers', new Dictionary(new Int64(), new Int32()), [5n, null, 6n, 5n], [5, undefined, 6, 5]],
  ['list of text', new List(item(new Utf8())), [['a', 'b'], null, [], ['c', null]], [['a', 'b'], undefined, [], ['c']]],
  ['list of numbers', new List(item(new Float64())), [[1, 2], null, [3]], [[1, 2], undefined, [3]]],
  ['list of booleans', new List(item(new Bool())), [[true], [false, true], null], [[true], [false, true], undefined]],
  [
    'list of fixed size',
    new FixedSizeList(2, item(new Int32())),
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
  ],
  ['list of lists', new List(item(new List(item(new Int32())))), [[[1]], [[2], [3]]], [[], []]],
  ['struct', new Struct([new Field('b', new Int32())]), [{ b: 1 }, null, { b: 2 }], [undefined, undefined, undefined]],
  ['binary', new Binary(), [new Uint8Array([1]), null], [undefined, undefined]],
  ['null', new Null(), [null, null, null], [undefined, undefined, undefined]],
];

describe('a batch from Arrow', () => {
  it.each(KINDS)('has a column of %s', (_, type, values, expected) => {
    expect(readInAllForms(arrow.vectorFromArray(values as never, type))).toEqual([
      expected,
      expected.slice(1),
      expected.slice(1, 2),
      [...expected, ...expected.slice(1)],
    ]);
  });

  it('has the entries of each chunk by the dictionary of that chunk', () => {
    const chunk = (values: readonly (string | null)[]) =>
      arrow.vectorFromArray(values, new Dictionary(new Utf8(), new Int32()));
    const vector = chunk(['a', 'b']).concat(chunk(['c', null, 'a', 'd']));
    expect(new Set(vector.data.map(({ dictionary }) => dictionary)).size).toBe(2);
    expect(readColumn(createBatchFromArrow(createTable(vector)), 'a')).toEqual(['a', 'b', 'c', undefined, 'a', 'd']);
  });

  it('reads decimals and rounds them once', () => {
    const words = [12_345n, -5n, 10n ** 30n].flatMap((whole) => {
      return [0n, 32n, 64n, 96n].map((shift) => Number(BigInt.asUintN(32, whole >> shift)));
    });
    const type = new arrow.Decimal(2, 38);
    const vector = arrow.makeVector(arrow.makeData({ type, length: 3, data: Uint32Array.from(words) }));
    expect(readInAllForms(vector)[0]).toEqual([123.45, -0.05, 1e28]);
    expect(readInAllForms(vector)[2]).toEqual([-0.05]);
  });

  it('reads string views', () => {
    const views = new Uint8Array(32);
    views.set([3, 0, 0, 0, ...Buffer.from('pro')]);
    views.set([14, 0, 0, 0, ...Buffer.from('a lo'), 0, 0, 0, 0, 2, 0, 0, 0], 16);
    const variadicBuffers = [new Uint8Array(Buffer.from('..a longer text'.slice(0, 16)))];
    const vector = arrow.makeVector(arrow.makeData({ type: new arrow.Utf8View(), views, variadicBuffers } as never));
    expect(readInAllForms(vector)[0]).toEqual(['pro', 'a longer text'.slice(0, 14)]);
  });

  it('shares the memory of a column of doubles', () => {
    const numbers = Float64Array.of(1, 2, 3);
    expect(createBatchFromArrow(arrow.tableFromArrays({ a: numbers })).properties.get('a')?.numbers?.buffer).toBe(
      numbers.buffer,
    );
  });

  it('may have no rows and no columns', () => {
    const empty = createTable(arrow.vectorFromArray([], new Utf8()));
    for (const table of [empty, new arrow.Table(), createTable(arrow.vectorFromArray([1])).slice(1)]) {
      expect([...compileBatchWhere('true')(createBatchFromArrow(table))]).toEqual([]);
      expect([...compileBatchOn('properties["a"]')(createBatchFromArrow(table)).counts]).toEqual([]);
    }
  });

  it('has the user of each row', () => {
    const batch = createBatchFromArrow(arrow.tableFromArrays({ a: [1, 2] }), arrow.tableFromArrays({ a: [2, 2] }));
    expect([...compileBatchWhere('properties["a"] == user["a"]')(batch)]).toEqual([1]);
    expect(() => createBatchFromArrow(arrow.tableFromArrays({ a: [1, 2] }), arrow.tableFromArrays({ a: [2] }))).toThrow(
      new RangeError('There are 2 rows but 1 users. Pass one user for each row.'),
    );
  });
});

const shop = [...generateShopEvents(3_000, 5)].map(({ properties }) => properties);

/** Creates columns of one type each, as in a warehouse: null if a record has no value or one of another type. */
function createTypedShop(): { table: arrow.Table; records: Properties[] } {
  const columns: Readonly<Record<string, readonly [string, arrow.DataType]>> = {
    country: ['string', new Dictionary(new Utf8(), new Int32())],
    plan: ['string', new Utf8()],
    referrer: ['string', new Utf8()],
    amount: ['number', new Float64()],
    age: ['number', new Int32()],
    tags: ['object', new List(item(new Utf8()))],
  };
  const records = shop.map((properties) =>
    Object.fromEntries(
      Object.entries(columns)
        .map(([name, [type]]) => [name, typeof properties[name] === type ? properties[name] : null] as const)
        .filter(([, value]) => value !== null),
    ),
  );
  const vectors = Object.entries(columns).map(([name, [, type]]) => {
    return [name, arrow.vectorFromArray(records.map((record) => record[name] ?? null) as never, type)] as const;
  });
  return { table: new arrow.Table(Object.fromEntries(vectors)), records };
}

/** Writes a Parquet file and reads it back in several batches. */
function roundTripParquet(table: arrow.Table): arrow.Table {
  const bytes = writeParquet(ParquetTable.fromIPCStream(arrow.tableToIPC(table, 'stream')));
  return arrow.tableFromIPC(readParquet(bytes, { batchSize: 1024 }).intoIPCStream());
}

describe('filters and segments are the same in a batch', () => {
  const { table, records } = createTypedShop();
  const batches = {
    'from records': createBatchFromRecords(records.map((properties) => ({ properties }))),
    'from Arrow': createBatchFromArrow(table),
    'from several chunks': createBatchFromArrow(
      new arrow.Table([...table.slice(0, 777).batches, ...table.slice(777).batches]),
    ),
    'from Parquet': createBatchFromArrow(roundTripParquet(table)),
  };

  it.each(Object.entries(batches))('%s', (_, batch) => {
    for (const source of [
      'properties["country"] == "US" and properties["plan"] != "pro"',
      'properties["amount"] > 50 or properties["age"] % 2 == 1 and defined(properties["amount"])',
      '"blog" in properties["referrer"] or "sale" in properties["tags"]',
      'not defined(properties["tags"]) and string(properties["age"]) > "5"',
      'properties["missing"] == properties["amount"]',
    ]) {
      const where = compileWhere(source);
      const expected = records.flatMap((properties, row) => (where(properties) ? [row] : []));
      expect([...compileBatchWhere(source)(batch)]).toEqual(expected);
    }
    expect(compileBatchOn('properties["tags"]')(batch).counts).toEqual(
      compileBatchOn('properties["tags"]')(batches['from records']).counts,
    );
  });

  it('from Parquet, which has several chunks', () => {
    expect(roundTripParquet(table).batches.length).toBeGreaterThan(1);
    expect(roundTripParquet(table).schema.fields.map(({ name }) => name)).toEqual(
      Object.keys(table.get(0)?.toJSON() ?? {}),
    );
  });
});
