import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compileBatchOn,
  compileBatchWhere,
  compileWhere,
  createBatchFromRecords,
  ExpressionCheckError,
  ExpressionSyntaxError,
  ExpressionTypeError,
  expression,
  property,
} from '../../../src/api/index.ts';
import { generateShopEvents } from '../../../src/data/shop-sample.ts';
import { catchTypeError, readValues } from './batch-results.ts';

const shop = [...generateShopEvents(10_000, 3)];
const shopBatch = createBatchFromRecords(shop);

describe('many rows', () => {
  it.each([
    'properties["country"] == "US"',
    'properties["amount"] > 100 and properties["plan"] == "pro"',
    'properties["country"] in ["US", "DE"] and not properties["amount"] > 20 or "blog" in properties["referrer"]',
    '"ref=9" in properties["referrer"]',
    '"" in properties["referrer"] and properties["amount"] != 12',
    'floor(properties["amount"] / 10) % 2 == 0 or round(properties["age"] / 7) == 5 and -properties["age"] < -30',
    'properties["amount"] in [20, 30, 45.5] or properties["age"] in [18, "x"]',
    'properties["amount"] == properties["age"] or properties["missing"] == properties["absent"]',
    'properties["amount"] * 2 - properties["age"] > ceil(properties["age"] / 3) + 1',
    'properties["amount"] / 0 > 1 or properties["amount"] % 0 < 5 or properties["amount"] / properties["age"] > 1',
    'properties["amount"] * 1e308 > 1 or properties["amount"] * 1e308 + 1e308 > 1 or -1e308 - properties["amount"] * 1e308 < 1',
    'datetime(properties["time"]) > datetime("2025-06-20") and properties["time"] < now',
    'properties["country"] + properties["plan"] == "USpro"',
    '"sale" in properties["tags"] and user["plan"] != "pro"',
    'not (properties["country"] == "US" or properties["plan"] == "pro") and defined(properties["amount"])',
    'true',
    '1 > 2 or 2 > 3',
  ])('are filtered like their records: %s', (source) => {
    const where = compileWhere(source, { now: 1750000000 });
    const expected = shop.flatMap(({ properties }, row) => (where(properties) ? [row] : []));
    expect([...compileBatchWhere(source, { now: 1750000000 })(shopBatch)]).toEqual(expected);
  });

  it.each(['+ properties["a"]', '- -1e308', '* 2', '/ 0.1'])('treat overflow as undefined: %s', (rest) => {
    const source = `not properties["a"] ${rest} > 0`;
    const records = [1e308, -1e308, 1.5e308, 1].map((a) => ({ properties: { a } }));
    const expected = records.flatMap(({ properties }, row) => (compileWhere(source)(properties) ? [row] : []));
    expect([...compileBatchWhere(source)(createBatchFromRecords(records))]).toEqual(expected);
  });

  it('can be filtered again with the result as selection', () => {
    const [first, second] = ['properties["country"] == "US"', 'properties["amount"] > 50'];
    const both = compileBatchWhere(`${first} and ${second}`)(shopBatch);
    expect(compileBatchWhere(second)(shopBatch, compileBatchWhere(first)(shopBatch))).toEqual(both);
  });

  it('are segmented only if they are selected', () => {
    const selection = compileBatchWhere('properties["plan"] == "pro"')(shopBatch);
    const { counts } = compileBatchOn('properties["plan"]')(shopBatch, selection);
    expect([...counts]).toEqual([['pro', selection.length]]);
  });
});

it('counts 0 and negative zero as one segment', () => {
  const batch = createBatchFromRecords([-1, 1, 0, -2].map((a) => ({ properties: { a } })));
  const { counts, answers } = compileBatchOn('properties["a"] * 0')(batch);
  expect([[...counts], answers]).toStrictEqual([[['0', 4]], [0]]);
});

