import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { format } from '../../../src/api/expressions.ts';
import type { Expression } from '../../../src/lang/ast.ts';
import { parse } from '../../../src/lang/syntax/parse.ts';
import { print } from '../../../src/lang/syntax/print.ts';
import { binary, expressions, literal, logical, membership, prefix, sources } from '../../arbitraries.ts';
import { runs } from '../../runs.ts';

const WIDTH = 80;

/** Returns a tree without its spans, to compare it. */
function shape(tree: Expression): unknown {
  return JSON.parse(JSON.stringify(tree, (key, value) => (key === 'span' ? undefined : value)));
}

describe('a printed tree', () => {
  it('parses to the same tree', () => {
    fc.assert(
      fc.property(expressions(5), (tree) => {
        expect(shape(parse(print(tree)))).toEqual(shape(tree));
      }),
      { numRuns: runs(3_000) },
    );
  });

  it('does not change when it is formatted again', () => {
    fc.assert(
      fc.property(expressions(5), (tree) => {
        const text = print(tree);
        expect(format(text)).toBe(text);
      }),
      { numRuns: runs(1_500) },
    );
  });
});

describe('other spellings of an expression', () => {
  it('parse to the same tree', () => {
    fc.assert(
      fc.property(sources, ({ tree, source }) => {
        expect(shape(parse(source)), source).toEqual(shape(tree));
      }),
      { numRuns: runs(3_000) },
    );
  });

  it('are formatted to the same canonical source', () => {
    fc.assert(
      fc.property(sources, ({ tree, source }) => {
        expect(format(source), source).toBe(print(tree));
      }),
      { numRuns: runs(1_500) },
    );
  });
});

/** Expands single letters to properties, to keep the examples readable. */
function expandLetters(text: string): string {
  return text.replace(/\b[a-d]\b/g, (name) => `properties["${name}"]`);
}

describe('format', () => {
  it.each([
    // Parentheses that are needed: without them, the tree would be different.
    ['10 - (5 - 2)'],
    ['10 - (5 + 2)'],
    ['8 / (4 / 2)'],
    ['8 % (4 * 2)'],
    ['(1 + 2) * 3'],
    ['-(1 + 2)'],
    ['-(a in b)'],
    ['not (a and b)'],
    ['(not a) == b'],
    ['a == (not b)'],
    ['-(not a)'],
    ['(not a) in [true]'],
    ['a and (b and c)'],
    ['a or (b or c)'],
    ['(a or b) and c'],
    ['a and (b or c)'],
    ['a == (b == c)'],
    ['a < (b in c)'],
    ['a in (b in c)'],
    ['a + (b in [1])'],
    ['(a == b) + c'],
    ['(a and b) == c'],
    // Parentheses that are not needed.
    ['(10 - 5) - 2', '10 - 5 - 2'],
    ['(8 / 4) / 2', '8 / 4 / 2'],
    ['1 + (2 * 3)', '1 + 2 * 3'],
    ['-(-1)', '--1'],
    ['(-1) * 2', '-1 * 2'],
    ['-(1)', '-1'],
    ['2 * (-1)', '2 * -1'],
    ['1 - (-1)', '1 - -1'],
    ['not (not a)', 'not not a'],
    ['not (a == b)', 'not a == b'],
    ['not (a in b)', 'not a in b'],
    ['(not a) and (not b)', 'not a and not b'],
    ['(a and b) and c', 'a and b and c'],
    ['(a or b) or c', 'a or b or c'],
    ['(a and b) or (c and d)', 'a and b or c and d'],
    ['a or (b and c)', 'a or b and c'],
    ['(a == b) == c', 'a == b == c'],
    ['(a in [1]) == b', 'a in [1] == b'],
    ['(a + b) in [1]', 'a + b in [1]'],
    ['(a) == ((b))', 'a == b'],
    ['floor((a))', 'floor(a)'],
    ['(now)', 'now'],
  ])('keeps only the needed parentheses of %s', (source, formatted = source) => {
    expect(format(expandLetters(source))).toBe(expandLetters(formatted));
  });
});

