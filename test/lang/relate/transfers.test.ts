import { readFileSync } from 'node:fs';
import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Overload, StrictRow } from '../../../src/lang/operators/row.ts';
import { OPERATORS } from '../../../src/lang/operators/table.ts';
import { parseDateTime } from '../../../src/lang/operators/time.ts';
import type { Apply, Plan } from '../../../src/lang/plan/plan.ts';
import { planEquality } from '../../../src/lang/relate/equality.ts';
import { TRANSFERS } from '../../../src/lang/relate/transfers.ts';
import {
  ANY_STRING,
  HAS_FALSE,
  HAS_TRUE,
  type TextFacts,
  toLists,
  toNumbers,
  toText,
  toTruth,
  toValueSet,
  type ValueSet,
} from '../../../src/lang/relate/value-set.ts';
import { getTypeNames, UNDEFINED } from '../../../src/lang/types.ts';
import {
  compareStrings,
  formatDecimal,
  getType,
  isEqual,
  parseDecimal,
  type Scalar,
  type Value,
} from '../../../src/lang/value.ts';
import { TRICKY_VALUES, valuesOf } from '../../arbitraries.ts';
import { runs } from '../../runs.ts';

const nothing: Plan = { kind: 'constant', value: undefined, types: UNDEFINED };
const EQUALITIES = (['on', 'number'] as const).map((use) => planEquality(nothing, nothing, use) as Apply);

const OVERLOADS = [...OPERATORS, ...EQUALITIES.map(({ row }) => row)].flatMap((row) =>
  'overloads' in row
    ? (row as StrictRow<keyof typeof TRANSFERS>).overloads.map((overload) => [overload.id, overload] as const)
    : [],
);

const tricky = fc.constantFrom(...TRICKY_VALUES);
/** Often the same numbers, so that ranges touch. */
const number = fc.oneof(fc.constantFrom(-1, 0, 1, 2), valuesOf.number as Arbitrary<number>);
/** Often parts of each other. */
const string = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', 'a', 'b', 'ab', 'aba') },
  valuesOf.string as Arbitrary<string>,
  number.map(formatDecimal),
  fc.integer({ min: -1e9, max: 4e9 }).map((time) => new Date(time * 1000).toISOString()),
);

/** Draws sets of values that have a value. */
function setsWith(value: Value): Arbitrary<ValueSet> {
  const one = fc.constant(toValueSet(value));
  if (typeof value === 'number')
    return fc.oneof(
      one,
      fc.tuple(number, number).map((others) => toNumbers(Math.min(value, ...others), Math.max(value, ...others))),
    );
  if (typeof value === 'boolean') return fc.oneof(one, fc.constant(toTruth(undefined)));
  if (typeof value === 'string') return fc.oneof(one, fc.constant(ANY_STRING), digitsWith(value), classesWith(value));
  if (!Array.isArray(value)) return one;
  const list = value as readonly Scalar[];
  const elements = fc.array(fc.oneof(tricky, fc.constantFrom<Value>('x', ...list)), { maxLength: 4 });
  return fc.oneof(
    one,
    elements.map((tested) => {
      const scalars = tested.filter((element): element is Scalar => !Array.isArray(element) && element !== undefined);
      return toLists({ kind: 'elements', elements: new Map(scalars.map((scalar) => [scalar, list.includes(scalar)])) });
    }),
  );
}

function digitsWith(value: string): Arbitrary<ValueSet> {
  const parsed = parseDecimal(value);
  if (parsed === undefined || formatDecimal(parsed) !== value) return fc.constant(toValueSet(value));
  return number.map((other) => toText({ kind: 'digits', low: Math.min(parsed, other), high: Math.max(parsed, other) }));
}

function classesWith(value: string): Arbitrary<ValueSet> {
  const [decimal, time] = [parseDecimal(value), parseDateTime(value)];
  const read = decimal ?? time;
  const form = decimal !== undefined ? 'decimal' : time !== undefined ? 'date' : 'plain';
  const strings = fc.array(fc.oneof(string, fc.constantFrom(`${value}a`, value.slice(1), value.slice(0, 1))), {
    maxLength: 8,
  });
  return fc
    .record({
      excluded: strings,
      bounds: strings,
      parts: strings,
      others: fc.tuple(number, number),
      isAny: fc.boolean(),
    })
    .map((drawn) =>
      toText({
        kind: 'class',
        excluded: new Set(drawn.excluded.filter((other) => other !== value)),
        low: drawn.bounds.find((bound) => compareStrings(bound, value) < 0),
        high: drawn.bounds.find((bound) => compareStrings(bound, value) > 0),
        parts: new Map(drawn.parts.map((part) => [part, value.includes(part)])),
        form: drawn.isAny ? 'any' : form,
        from: Math.min(read ?? 0, ...drawn.others),
        to: Math.max(read ?? 0, ...drawn.others),
      }),
    );
}

/** Returns whether a set has a value. */
function hasValue(set: ValueSet, value: Value): boolean {
  if ((set.types & getType(value)) === 0) return false;
  if (typeof value === 'number') return value >= set.low && value <= set.high;
  if (typeof value === 'boolean') return (set.truths & (value ? HAS_TRUE : HAS_FALSE)) !== 0;
  if (typeof value === 'string') return hasString(set.text, value);
  return !Array.isArray(value) || set.list?.kind !== 'one' || isEqual(set.list.value, value);
}

function hasString(text: TextFacts | undefined, string: string): boolean {
  if (text?.kind === 'one') return text.value === string;
  if (text?.kind === 'digits') {
    const value = parseDecimal(string) ?? Number.NaN;
    return value >= text.low && value <= text.high;
  }
  return text === undefined || !text.excluded.has(string);
}

describe('the transfer of each overload', () => {
  it.each(OVERLOADS)('%s has every result for operands from its sets', (id, overload: Overload) => {
    const operands = overload.operands.map((types) => {
      const drawn = fc.oneof(
        ...getTypeNames(types).map((name) => ({ ...valuesOf, string, number })[name] as Arbitrary<Value>),
      );
      return drawn.chain((value) => setsWith(value).map((set) => ({ value, set })));
    });
    const law = fc.property(fc.tuple(...operands), ([left, right]) => {
      if (left === undefined) return;
      const values = right === undefined ? [left.value] : [left.value, right.value];
      const result = (overload.evaluate as (...values: readonly Value[]) => Value)(...values);
      const transferred = TRANSFERS[id](left.set, (right ?? left).set);
      if (!hasValue(transferred, result)) expect.fail(`${JSON.stringify(values)}: ${String(result)} is missing`);
    });
    fc.assert(law, { numRuns: runs(10_000) });
  });
});

it('the guide proves each transfer', () => {
  const guide = readFileSync(new URL('../../../docs/guide/relations.md', import.meta.url), 'utf8');
  const proved = Array.from(guide.matchAll(/^\| `([^`]+)` \| [^|]+ \| [^|]+ \|$/gm), ([, id]) => id);
  expect(proved).toEqual(expect.arrayContaining(OVERLOADS.map(([id]) => id)));
});

it.each([
  ['equal', undefined, undefined],
  ['less.number', undefined, false],
  ['atMost.number', true, undefined],
  ['greater.number', false, undefined],
  ['atLeast.number', undefined, true],
] as const)('%s of ranges that touch', (id, ofLower, ofUpper) => {
  const [lower, upper] = [toNumbers(0, 1), toNumbers(1, 2)];
  expect([TRANSFERS[id](lower, upper), TRANSFERS[id](upper, lower)]).toEqual([toTruth(ofLower), toTruth(ofUpper)]);
});
