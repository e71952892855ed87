import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, compileWhere } from '../../../src/api/expressions.ts';
import { translateForeign, translateMixpanel } from '../../../src/lang/foreign/translate.ts';
import type { Properties, Value } from '../../../src/lang/value.ts';
import { runs } from '../../runs.ts';
import { drawRecords, LITERALS, NAMES } from './originals/original.ts';

/** A part of an expression, and its value by the rules of the language. */
interface Part<Result> {
  readonly source: string;
  readonly run: (record: Properties) => Result;
}

const quote = (value: unknown) => JSON.stringify(value);
const property = fc.constantFrom(...NAMES).map((name): Part<Value> => {
  const source = `properties["${name}"]`;
  return { source, run: compile(source) };
});
const literal = fc.constantFrom(...LITERALS).map((value): Part<Value> => ({ source: quote(value), run: () => value }));

/** Compares two values with an operator of the language. */
const COMPARE = Object.fromEntries(
  ['==', '!=', '<', '<=', '>', '>='].map((operator) => [
    operator,
    compile(`properties["left"] ${operator} properties["right"]`),
  ]),
);

const { condition } = fc.letrec<{ value: Part<Value>; condition: Part<boolean> }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    { weight: 3, arbitrary: property },
    { weight: 2, arbitrary: literal },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom('string', 'number', 'boolean'), property, literal)
        .map(([cast, a, b]): Part<Value> => {
          const run = compile(`${cast}(${a.source})`);
          return { source: `${cast}(${a.source}, ${b.source})`, run: (record) => run(record) ?? b.run(record) };
        }),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(tie('condition'), tie('value'), tie('value')).map(
        ([test, a, b]): Part<Value> => ({
          source: `IF(${test.source}, ${a.source}, ${b.source})`,
          run: (record) => (test.run(record) ? a : b).run(record),
        }),
      ),
    },
  ),
  condition: fc.oneof(
    { maxDepth: 3 },
    {
      weight: 4,
      arbitrary: fc.tuple(tie('value'), fc.constantFrom(...Object.keys(COMPARE)), tie('value')).map(
        ([a, name, b]): Part<boolean> => ({
          source: `${a.source} ${name} ${b.source}`,
          run: (record) => COMPARE[name]?.({ left: a.run(record), right: b.run(record) } as Properties) === true,
        }),
      ),
    },
    fc.tuple(tie('value'), fc.constantFrom('p', 'pro', '', '5')).map(
      ([a, prefix]): Part<boolean> => ({
        source: `has_prefix(${a.source}, ${quote(prefix)})`,
        run(record) {
          const value = a.run(record);
          return typeof value === 'string' && value.startsWith(prefix);
        },
      }),
    ),
    fc.tuple(property, fc.constantFrom(...LITERALS, 'free')).chain(([a, element]) =>
      fc
        .constantFrom(
          `X == ${quote(element)}`,
          `X=${quote(element)}`,
          `${quote(element)} == X`,
          `X in [${quote(element)}]`,
        )
        .map(
          (test): Part<boolean> => ({
            source: `any(X, ${a.source}, ${test})`,
            run(record: Properties) {
              const value = a.run(record);
              return Array.isArray(value) && value.includes(element);
            },
          }),
        ),
    ),
    tie('condition').map(
      ({ source, run }): Part<boolean> => ({ source: `not (${source})`, run: (record) => !run(record) }),
    ),
    fc.tuple(tie('condition'), fc.constantFrom('and', 'OR'), tie('condition')).map(
      ([a, name, b]): Part<boolean> => ({
        source: `(${a.source}) ${name} (${b.source})`,
        run: (record) => (name === 'and' ? a.run(record) && b.run(record) : a.run(record) || b.run(record)),
      }),
    ),
    fc.tuple(tie('condition'), tie('condition'), tie('condition')).map(
      ([test, a, b]): Part<boolean> => ({
        source: `if(${test.source}, ${a.source}, ${b.source})`,
        run: (record) => (test.run(record) ? a : b).run(record),
      }),
    ),
  ),
}));

const RECORDS = drawRecords(true) as readonly Properties[];

