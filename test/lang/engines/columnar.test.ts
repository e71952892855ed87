import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Batch,
  compileBatchOn,
  compileBatchWhere,
  compileOn,
  compileWhere,
  createBatchFromRecords,
  ExpressionCheckError,
  ExpressionSyntaxError,
  ExpressionTypeError,
  expression,
  property,
  toSegmentNames,
} from '../../../src/api/index.ts';
import { generateShopEvents } from '../../../src/data/shop-sample.ts';
import { checkTree } from '../../../src/lang/check/check.ts';
import { columnar } from '../../../src/lang/engines/columnar/columnar.ts';
import { type BatchColumn, getValue } from '../../../src/lang/plan/batch-column.ts';
import { parse } from '../../../src/lang/syntax/parse.ts';
import { print } from '../../../src/lang/syntax/print.ts';
import type { Value } from '../../../src/lang/value.ts';
import { expressions, records } from '../../arbitraries.ts';
import { ENGINES, type Input, type Outcome, outcome } from '../../engines.ts';
import { runs } from '../../runs.ts';

const RUNS = runs(1_000);

/** More than two blocks of rows. */
const MAX_ROWS = 9_000;

interface Sample {
  readonly inputs: readonly Input[];
  readonly batch: Batch;
  readonly selection: Uint32Array | undefined;
  readonly now: number;
}

/**
 * Generates batches of random sizes, mostly small, with selections of random rows in any order and with repetitions.
 * The rows are a few random records, so that columns mix all types.
 */
const samples: fc.Arbitrary<Sample> = fc
  .record({
    distinct: fc.array(records, { minLength: 1, maxLength: 12 }),
    size: fc.oneof({ weight: 20, arbitrary: fc.nat(100) }, { weight: 1, arbitrary: fc.nat(MAX_ROWS) }),
    step: fc.integer({ min: 1, max: 11 }),
    selectedRows: fc.option(fc.array(fc.nat(), { maxLength: 200 }), { nil: undefined }),
    now: fc.constantFrom(0, 1, 1735689600),
  })
  .map(({ distinct, size, step, selectedRows, now }) => {
    const inputs = Array.from(
      { length: size },
      (_, row) => distinct[(row * step) % distinct.length] ?? expect.unreachable(),
    );
    const selection = selectedRows && size > 0 ? Uint32Array.from(selectedRows, (row) => row % size) : undefined;
    return { inputs, batch: createBatchFromRecords(inputs), selection, now };
  });

/** Evaluates the records one by one with the interpreter, up to the first error. */
function evaluateRows(source: string, where: boolean, { inputs, selection, now }: Sample): Outcome[] {
  const run = ENGINES.interpret?.(source, parse(source), where) ?? expect.unreachable();
  const known = new Map<Input | undefined, Outcome>();
  const outcomes: Outcome[] = [];
  for (const row of selection ?? inputs.keys()) {
    const input = inputs[row] ?? expect.unreachable();
    const result = known.get(input) ?? outcome(run, { ...input, now });
    known.set(input, result);
    outcomes.push(result);
    if (!('value' in result)) break;
  }
  return outcomes;
}

/** Returns the result of a run over a batch, or the type error that it throws. */
function catchTypeError<Result>(run: () => Result): { value: Result } | Outcome {
  try {
    return { value: run() };
  } catch (error) {
    if (!(error instanceof ExpressionTypeError)) throw error;
    return { operator: error.operator, found: error.found, span: error.span };
  }
}

function readValues(column: BatchColumn, length: number): Value[] {
  return Array.from({ length }, (_, row) => getValue(column, row));
}