describe('format of words, symbols and literals', () => {
  it.each([
    ['NOT TRUE AND False Or Now == 1', 'not true and false or now == 1'],
    ['Properties["Plan"]', 'properties["Plan"]'],
    ["EVENT [ 'x' ]", 'event["x"]'],
    ['User["x"]', 'user["x"]'],
    ['FLOOR ( 1 )', 'floor(1)'],
    ['1+2*3', '1 + 2 * 3'],
    ['- 1', '-1'],
    ['not(true)', 'not true'],
    ['1 in[1,- 2 ,"x",TRUE]', '1 in [1, -2, "x", true]'],
    ['1 in [ ]', '1 in []'],
    ['\'say "hi"\'', '"say \\"hi\\""'],
    ["'it\\'s'", '"it\'s"'],
    ['"\\u0041\\/\\u000a"', '"A/\\n"'],
    ['"\\ud83d\\ude00 é"', '"\u{1f600} é"'],
    ['.5', '0.5'],
    ['1.50', '1.5'],
    ['1e3', '1000'],
    ['007.', '7'],
    ['\t\r\n 1 ', '1'],
  ])('changes %s to %s', (source, formatted) => {
    expect(format(source)).toBe(formatted);
  });
});

/** Chains, `not` and lists over short operands, so that every long line can be broken. */
function breakable(depth: number): Arbitrary<Expression> {
  const word = fc
    .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 })
    .map((text) => text.replace(/["\\]/g, '-'));
  const comparisons = fc.tuple(word, word).map(([left, right]) => binary('==', literal(left), literal(right)));
  if (depth === 0) return comparisons;
  const below = breakable(depth - 1);
  const items = fc.array(word.map(literal), { maxLength: 15 });
  return fc.oneof(
    comparisons,
    fc
      .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(below, { minLength: 2, maxLength: 6 }))
      .map((parts) => logical(...parts)),
    below.map((node) => prefix('not', node)),
    fc.tuple(word.map(literal), items).map((parts) => membership(...parts)),
  );
}

describe('printed lines', () => {
  it('fit the width if they can be broken', () => {
    fc.assert(
      fc.property(breakable(4), (tree) => {
        const widest = Math.max(
          ...print(tree)
            .split('\n')
            .map((line) => line.length),
        );
        expect(widest, print(tree)).toBeLessThanOrEqual(WIDTH);
      }),
      { numRuns: runs(3_000) },
    );
  });

  it('are not broken if they fit', () => {
    const fits = (length: number) => `properties["a"] == "${'x'.repeat(36)}" and "${'y'.repeat(length)}" in "z"`;
    const narrow = fits(80 - fits(0).length);
    expect(narrow).toHaveLength(80);
    expect(format(narrow)).toBe(narrow);
    expect(format(fits(81 - fits(0).length))).toMatch(/^properties.*\nand .*$/);
  });

  const longName = `properties["${'n'.repeat(45)}"]`;

  it.each([
    {
      where: 'before the operators of chains',
      source: `${longName} == 1 and ${longName} == 2 and true`,
      lines: [`${longName} == 1`, `and ${longName} == 2`, 'and true'],
    },
    {
      where: 'at the looser operator first',
      source: `${longName} == 1 and true or ${longName} == 2 and true`,
      lines: [`${longName} == 1 and true`, `or ${longName} == 2 and true`],
    },
    {
      where: 'at the tighter operator with an indent',
      source: `${longName} == 1 and ${longName} == 2 or true or ${longName} == 3 and ${longName} == 4`,
      lines: [`${longName} == 1`, `  and ${longName} == 2`, 'or true', `or ${longName} == 3`, `  and ${longName} == 4`],
    },
    {
      where: 'inside parentheses with an indent',
      source: `true and (${longName} == 1 or ${longName} == 2)`,
      lines: ['true', 'and (', `  ${longName} == 1`, `  or ${longName} == 2`, ')'],
    },
    {
      where: 'after not',
      source: `not (${longName} == 1 or true and ${longName} == 2)`,
      lines: ['not (', `  ${longName} == 1`, `  or true and ${longName} == 2`, ')'],
    },
    {
      where: 'between the items of lists',
      source: `${longName} in [${'"item", '.repeat(12)}1]`,
      lines: [`${longName} in [`, `  ${'"item", '.repeat(8)}"item",`, '  "item", "item", "item", 1', ']'],
    },
    {
      where: 'nowhere in a single comparison',
      source: `${longName} == ${longName}`,
      lines: [`${longName} == ${longName}`],
    },
  ])('are broken $where', ({ source, lines }) => {
    expect(format(source)).toBe(lines.join('\n'));
  });
});
