import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, compileWhere } from '../../src/api/expressions.ts';
import { repair } from '../../src/api/repair.ts';
import type { Diagnostic, Fix } from '../../src/lang/diagnostic.ts';
import type { Properties } from '../../src/lang/value.ts';
import { codePoint } from '../code-point.ts';
import { MISTAKES } from '../lang/syntax/mistakes.ts';
import { runs } from '../runs.ts';

const where = { use: 'where' } as const;

function applyFix(source: string, { span, text }: Fix): string {
  return source.slice(0, span.start) + text + source.slice(span.end);
}

const countErrors = (diagnostics: readonly Diagnostic[]) =>
  diagnostics.filter(({ severity }) => severity === 'error').length;

describe('a realistic mistake', () => {
  const rows = MISTAKES.map(([source, expected, advice]) => ({ source, expected, advice }));

  it.each(rows.filter(({ advice }) => advice === undefined))('$source is repaired', ({ source, expected }) => {
    expect(repair(source, where).source).toBe(expected);
    expect(check(expected, where).ok).toBe(true);
  });

  it.each(rows.filter(({ advice }) => advice !== undefined))('$source is explained', ({ source, expected, advice }) => {
    const [found, ...more] = repair(source, where).diagnostics;
    expect(found?.code).toBe(expected);
    expect(`${found?.message} ${found?.help}`).toMatch(advice as RegExp);
    expect(more.every(({ code }) => code === expected)).toBe(true);
  });

  it.each(rows)('$source has no fix that adds errors', ({ source }) => {
    const { diagnostics } = check(source, where);
    for (const { fix } of diagnostics) {
      if (fix === undefined) continue;
      const fixed = check(applyFix(source, fix), where).diagnostics;
      expect(countErrors(fixed)).toBeLessThanOrEqual(countErrors(diagnostics));
    }
  });
});

describe('repair', () => {
  it('lists the fixes that turn the source into the repaired one', () => {
    for (const [source] of MISTAKES) {
      const repaired = repair(source, where);
      expect(repaired.fixes.reduce(applyFix, source)).toBe(repaired.source);
      expect(repaired.diagnostics).toEqual(check(repaired.source, where).diagnostics);
    }
  });

  it('does not choose between strings and properties in a list', () => {
    const { source, fixes } = repair('properties["plan"] not in (pro, team)', where);
    expect([source, fixes]).toEqual(['properties["plan"] not in (pro, team)', []]);
  });

  const pieces = fc.constantFrom(
    ...MISTAKES.map(([source]) => source),
    ...' ( ) [ ] , . ? : ! not and or in is null case when then else end like between contains'.split(' '),
    ...["'", '"a"', "'it''s'", '1,000', '7d', 'now', 'plan', 'properties["a"]', '==', '=', '<', '+', '//', '--', '‘'],
  );
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(' ')),
    fc.string(),
  );

  it('never throws, and repairs nothing more the second time', () => {
    fc.assert(
      fc.property(texts, (source) => {
        const repaired = repair(source, where);
        expect(repair(repaired.source, where).source).toBe(repaired.source);
        expect(repaired.fixes.reduce(applyFix, source)).toBe(repaired.source);
        expect(countErrors(repaired.diagnostics)).toBeLessThanOrEqual(countErrors(check(source, where).diagnostics));
      }),
    );
  });

  it('removes no part of a long `select` without its condition', () => {
    const source = `select distinct ${Array.from({ length: 400 }, (_, index) => `c${index}`).join(', ')}`;
    const { fixes } = repair(source, where);
    expect(fixes.filter(({ code }) => code === 'leading-word')).toEqual([]);
  });

  it('joins mistakes by `and` and `or` without changing either', () => {
    // These depend on the rest of the source: a comment ends with its line, and an open string hides what follows it.
    const repairable = MISTAKES.filter((row) => row.length === 2 && !/--|;|\{|where|plan\]/.test(row[0]));
    fc.assert(
      fc.property(fc.constantFrom(...repairable), fc.constantFrom(...repairable), records, (left, right, record) => {
        for (const operator of ['and', 'or']) {
          const joined = repair(`(${left[0]}) ${operator} (${right[0]})`, where);
          expect(countErrors(joined.diagnostics)).toBe(0);
          const expected = compileWhere(`(${left[1]}) ${operator} (${right[1]})`);
          expect(answer(joined.source, record)).toBe(answerOf(expected, record));
        }
      }),
    );
  });
});

const values = fc.constantFrom<unknown>(
  undefined,
  null,
  true,
  false,
  0,
  1,
  10,
  15,
  20,
  21,
  '',
  'a',
  'pro',
  'prp',
  'b pro',
);
const lists = fc.constantFrom<unknown>(['pro', 1], []);
const records = fc
  .record({ a: fc.oneof(values, lists), b: fc.oneof(values, lists) }, { requiredKeys: [] })
  .map((record) => record as Properties);

function answerOf(filter: (properties: Properties) => boolean, record: Properties): unknown {
  try {
    return filter(record);
  } catch (error) {
    return (error as Error).name;
  }
}

function answer(source: string, record: Properties): unknown {
  return answerOf(compileWhere(source), record);
}