describe('random batches', () => {
  it('select the same rows as filtering their records one by one', () => {
    let [errors, kept, dropped] = [0, 0, 0];
    fc.assert(
      fc.property(expressions(3), samples, (tree, sample) => {
        const source = print(tree);
        const select = columnar.toSelection(checkTree(source, parse(source), 'where'));
        const actual = catchTypeError(() => [...select(sample.batch, sample.selection, sample.now)]);
        const expected = evaluateRows(source, true, sample);
        const last = expected.at(-1);
        if (last !== undefined && !('value' in last)) {
          errors++;
          expect(actual).toEqual(last);
        } else {
          const rows = [...(sample.selection ?? sample.inputs.keys())];
          const passing = rows.filter((_, index) => (expected[index] as { value: Value }).value);
          kept += passing.length;
          dropped += rows.length - passing.length;
          expect(actual).toEqual({ value: passing });
        }
      }),
      { numRuns: RUNS },
    );
    // A corpus of only one kind would prove little.
    expect(Math.min(errors, kept, dropped)).toBeGreaterThan(RUNS / 100);
  });

  it('have the same values as their records one by one', () => {
    fc.assert(
      fc.property(expressions(3), samples, (tree, sample) => {
        const source = print(tree);
        const evaluate = columnar.toAnswers(checkTree(source, parse(source), 'value'));
        const length = sample.selection?.length ?? sample.batch.length;
        const actual = catchTypeError(() => readValues(evaluate(sample.batch, sample.selection, sample.now), length));
        const expected = evaluateRows(source, false, sample);
        const last = expected.at(-1);
        expect(actual).toEqual(
          last === undefined || 'value' in last ? { value: expected.map((one) => 'value' in one && one.value) } : last,
        );
      }),
      { numRuns: RUNS },
    );
  });

  it('of different types can follow each other', () => {
    fc.assert(
      fc.property(expressions(3), fc.array(samples, { minLength: 2, maxLength: 3 }), (tree, several) => {
        const source = print(tree);
        const checked = checkTree(source, parse(source), 'where');
        const select = columnar.toSelection(checked);
        for (const { batch, selection, now } of several) {
          const alone = catchTypeError(() => columnar.toSelection(checked)(batch, selection, now));
          expect(catchTypeError(() => select(batch, selection, now))).toEqual(alone);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('have the same segments as their records', () => {
    fc.assert(
      fc.property(samples, fc.constantFrom('mixed', 'tags', 'amount', 'plan', 'paid'), (sample, name) => {
        const source = `properties["${name}"]`;
        const { counts, answers, codes } = compileBatchOn(source)(sample.batch, sample.selection);
        const rows = [...(sample.selection ?? sample.inputs.keys())];
        const getNames = compileOn(source);
        const names = rows.map((row) => getNames(sample.inputs[row]?.properties ?? {}));
        const expected = new Map<string, number>();
        for (const segment of names.flat()) expected.set(segment, (expected.get(segment) ?? 0) + 1);
        expect([...counts]).toEqual([...expected]);
        expect([...codes].map((code) => toSegmentNames(answers[code]))).toEqual(names);
        expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(answers.length);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('comparisons with constants', () => {
  const numbers = fc.constantFrom(
    0,
    1,
    -1,
    2.5,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    5e-324,
    -5e-324,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
  );
  const scalars = fc.oneof({ weight: 5, arbitrary: numbers }, fc.constantFrom('', 'x', '5', true, false));
  type Comparison = (operand: string) => string;
  const ranges: fc.Arbitrary<Comparison> = fc.tuple(fc.constantFrom('<', '<=', '>', '>='), numbers).map(
    ([order, limit]) =>
      (operand) =>
        `${operand} ${order} ${limit}`,
  );
  const sets: fc.Arbitrary<Comparison> = fc
    .array(scalars, { maxLength: 12 })
    .map((items) => (operand) => `${operand} in ${JSON.stringify(items)}`);
  const equalities: fc.Arbitrary<Comparison> = fc
    .tuple(
      fc.constantFrom(['==', 'or'], ['!=', 'and']),
      fc.array(fc.oneof(scalars.map(JSON.stringify), fc.constant('properties["missing"]')), {
        minLength: 1,
        maxLength: 12,
      }),
    )
    .map(([[operator, word], sides]) => (operand) => {
      return sides.map((side) => `${operand} ${operator} ${side}`).join(` ${word} `);
    });
  const operands = fc.constantFrom(
    'properties["a"]',
    '(properties["a"] - properties["b"])',
    '(properties["a"] + properties["a"])',
  );
  const sources = fc
    .tuple(fc.oneof(ranges, sets, equalities), operands)
    .map(([comparison, operand]) => comparison(operand));
  /** Columns of only numbers, and of mixed values. */
  const columns = fc.oneof(
    fc.array(fc.option(numbers, { nil: undefined }), { maxLength: 100 }),
    fc.array(fc.oneof(scalars, fc.constantFrom(undefined, null, ['x', 5])), { maxLength: 100 }),
  );

  it('agree with the interpreter as filters and as values', () => {
    fc.assert(
      fc.property(sources, columns, (source, values) => {
        const inputs = values.map((a, row) => ({ properties: { a, b: row % 3 } }));
        const sample = { inputs, batch: createBatchFromRecords(inputs), selection: undefined, now: 0 };
        const expected = evaluateRows(source, false, sample).map((one) => 'value' in one && one.value);
        const evaluate = columnar.toAnswers(checkTree(source, parse(source), 'value'));
        expect(readValues(evaluate(sample.batch, undefined, 0), inputs.length)).toEqual(expected);
        const passing = expected.flatMap((value, row) => (value === true ? [row] : []));
        expect([...compileBatchWhere(source)(sample.batch)]).toEqual(passing);
      }),
      { numRuns: RUNS },
    );
  });
});

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
  const letters = ['a', 'b', 'c', 'é', '\u{1f600}'];
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
