import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileWhere } from '../../../src/api/expressions.ts';
import { translateForeign, translateJavaScript } from '../../../src/lang/foreign/translate.ts';
import { describeLooseness, describeNull, LISTS_NOTE } from '../../../src/lang/foreign/values.ts';
import { runs } from '../../runs.ts';
import { dropParentheses } from './parentheses.ts';
import { hasOneTypePerComparison } from './script-types.ts';

type Fields = Readonly<Record<string, unknown>>;

const VALUES = {
  plan: ['', 'pro', 'Pro', 'free', 'promo', 'true', "it's", '\u{1f600}'],
  country: ['DE', 'pro', 'free', 'D'],
  amount: [0, 1, -1, 0.5, 2, 3, 5, 6, 100, -7.25, 1e21],
  score: [0, 1, 2, -3, 10],
  active: [true, false],
  is_trial: [true, false],
} as const;
const NAMES = Object.keys(VALUES);
const RECORDS: readonly Fields[] = fc
  .sample(
    fc.record(
      Object.fromEntries(NAMES.map((name) => [name, fc.constantFrom(...VALUES[name as keyof typeof VALUES])])),
      {
        requiredKeys: [],
      },
    ),
    { numRuns: 150, seed: 5 },
  )
  .concat([{}, ...NAMES.flatMap((name) => VALUES[name as keyof typeof VALUES].map((value) => ({ [name]: value })))]);

const join = (...parts: readonly (string | Arbitrary<string>)[]) =>
  fc.tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part))).map((all) => all.join(''));
const quote = (text: string) => JSON.stringify(text);

const { condition } = fc.letrec<{ condition: string; number: string; string: string; any: string }>((tie) => {
  const inner = (name: 'condition' | 'number' | 'string' | 'any') => join('(', tie(name), ')');
  const equality = fc.constantFrom(' == ', ' != ', ' === ', ' !== ');
  const order = fc.constantFrom(' < ', ' <= ', ' > ', ' >= ');
  return {
    number: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom('amount', 'score', '0', '1', '5', '0.5'),
      join(inner('number'), fc.constantFrom(' + ', ' - ', ' * '), inner('number')),
      join(inner('number'), fc.constantFrom(' / ', ' % '), fc.constantFrom('2', '3')),
      join('-', inner('number')),
      join(inner('number'), ' ?? ', inner('number')),
      join(inner('condition'), ' ? ', inner('number'), ' : ', inner('number')),
    ),
    string: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom('plan', 'country'),
      fc.constantFrom(...VALUES.plan, ...VALUES.country).map(quote),
      join(inner('string'), ' ?? ', inner('string')),
      join(inner('condition'), ' ? ', inner('string'), ' : ', inner('string')),
    ),
    any: fc.oneof(
      tie('number'),
      tie('string'),
      tie('condition'),
      fc.constantFrom('active', 'true', 'false', 'null', 'undefined'),
    ),
    condition: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom('active', 'is_trial', 'amount', 'plan', 'true'),
      join(inner('number'), fc.oneof(equality, order), inner('number')),
      join(inner('string'), equality, inner('string')),
      join(fc.constantFrom('active', 'is_trial', 'amount'), equality, fc.constantFrom('true', 'false', '0', '1')),
      join(fc.constantFrom(...NAMES), fc.constantFrom(' == ', ' != '), fc.constantFrom('null', 'undefined')),
      join(inner('string'), fc.constantFrom('.includes("r")', '?.startsWith("p")', '?.includes("")')),
      join('["pro", "free"].includes', inner('string')),
      join('!', inner('any')),
      join(inner('any'), fc.constantFrom(' && ', ' || ', ' ?? '), inner('any')),
      join(inner('any'), fc.constantFrom(' && ', ' || '), inner('any'), fc.constantFrom(' && ', ' || '), inner('any')),
      join(inner('any'), ' ? ', inner('any'), ' : ', inner('any')),
    ),
  };
});

/** Returns what a filter selects. A method of a missing value throws, which is no answer. */
function readScript(source: string): (record: Fields) => boolean | undefined {
  const run = new Function(...NAMES, `return ${source}`);
  return (record) => {
    try {
      return Boolean(run(...NAMES.map((name) => record[name])));
    } catch {
      return undefined;
    }
  };
}

/** Notes that say nothing about values of one type that are not null. */
const OF_MIXED_TYPES = [describeLooseness('JavaScript'), describeNull('JavaScript'), LISTS_NOTE];

describe('a translation of JavaScript without other notes', () => {
  it('selects the records that JavaScript selects, with some of the parentheses', () => {
    let [all, certain] = [0, 0];
    fc.assert(
      fc.property(condition.chain(dropParentheses), (source) => {
        // The values of a property have one type.
        if (!hasOneTypePerComparison(source)) return;
        all++;
        let selects: ReturnType<typeof readScript>;
        try {
          selects = readScript(source);
        } catch {
          // `a ?? b || c` and `-a ** b` are no JavaScript.
          return;
        }
        const translation = translateJavaScript(source);
        if ('reason' in translation || translation.notes.some((note) => !OF_MIXED_TYPES.includes(note))) return;
        certain++;
        const found = compileWhere(translation.expression);
        const differing = RECORDS.filter((record) => found(record) !== (selects(record) ?? found(record)));
        expect({ source, ...translation, differing: differing.slice(0, 3) }).toEqual({
          source,
          ...translation,
          differing: [],
        });
      }),
      { numRuns: runs(8000) },
    );
    expect(certain).toBeGreaterThan(all * 0.2);
  });

  it.each([
    ['amount ?? 0 > 5', 'defined(properties["amount"]) and not properties["amount"] in [false, 0, ""]'],
    ['amount === 5 ?? true', 'properties["amount"] == 5'],
  ])('of %s is %s', (source, start) => {
    const translation = translateForeign(source);
    expect(translation).toMatchObject({ notes: [] });
    expect(translation).toHaveProperty('expression', expect.stringContaining(start));
  });

  it.each([
    ['active == 1', '1 is compared as a number. Write true instead if the property is a boolean.'],
    ['score != false', 'false is compared as a boolean. Write 0 instead if the property is a number.'],
    ['plan + country === region', '`+` is read as the sum of two numbers.'],
    ['amount == 5', describeLooseness('JavaScript')],
    ['(amount ?? 0) > 5', describeLooseness('JavaScript')],
    ['-amount === 5', describeLooseness('JavaScript')],
    ['plan === null', describeNull('JavaScript')],
    ['plan === country', LISTS_NOTE],
  ])('is none of %s', (source, note) => {
    expect(translateJavaScript(source)).toHaveProperty('notes', expect.arrayContaining([note]));
  });

  it.each([
    ['010 == amount', 'type', '010'],
    ['a ?? b || c', 'syntax', 'b || c'],
    ['(a && b) ?? c', 'operator', '(a && b)'],
    ['"pro" in plan', 'operator', 'in'],
    ['undefined === null', 'null', 'undefined === null'],
    ['(active ? null : plan) !== undefined', 'null', '(active ? null : plan) !== undefined'],
  ])('is refused for %s as %s', (source, kind, at) => {
    const translation = translateJavaScript(source);
    const refusal = 'reason' in translation ? translation : expect.unreachable();
    expect([refusal.kind, source.slice(refusal.span.start, refusal.span.end)]).toEqual([kind, at]);
  });
});