describe('translateMixpanel', () => {
  it('selects the records that the functions select by their rules', () => {
    let translated = 0;
    const numRuns = runs(3000);
    fc.assert(
      fc.property(condition, ({ source, run }) => {
        const translation = translateMixpanel(source);
        if ('reason' in translation) {
          expect(translation.kind).toBe('size');
          return;
        }
        translated++;
        expect(translation.notes).toEqual([]);
        const found = compileWhere(translation.expression);
        const differing = RECORDS.filter((record) => found(record) !== run(record));
        const shown = { source, ...translation };
        expect({ ...shown, differing: differing.slice(0, 3) }).toEqual({ ...shown, differing: [] });
      }),
      { numRuns },
    );
    expect(translated).toBeGreaterThan(numRuns / 2);
  });

  it.each([
    [
      'has_prefix(properties["$current_url"], "/blog")',
      'properties["$current_url"] >= "/blog" and properties["$current_url"] < "/bloh"',
    ],
    [
      'any(x, user["tags"], x == "a" or x in [1, true])',
      '("a" in user["tags"] or 1 in user["tags"] or true in user["tags"])\nand not user["tags"] >= ""',
    ],
    ['string(properties["id"], "undefined") == "42"', 'string(properties["id"]) == "42"'],
    [
      'string(properties["id"], "undefined") != "42"',
      'defined(string(properties["id"])) and string(properties["id"]) != "42"\nor not defined(string(properties["id"]))',
    ],
    [
      'user["created"] >= datetime(2024, 1, 1) and user["active"] == true',
      'user["created"] >= datetime("2024-01-01") and user["active"] == true',
    ],
    ['properties["t"] < datetime(2024, 2, 29, 12, 30)', 'properties["t"] < datetime("2024-02-29T12:30:00")'],
    ['not not has_prefix(user["a"], "")', 'not not user["a"] >= ""'],
    ['IF(properties["a"] > 1, "x", "y") == "y"', 'not properties["a"] > 1'],
    ['floor(-number(properties["a"], 0) * 2) % 3 == 1 or not defined(user["b"]) and now > 5', undefined],
  ])('translates %s', (source, expression) => {
    const translation = translateForeign(source);
    expect(translation).toMatchObject({ language: 'Mixpanel', notes: [] });
    if (expression !== undefined) expect(translation).toMatchObject({ expression });
  });

  it.each([
    ['has_suffix(properties["$email"], ".org")', 'has_suffix', /how a string ends/],
    ['lower(properties["plan"]) == "pro"', 'lower', /List the spellings/],
    ['any(X, properties["tags"], X > 5)', '>', /tests for elements/],
    ['all(X, properties["tags"], X == 5)', 'all', /Only `any`/],
    [
      'group_properties["company"]["industry"] == "saas"',
      'group_properties["company"]["industry"]',
      /properties\["industry"\]/,
    ],
    ['(behaviors["behavior_269"] > 0)', 'behaviors["behavior_269"]', /user\["behavior_269"\]/],
    ['IF(properties["a"] > 1, "high", "low")', 'IF(properties["a"] > 1, "high", "low")', /Only a comparison/],
    ['IF(properties["a"] > 1, true)', 'IF(properties["a"] > 1, true)', /two values/],
    ['properties["t"] > datetime(2024, 2, 30)', 'datetime(2024, 2, 30)', /that exists/],
    [
      'has_prefix(properties["a"], properties["b"])',
      'has_prefix(properties["a"], properties["b"])',
      /must be a string/,
    ],
    ['regex_match(properties["a"], "b.*")', 'regex_match', /regular expressions/],
  ])('refuses %s at %s', (source, at, reason) => {
    const translation = translateForeign(source);
    if (translation === undefined || !('reason' in translation)) expect.unreachable();
    else {
      expect(translation).toMatchObject({ language: 'Mixpanel', reason: expect.stringMatching(reason) });
      expect(source.slice(translation.span.start, translation.span.end)).toBe(at);
    }
  });

  it.each([
    ['IF(properties["plan"] == "pro", 1, 0) == 1', 'Mixpanel'],
    ['IF([@plan]="pro",TRUE,FALSE)', 'Excel'],
    ['=IF(plan="pro",TRUE,FALSE)', 'Excel'],
  ])('reads %s as %s', (source, language) => {
    expect(translateForeign(source)).toMatchObject({ language });
  });

  it.each(['properties["plan"] = "free"', 'properties["$current_url"] has "/pricing"', 'has_prefix(plan, "pro")'])(
    'leaves %s to the fixes of expressions',
    (source) => {
      expect(translateForeign(source)).toBeUndefined();
    },
  );
});
