import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUnfinished } from '../../../src/lang/syntax/is-unfinished.ts';
import { tokenize } from '../../../src/lang/syntax/lexer.ts';
import { tryParse } from '../../../src/lang/syntax/parse.ts';
import * as T from '../../../src/lang/syntax/vocabulary.ts';
import { sources } from '../../arbitraries.ts';
import { runs } from '../../runs.ts';

/** Returns whether the last of some tokens is an operator or inside a bracket. */
function endsOpen(tokens: readonly T.Token[]): boolean {
  const last = tokens.at(-1)?.tokenType;
  const depth = tokens.filter(T.isOpening).length - tokens.filter(T.isClosing).length;
  return depth > 0 || last?.infix !== undefined || last?.prefix !== undefined;
}

const prefixes = sources.chain(({ source }) => {
  const { tokens } = tokenize(source);
  return fc.integer({ min: 1, max: tokens.length }).map((count) => {
    const taken = tokens.slice(0, count);
    return { source: source.slice(0, T.getTokenEnd(taken.at(-1) as T.Token)), taken };
  });
});

describe('isUnfinished', () => {
  it('is true for a beginning of an expression exactly if it ends after an operator or inside a bracket', () => {
    fc.assert(
      fc.property(prefixes, ({ source, taken }) => {
        expect(isUnfinished(source)).toBe(endsOpen(taken));
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('is false for every expression', () => {
    fc.assert(fc.property(sources, ({ source }) => !isUnfinished(source)));
  });

  it('is false if there is an error before the end', () => {
    const mistake = fc.constantFrom('=', '&&', ') (', '"a" "b"', 'nul', '12ab', '§', '"\\q"', '[', ', ', '1 not in');
    fc.assert(
      fc.property(prefixes, mistake, ({ source }, wrong) => {
        const text = `${source} ${wrong} and (`;
        fc.pre(tryParse(`${text}1)`).diagnostics !== undefined);
        expect(isUnfinished(text)).toBe(false);
      }),
    );
  });

  it.each(['', '  ', '"abc', 'properties', 'floor', '1 + )', 'a and', '1 == not', '1 # and', '1 in [1, properties['])(
    'is false for %j',
    (source) => expect(isUnfinished(source)).toBe(false),
  );

  it('is false if the source exceeds the limit on nesting', () => {
    expect(isUnfinished('('.repeat(256))).toBe(true);
    expect(isUnfinished('('.repeat(257))).toBe(false);
  });
});
