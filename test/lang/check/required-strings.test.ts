import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkTree } from '../../../src/lang/check/check.ts';
import {
  findRequiredStrings,
  type RequiredString,
  type RequiredStrings,
} from '../../../src/lang/check/required-strings.ts';
import { closures } from '../../../src/lang/engines/closures/closures.ts';
import { parse } from '../../../src/lang/syntax/parse.ts';
import { expressions, records } from '../../arbitraries.ts';
import { runs, splitRuns } from '../../runs.ts';

const find = (source: string) => findRequiredStrings(checkTree(source, parse(source), 'where')).map(written);

/** Formats alternatives with bars between them: `"a"` for a whole string, `a` for a substring. */
function written(alternatives: RequiredStrings): string {
  return alternatives.map(({ text, whole }) => (whole ? JSON.stringify(text) : text)).join(' | ');
}

describe('findRequiredStrings', () => {
  it.each([
    ['properties["a"] == "x"', ['"x"']],
    ['"x" == user["a"]', ['"x"']],
    ['properties["a"] == 5', ['"a"']],
    ['string(properties["a"]) == "x"', ['"x"']],
    ['string(properties["a"]) == "5"', ['"a"']],
    ['string(properties["a"]) == "true"', ['"a"']],
    ['"x" in properties["a"]', ['x']],
    ['"x" in string(properties["a"])', ['"a"']],
    ['properties["a"] in "xyz"', ['"a"']],
    ['properties["a"] in ["x", "y"]', ['"x" | "y"']],
    ['properties["a"] in ["x", 5]', ['"a"']],
    ['properties["a"] in []', ['']],
    ['properties["a"] > 5 and properties["b"] == "x"', ['"a"', '"x"']],
    ['properties["a"] == "x" or "y" in properties["b"]', ['"x" | y']],
    ['properties["a"] == "x" or properties["b"] != "y"', []],
    ['properties["a"] - properties["b"] < 3', ['"a"', '"b"']],
    ['number(properties["a"]) > 5', ['"a"']],
    ['datetime(properties["a"]) > properties["b"]', ['"a"', '"b"']],
    ['properties["a"] > datetime("2025-01-01")', ['"a"']],
    ['datetime(properties["a"]) == "no date"', []],
    ['defined(properties["a"])', ['"a"']],
    ['boolean(properties["a"])', ['"a"']],
    ['not properties["a"] == "x"', []],
    ['properties["a"] == 1 / 0', []],
    ['properties["a"] != "x"', []],
    ['properties["a"] == properties["b"]', []],
    ['(properties["a"] == "x") == true', []],
    ['properties["a"]', []],
    ['properties["a"] == "x" and properties["b"]', []],
    ['true', []],
  ])('of %s returns %j', (source, expected) => {
    expect(find(source)).toEqual(expected);
  });

  it('returns only strings that every selected record contains', () => {
    const numRuns = runs(4_000);
    let count = 0;
    const law = fc.property(expressions(3), fc.array(records, { minLength: 10, maxLength: 10 }), (tree, inputs) => {
      const found = findRequiredStrings(checkTree('', tree, 'where'));
      if (found.length === 0) return;
      const answer = closures.toCondition(checkTree('', tree, 'where'));
      for (const { properties, user, now = 0 } of inputs) {
        if (!answer(properties, user, now)) continue;
        count++;
        const strings = listStrings([properties, user]);
        for (const alternatives of found) expect(alternatives.some((required) => isIn(required, strings))).toBe(true);
      }
    });
    const { seeded, fresh } = splitRuns(numRuns);
    fc.assert(law, seeded);
    expect(count).toBeGreaterThan(seeded.numRuns / 40);
    fc.assert(law, fresh);
  });
});

/** Returns the names and strings in a value. */
function listStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...listStrings(inner)]);
}

function isIn({ text, whole }: RequiredString, strings: readonly string[]): boolean {
  return strings.some((found) => (whole ? found === text : found.includes(text)));
}
