import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, compile, compileNumber, compileOn } from '../../../../src/api/index.ts';
import type { Witness } from '../../../../src/api/relate.ts';
import { Random } from '../../../../src/data/random.ts';
import { ExpressionTypeError } from '../../../../src/lang/errors.ts';
import { parse } from '../../../../src/lang/syntax/parse.ts';
import { print } from '../../../../src/lang/syntax/print.ts';
import { assertAffordable } from '../../../../src/queries/answer-limits.ts';
import { CheckedExpressions } from '../../../../src/queries/checked-expressions.ts';
import { normalizeRequest } from '../../../../src/service/analytics/execution/normalize-request.ts';
import { rewrite } from '../../../equal-filters.ts';
import { drawPair, drawValueFirstPair, type Pair, toAnswer } from '../../../relation-law.ts';
import { runs, splitRuns } from '../../../runs.ts';

const PAIRS = runs(1_000);

const normalize = (request: object) => normalizeRequest(request, new CheckedExpressions('UTC'));

/** Draws a pair; every other time, the right filter is the left one in another spelling. */
function drawSpelled(draw: (seed: number) => Pair, seed: number): Pair {
  const pair = draw(seed);
  return seed % 2 === 0 ? pair : { ...pair, right: rewrite(pair.left, new Random(seed)) };
}

/** Returns the values of an expression for records, in all uses but as a filter; `fails` for a type error. */
function evaluateUses(source: string, records: readonly Witness[]): readonly unknown[] {
  return [compile, compileOn, compileNumber].map((compileAs) => {
    const evaluate = compileAs(source, { now: () => 0 });
    return records.map(({ properties, user }) => {
      try {
        return evaluate(properties, user);
      } catch (error) {
        if (error instanceof ExpressionTypeError) return 'fails';
        throw error;
      }
    });
  });
}

function isValid(source: string, use: 'where' | 'value' | 'number'): boolean {
  return check(source, { use }).ok;
}

describe.each([
  ['around few constants', drawPair],
  ['around values', drawValueFirstPair],
])(`of ${PAIRS} pairs drawn %s, those with one key`, (_, draw) => {
  const isSame = (left: object, right: object) =>
    JSON.stringify(normalize(left).request) === JSON.stringify(normalize(right).request);
  const { seeded, fresh } = splitRuns(PAIRS);

  it('select the same records and fail on the same', () => {
    let same = 0;
    const law = fc.property(fc.noShrink(fc.noBias(fc.nat())), (seed) => {
      const { left, right, records } = drawSpelled(draw, seed);
      if (left === right || !isSame({ where: left }, { where: right })) return;
      same++;
      const [one, other] = [toAnswer(left), toAnswer(right)];
      expect(one === undefined).toBe(other === undefined);
      for (const record of records) expect(other?.(record)).toBe(one?.(record));
    });
    fc.assert(law, seeded);
    expect(same).toBeGreaterThan(PAIRS / 10);
    fc.assert(law, fresh);
  });

  it('have the same segments and numbers, and fail on the same records', () => {
    let same = 0;
    const law = fc.property(fc.noShrink(fc.noBias(fc.nat())), (seed) => {
      const { left, right, records } = drawSpelled(draw, seed);
      if (left === right || !isSame({ on: left }, { on: right })) return;
      same++;
      for (const use of ['value', 'number'] as const) expect(isValid(right, use)).toBe(isValid(left, use));
      if (!isValid(left, 'number')) return;
      expect(evaluateUses(right, records)).toEqual(evaluateUses(left, records));
    });
    fc.assert(law, seeded);
    expect(same).toBeGreaterThan(PAIRS / 20);
    fc.assert(law, fresh);
  });
});

describe('normalizeRequest', () => {
  it('knows from the checker what reads the time', () => {
    const readsTime = (request: object) => normalize(request).readsTime;
    expect(readsTime({ where: 'properties["now"] == "now"' })).toBe(false);
    expect(readsTime({ event: 'now', on: 'properties["t"] < NOW' })).toBe(true);
    expect(readsTime({ steps: [{ event: 'a' }, { event: 'b', where: 'now > 5' }] })).toBe(true);
  });

  it('keeps what is no expression, and expressions that are not valid', () => {
    const request = { event: '1 == properties["a"]', name: 'where', where: '1 ==', dates: { from: 'a', to: 'b' } };
    expect(normalize(request).request).toEqual(request);
  });

  it('joins only spellings that a database can afford', () => {
    const scan = 'user["a"]in user["b"]';
    const where = Array.from({ length: Math.floor(3_990 / `${scan}and `.length) }, () => scan).join('and ');
    expect(normalize({ where: `true and ${where}` }).request).toEqual({
      where: 'user["a"] in user["b"]',
    });
    const checked = new CheckedExpressions('UTC').check(where, 'where');
    expect(() => assertAffordable([{ kind: 'selector', checked }])).not.toThrow();
    const [both, layout] = [
      { where, bornWhere: where },
      { where: print(parse(where)), bornWhere: print(parse(where)) },
    ];
    expect(normalize(both).request).toEqual(layout);
  });
});
