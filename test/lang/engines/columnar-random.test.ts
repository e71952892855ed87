import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Batch,
  compileBatchOn,
  compileBatchWhere,
  compileOn,
  createBatchFromRecords,
  toSegmentNames,
} from '../../../src/api/index.ts';
import { checkTree } from '../../../src/lang/check/check.ts';
import { columnar } from '../../../src/lang/engines/columnar/columnar.ts';
import { parse } from '../../../src/lang/syntax/parse.ts';
import { print } from '../../../src/lang/syntax/print.ts';
import type { Value } from '../../../src/lang/value.ts';
import { expressions, records } from '../../arbitraries.ts';
import { ENGINES, type Input, type Outcome, outcome } from '../../engines.ts';
import { runs, splitRuns } from '../../runs.ts';
import { catchTypeError, readValues } from './batch-results.ts';

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

describe('random batches', () => {
  it('select the same rows as filtering their records one by one', () => {
    let [errors, kept, dropped] = [0, 0, 0];
    const law = fc.property(expressions(3), samples, (tree, sample) => {
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
    });
    const { seeded, fresh } = splitRuns(RUNS);
    fc.assert(law, seeded);
    // A corpus of only one kind would prove little.
    expect(Math.min(errors, kept, dropped)).toBeGreaterThan(seeded.numRuns / 100);
    fc.assert(law, fresh);
  });

  it('have the same values as their records one by one', () => {
    fc.assert(
      fc.property(expressions(3), samples, (tree, sample) => {
        const source = print(tree);
        const evaluate = columnar.toColumn(checkTree(source, parse(source), 'value'));
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
        const evaluate = columnar.toColumn(checkTree(source, parse(source), 'value'));
        expect(readValues(evaluate(sample.batch, undefined, 0), inputs.length)).toEqual(expected);
        const passing = expected.flatMap((value, row) => (value === true ? [row] : []));
        expect([...compileBatchWhere(source)(sample.batch)]).toEqual(passing);
      }),
      { numRuns: RUNS },
    );
  });
});