describe('many different strings', () => {
  const letters = ['a', 'b', 'c', 'é', '\u{1f600}', '/', '?'];
  const parts = fc.string({ unit: fc.constantFrom(...letters), maxLength: 4 });
  const strings = fc.string({ unit: fc.constantFrom(...letters, '\ud83d'), maxLength: 12 });

  it('are found by any substring', () => {
    fc.assert(
      fc.property(fc.array(strings, { minLength: 20, maxLength: 20 }), parts, (some, part) => {
        const numbered = Array.from({ length: 1_500 }, (_, row) => `${some[row % 20]}${row}`);
        const values = [...numbered, ...some, [part], 5, null];
        const batch = createBatchFromRecords(values.map((text) => ({ properties: { text } })));
        const source = expression`${part} in ${property('text')}`;
        const where = compileWhere(source);
        const expected = values.flatMap((text, row) => (where({ text }) ? [row] : []));
        expect([...compileBatchWhere(source)(batch)]).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  it('are found by what their heads or tails have, or both', () => {
    const values = Array.from({ length: 2_000 }, (_, row) => `https://a.example/${row % 7}?id=${row}`);
    const mixed = [...values, ['https://a.example/'], 'no separator', null, 7];
    const batch = createBatchFromRecords(mixed.map((url) => ({ properties: { url } })));
    expect(batch.properties.get('url')?.heads?.dictionary).toHaveLength(8);
    for (const part of ['example', '/3?', '=12', 'd=19', 'https://a.example/', '?id=1999', '?id=', '99', '/12', '']) {
      const source = expression`${part} in ${property('url')}`;
      const expected = mixed.flatMap((url, row) => (compileWhere(source)({ url }) ? [row] : []));
      expect([...compileBatchWhere(source)(batch)], part).toEqual(expected);
    }
  });

  it('are unchanged, however long they are', () => {
    const values = Array.from({ length: 1_200 }, (_, row) => (row % 3 === 0 ? row : `${row} ${'long '.repeat(row)}`));
    const batch = createBatchFromRecords(values.map((text) => ({ properties: { text } })));
    const column = batch.properties.get('text') ?? expect.unreachable();
    expect(readValues(column, values.length)).toEqual(values);
  });
});

describe('a type error', () => {
  const createMixedBatch = (rows: number, wrong: ReadonlyMap<number, unknown>) =>
    createBatchFromRecords(
      Array.from({ length: rows }, (_, row) => ({ properties: { a: row % 2 === 0, b: wrong.get(row) ?? row > 5 } })),
    );

  it('is that of the first row with one, regardless of the order of operands', () => {
    const batch = createMixedBatch(
      9_000,
      new Map<number, unknown>([
        [8_001, 5],
        [8_000, 'text'],
        [8_002, null],
      ]),
    );
    for (const source of ['properties["a"] and properties["b"]', 'properties["b"] or properties["a"]']) {
      const run = () => compileBatchWhere(source)(batch);
      expect(run).toThrow(ExpressionTypeError);
      expect(run).toThrow(/found a string|a string/);
    }
  });

  it('is that of the first row with one, even if an earlier operand fails in a later row', () => {
    const a = new Map<number, unknown>([[7, 5]]);
    const b = new Map<number, unknown>([[3, 'text']]);
    const records = Array.from({ length: 10 }, (_, row) => ({
      properties: { a: a.get(row) ?? true, b: b.get(row) ?? true },
    }));
    const source = 'properties["a"] and properties["b"]';
    for (const compileBatch of [compileBatchWhere, compileBatchOn]) {
      const run = () => compileBatch(source)(createBatchFromRecords(records));
      expect(catchTypeError(run)).toMatchObject({ operator: 'and', found: 'string', span: { start: 20 } });
    }
  });

  it('is raised even if other operands decide the result', () => {
    const batch = createMixedBatch(10, new Map([[7, 5]]));
    expect(() => compileBatchWhere('1 > 2 and properties["b"]')(batch)).toThrow(ExpressionTypeError);
    expect(() => compileBatchWhere('properties["a"] or (properties["a"] and properties["b"])')(batch)).toThrow(
      ExpressionTypeError,
    );
  });

  it('is not raised for a row outside the selection', () => {
    const batch = createMixedBatch(10, new Map([[7, 5]]));
    const where = compileBatchWhere('properties["a"] and properties["b"]');
    expect([...where(batch, Uint32Array.of(8, 6, 5))]).toEqual([8, 6]);
    expect([...compileBatchOn('properties["a"] and properties["b"]')(batch, Uint32Array.of(8, 5)).counts]).toEqual([
      ['true', 1],
      ['false', 1],
    ]);
  });

  it('is not raised without rows', () => {
    const batch = createBatchFromRecords([]);
    expect([...compileBatchWhere('properties["a"] + 1')(batch)]).toEqual([]);
    expect([...compileBatchOn('properties["a"] and 1 > 2')(batch).counts]).toEqual([]);
  });
});

describe('a batch from records', () => {
  it('includes only the given properties', () => {
    const where = compileBatchWhere('properties["a"] == 1 and user["b"] == 2');
    const batch = createBatchFromRecords([{ properties: { a: 1, c: 3 }, user: { b: 2, d: 4 } }], where.properties);
    expect([...batch.properties.keys(), ...batch.user.keys()]).toEqual(['a', 'b']);
    expect([...where(batch)]).toEqual([0]);
  });

  it('reads properties as expressions do', () => {
    const hidden = Object.defineProperty({}, 'a', { value: 1, enumerable: false });
    const throwing = new Proxy({}, { ownKeys: () => expect.unreachable('a trap that throws') });
    const own = JSON.parse('{"__proto__": 1, "a": 1}');
    const strange = [hidden, throwing, own, Object.create({ a: 1 }), null, 5, { a: Number.NaN }, { a: [{}, 1] }];
    const batch = createBatchFromRecords(strange.map((properties) => ({ properties })) as never);
    expect([...compileBatchWhere('properties["a"] == 1')(batch)]).toEqual([0, 2]);
    expect([...compileBatchWhere('properties["__proto__"] == 1')(batch)]).toEqual([2]);
    expect([...compileBatchWhere('1 in properties["a"]')(batch)]).toEqual([7]);
    const named = createBatchFromRecords([{ properties: JSON.parse('{"__proto__": "a", "b": "c"}') }]);
    expect([...compileBatchWhere('string(properties["__proto__"]) == "a"')(named)]).toEqual([0]);
    expect([...compileBatchWhere('properties["__proto__"] + properties["b"] == "ac"')(named)]).toEqual([0]);
  });
});

describe('compiled batch functions', () => {
  it('have a source, types, properties and diagnostics', () => {
    const where = compileBatchWhere('properties["paln"] == 5', {
      schema: { properties: { plan: { types: ['string'] } } },
    });
    expect(where.source).toBe('properties["paln"] == 5');
    expect(where.types).toEqual(['boolean']);
    expect(where.properties).toEqual([{ scope: 'properties', name: 'paln' }]);
    expect(where.diagnostics.map(({ code }) => code)).toEqual(['unknown-property']);
    expect(compileBatchOn('properties["a"] + 1').types).toEqual(['number', 'undefined']);
  });

  it('throw the same errors as other compiled functions', () => {
    expect(() => compileBatchWhere('properties["a"')).toThrow(ExpressionSyntaxError);
    expect(() => compileBatchWhere('5')).toThrow(ExpressionCheckError);
    expect(() => compileBatchOn('1 + 1', { limits: { depth: 0 } })).toThrow(ExpressionSyntaxError);
  });

  it('read the clock once per run, unless it is fixed', () => {
    let calls = 0;
    const now = () => ++calls;
    const batch = createBatchFromRecords([{ properties: {} }, { properties: {} }]);
    expect([...compileBatchOn('now', { now })(batch).counts]).toEqual([['1', 2]]);
    expect([...compileBatchOn('now', { now: 7 })(batch).counts]).toEqual([['7', 2]]);
  });

  it('refuse a selection with rows that the batch does not have', () => {
    const [batch, selection] = [createBatchFromRecords([{ properties: { a: 1 } }]), Uint32Array.of(0, 1)];
    const beyond = new RangeError('The selection has row 1, but the batch only 1 rows');
    for (const source of ['true', 'properties["a"] == 1']) {
      expect(() => compileBatchWhere(source)(batch, selection)).toThrow(beyond);
    }
    for (const source of ['true', 'properties["a"]', 'properties["b"]', 'properties["a"] + 1']) {
      expect(() => compileBatchOn(source)(batch, selection)).toThrow(beyond);
    }
  });
});
