import { inspect, isDeepStrictEqual } from 'node:util';
import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from '../../../src/lang/syntax/parse.ts';
import { print } from '../../../src/lang/syntax/print.ts';
import { expressions, records, timeZones } from '../../arbitraries.ts';
import { ENGINES, type Outcome, outcome } from '../../engines.ts';
import { runs, splitRuns } from '../../runs.ts';
import { type Case, valueFirst } from '../../value-first.ts';

/** The number of random expressions. Each is evaluated on `RECORDS` records, as a value and as a filter. */
const RUNS = runs(3_000);
const RECORDS = 10;

/** The number of pairs of an expression and a record, and how many had each kind of result. */
interface Seen {
  pairs: number;
  values: number;
  errors: number;
  booleans: number;
}

const { interpret: reference, ...others } = ENGINES;

const inputs = fc.array(records, { minLength: RECORDS, maxLength: RECORDS });

describe(`engines agree on ${RUNS} expressions × ${RECORDS} records`, () => {
  it.each<[kind: string, cases: Arbitrary<Case>]>([
    ['independent of the records', fc.record({ tree: expressions(4), records: inputs })],
    ['built around the values of a record', valueFirst(RECORDS)],
  ])(
    '%s',
    (_, cases) => {
      const seen = { pairs: 0, values: 0, errors: 0, booleans: 0 };
      const law = fc.property(cases, timeZones, (drawn, timeZone) => expectAgreement(drawn, timeZone, seen));
      const { seeded, fresh } = splitRuns(RUNS);
      fc.assert(law, seeded);
      // A corpus of only errors or undefined would prove little.
      if (process.env.ONWHERE_RUNS !== undefined) console.log(seen);
      expect(seen.pairs).toBe(seeded.numRuns * RECORDS);
      expect(seen.values / seen.pairs).toBeGreaterThan(0.3);
      expect(seen.errors / seen.pairs).toBeGreaterThan(0.01);
      expect(seen.booleans / seen.pairs).toBeGreaterThan(0.2);
      fc.assert(law, fresh);
    },
    6 * 3_600_000,
  );
});

function expectAgreement({ tree, records: samples }: Case, timeZone: string, seen: Seen): void {
  // Parse again, so that type errors have the spans of a real source.
  const source = print(tree);
  const parsed = parse(source);
  for (const where of [false, true]) {
    const engines = Object.entries(others).map(([name, engine]) => ({
      name,
      run: engine(source, parsed, where, timeZone),
    }));
    const runReference = reference?.(source, parsed, where, timeZone) ?? expect.unreachable();
    for (const input of samples) {
      const expected = outcome(runReference, input);
      for (const { name, run } of engines) {
        const got = outcome(run, input);
        // Calling `expect` for every pair would take most of the time.
        if (!isDeepStrictEqual(got, expected)) {
          expect.fail(`${name} returns ${inspect(got)} instead of ${inspect(expected)} for ${source}`);
        }
      }
      expectCanonical(expected, source);
      if (!where) count(seen, expected);
    }
  }
}

/** Checks that numbers, computed or read, are finite and not negative zero. */
function expectCanonical(result: Outcome, source: string): void {
  const numbers = 'value' in result ? [result.value].flat().filter((value) => typeof value === 'number') : [];
  if (numbers.some((number) => !Number.isFinite(number) || Object.is(number, -0))) {
    expect.fail(`${source} returns ${inspect(result)}`);
  }
}

function count(seen: Seen, result: Outcome): void {
  seen.pairs++;
  if (!('value' in result)) seen.errors++;
  else if (result.value !== undefined) seen.values++;
  if ('value' in result && typeof result.value === 'boolean') seen.booleans++;
}
