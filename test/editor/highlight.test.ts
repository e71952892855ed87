import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlight } from '../../src/editor/highlight.ts';
import { sources } from '../arbitraries.ts';
import { texts } from '../garbage.ts';

describe('highlight', () => {
  it('returns the kind of each token', () => {
    const source = 'Properties["a b"] In [1, "x"] AND not floor(now) >= -.5 && plan @';
    const shown = highlight(source).map(({ kind, span }) => [source.slice(span.start, span.end), kind]);
    expect(shown).toEqual([
      ['Properties', 'scope'],
      ['[', 'bracket'],
      ['"a b"', 'property'],
      [']', 'bracket'],
      ['In', 'keyword'],
      ['[', 'bracket'],
      ['1', 'number'],
      [',', 'punctuation'],
      ['"x"', 'text'],
      [']', 'bracket'],
      ['AND', 'keyword'],
      ['not', 'keyword'],
      ['floor', 'function'],
      ['(', 'bracket'],
      ['now', 'constant'],
      [')', 'bracket'],
      ['>=', 'operator'],
      ['-', 'operator'],
      ['.5', 'number'],
      ['&&', 'invalid'],
      ['plan', 'invalid'],
      ['@', 'invalid'],
    ]);
  });

  it('separates valid and invalid escapes from the rest of a string', () => {
    const source = String.raw`user["\t"] == "a\n\u00e9\😀"`;
    const shown = highlight(source).map(({ kind, span }) => [source.slice(span.start, span.end), kind]);
    expect(shown.slice(2, 5)).toEqual([
      ['"', 'property'],
      ['\\t', 'escape'],
      ['"', 'property'],
    ]);
    expect(shown.slice(-5)).toEqual([
      ['"a', 'text'],
      ['\\n', 'escape'],
      ['\\u00e9', 'escape'],
      ['\\😀', 'invalid'],
      ['"', 'text'],
    ]);
  });

  it('covers any source except white space, in order', () => {
    fc.assert(
      fc.property(texts, (source) => {
        let end = 0;
        for (const { span } of highlight(source)) {
          expect(source.slice(end, span.start)).toMatch(/^[ \t\r\n]*$/);
          expect(span.end).toBeGreaterThan(span.start);
          end = span.end;
        }
        expect(source.slice(end)).toMatch(/^[ \t\r\n]*$/);
      }),
    );
  });

  it('returns nothing for a source that is too long for an expression', () => {
    expect(highlight('1'.padEnd(65_536))).toEqual([{ kind: 'number', span: { start: 0, end: 1 } }]);
    expect(highlight('1'.padEnd(65_537))).toEqual([]);
  });

  it('marks nothing as invalid in an expression', () => {
    fc.assert(
      fc.property(sources, ({ source }) => {
        expect(highlight(source).filter(({ kind }) => kind === 'invalid')).toEqual([]);
      }),
    );
  });
});
