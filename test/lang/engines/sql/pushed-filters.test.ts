import { inspect, isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Expression } from '../../../../src/lang/ast.ts';
import { walk } from '../../../../src/lang/ast.ts';
import { checkTree } from '../../../../src/lang/check/check.ts';
import { interpret } from '../../../../src/lang/engines/interpret.ts';
import { split } from '../../../../src/lang/engines/sql/split.ts';
import { toCondition } from '../../../../src/lang/operators/coercions.ts';
import { print } from '../../../../src/lang/syntax/print.ts';
import { expressions, logical, records } from '../../../arbitraries.ts';
import { type Input, outcome, withoutSpan } from '../../../engines.ts';
import { runs, splitRuns } from '../../../runs.ts';

/** Returns whether a filter selects a record. Without a filter, every record is selected. */
function selects(tree: Expression | undefined, { properties, user, now = 0 }: Input): boolean {
  return tree === undefined || toCondition(interpret(tree, { properties, user, now }, ''), 'where', tree.span, '');
}

/** Supports only properties with names of Latin letters, and no users. */
function isSupported(tree: Expression): boolean {
  return [...walk(tree)].every((node) => {
    return node.kind !== 'property' || (node.scope !== 'user' && /^[a-z]+$/.test(node.name));
  });
}

it('split keeps the selected records and the type errors of a filter', () => {
  const seen = { pushed: 0, both: 0, errors: 0 };
  const operands = fc.array(expressions(3), { minLength: 2, maxLength: 4 });
  const filters = fc.tuple(fc.constantFrom('and' as const, 'or' as const), operands).map(([operator, parts]) => {
    return logical(operator, parts);
  });
  const numRuns = runs(4_000);
  const law = fc.property(filters, fc.array(records, { minLength: 10, maxLength: 10 }), (tree, inputs) => {
    const { pushed, rest } = split(checkTree('', tree, 'where'), isSupported);
    if (pushed !== undefined) {
      expect(isSupported(pushed)).toBe(true);
      seen.pushed++;
    }
    if (pushed !== undefined && rest !== undefined) seen.both++;
    for (const input of inputs) {
      const whole = outcome((record) => selects(tree, record), input);
      const parts = outcome((record) => selects(pushed, record) && selects(rest, record), input);
      if (!isDeepStrictEqual(withoutSpan(parts), withoutSpan(whole))) {
        expect.fail(`${print(tree)}: ${inspect(parts)} instead of ${inspect(whole)} for ${inspect(input)}`);
      }
      if ('operator' in whole) seen.errors++;
    }
  });
  const { seeded, fresh } = splitRuns(numRuns);
  fc.assert(law, seeded);
  expect(Math.min(seen.pushed, seen.both, seen.errors)).toBeGreaterThan(seeded.numRuns / 40);
  fc.assert(law, fresh);
});