describe('a repaired condition selects the records that were meant', () => {
  const operand = fc.constantFrom(
    'properties["a"]',
    'user["x"]',
    'properties["b"]',
    '(properties["a"] + properties["b"])',
    'string(properties["a"])',
    'properties["a"] + 1',
  );
  const literal = fc.constantFrom('"pro"', "'a'", '10', 'true', 'properties["b"]');
  const word = fc.constantFrom('pro', 'a', 'b', 'p');
  /** A condition and its meaning, in the words of the language, for operands x and y and a word w. */
  const KINDS: readonly (readonly [
    mistake: (x: string, y: string, w: string) => string,
    meant: (x: string, y: string, w: string) => string,
  ])[] = [
    [
      (x, y) => `${x} not in [${y.startsWith('p') ? '1' : y}]`,
      (x, y) => `not (${x}) in [${y.startsWith('p') ? '1' : y}]`,
    ],
    [
      (x, y) => `${x} in (1, ${y.startsWith('p') ? '2' : y})`,
      (x, y) => `(${x}) in [1, ${y.startsWith('p') ? '2' : y}]`,
    ],
    [(x, y) => `${x} contains ${y}`, (x, y) => `(${y}) in (${x})`],
    [(x, y) => `${x} not contains ${y}`, (x, y) => `not ((${y}) in (${x}))`],
    [(x, _, w) => `${x} like '%${w}%'`, (x, _, w) => `"${w}" in (${x})`],
    [(x, _, w) => `${x} not like '%${w}%'`, (x, _, w) => `not ("${w}" in (${x}))`],
    [(x, _, w) => `${x} like '${w}'`, (x, _, w) => `(${x}) == "${w}"`],
    [(x, y) => `${x} between ${y} and 20`, (x, y) => `((${x}) >= (${y}) and (${x}) <= 20)`],
    [(x, y) => `${x} not between ${y} and 20`, (x, y) => `((${x}) < (${y}) or (${x}) > 20)`],
    [(x) => `${x} is null`, (x) => `not defined(${x})`],
    [(x) => `${x} is not set`, (x) => `not defined(${x})`],
    [(x) => `${x} is not null`, (x) => `defined(${x})`],
    [(x) => `${x} == null`, (x) => `not defined(${x})`],
    [(x) => `${x} != null`, (x) => `defined(${x})`],
    [(x, y) => `${x} > 1 and < ${y}`, (x, y) => `((${x}) > 1 and (${x}) < (${y}))`],
    [
      (x, y) => `(${x} == 1 ? ${y} == 1 : ${x} > 3)`,
      (x, y) => `(((${x}) == 1 and (${y}) == 1) or (not ((${x}) == 1) and (${x}) > 3))`,
    ],
    [
      (x, y) => `case when ${x} == 1 then ${y} == 1 when ${y} > 1 then true else ${x} > 3 end`,
      (x, y) =>
        `((${x}) == 1 and (${y}) == 1 or (not ((${x}) == 1)) and ((${y}) > 1 or (not ((${y}) > 1)) and (${x}) > 3))`,
    ],
    [(x, y) => `(${x}).includes(${y})`, (x, y) => `(${y}) in (${x})`],
    [(x, y) => `contains(${x}, ${y})`, (x, y) => `(${y}) in (${x})`],
    [(x) => `isnull(${x})`, (x) => `not defined(${x})`],
    [(x, _, w) => `${x} == ("${w}" or -1)`, (x, _, w) => `((${x}) == "${w}" or (${x}) == -1)`],
    [(x) => `${x} = ('pro' || 10 or "a")`, (x) => `((${x}) == "pro" or (${x}) == 10 or (${x}) == "a")`],
    [(x, _, w) => `${x} not in ("${w}", -1)`, (x, _, w) => `not ((${x}) == "${w}" or (${x}) == -1)`],
    [(x) => `${x} > 1,000`, (x) => `(${x}) > 1000`],
    [(x, y) => `${x} equals ${y}`, (x, y) => `(${x}) == (${y})`],
  ];
  const contexts = fc.constantFrom<(condition: string) => string>(
    (condition) => condition,
    (condition) => `${condition} and properties["a"] == 1`,
    (condition) => `properties["b"] == 1 or ${condition}`,
    (condition) => `properties["b"] == 1 and ${condition} and properties["a"] == 1`,
    (condition) => `not ${condition}`,
    (condition) => `!(${condition}) || properties["b"] == 1`,
  );

  it.each(KINDS.map(([mistake, meant]) => ({ mistake, meant, shown: mistake('x', 'y', 'w') })))(
    'for $shown',
    ({ mistake, meant, shown }) => {
      // `x > 1 and < y` is two conditions, so what is around it takes only one of them.
      const isFlat = shown.includes(' and < ');
      fc.assert(
        fc.property(operand, literal, word, contexts, records, (x, y, w, around, record) => {
          const wrap = (text: string) => (isFlat ? `(${text})` : text);
          const repaired = repair(around(wrap(mistake(x, y, w))), where);
          const reference = repair(around(`(${meant(x, y, w)})`), where).source;
          if (countErrors(repaired.diagnostics) > 0)
            throw new Error(`${repaired.source}: ${repaired.diagnostics[0]?.message}`);
          expect(answer(repaired.source, record)).toBe(answer(reference, record));
        }),
        { numRuns: runs(250) },
      );
    },
  );

  it('for a prefix', () => {
    const text = fc.string({ unit: codePoint, minLength: 1, maxLength: 3 }).filter((part) => !/[%_\\]/.test(part));
    fc.assert(
      fc.property(text, fc.string({ unit: codePoint }), fc.boolean(), (prefix, rest, isPrefixed) => {
        const a = isPrefixed ? prefix + rest : rest;
        const source = `properties["a"] starts with ${JSON.stringify(prefix)}`;
        const repaired = repair(source, where);
        if (prefix.endsWith('\u{10ffff}')) expect(repaired.source).toBe(source);
        else expect(compileWhere(repaired.source)({ a })).toBe(a.startsWith(prefix));
      }),
    );
  });
});
