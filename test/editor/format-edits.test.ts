import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { format } from '../../src/api/index.ts';
import { formatEdits } from '../../src/editor/format-edits.ts';
import { sources } from '../arbitraries.ts';

function applyEdits(source: string): string | undefined {
  const edits = formatEdits(source)?.toReversed();
  return edits?.reduce((text, { span, text: put }) => text.slice(0, span.start) + put + text.slice(span.end), source);
}

describe('formatEdits', () => {
  it('produces the same string as format()', () => {
    fc.assert(
      fc.property(sources, ({ source }) => {
        expect(applyEdits(source)).toBe(format(source));
      }),
    );
  });

  it('returns no edits for a formatted expression', () => {
    fc.assert(
      fc.property(sources, ({ source }) => {
        expect(formatEdits(format(source))).toEqual([]);
      }),
    );
  });

  it('edits tokens and the gaps between them separately', () => {
    expect(formatEdits("(TRUE)and  properties['a']")).toEqual([
      { span: { start: 0, end: 1 }, text: '' },
      { span: { start: 1, end: 5 }, text: 'true' },
      { span: { start: 5, end: 6 }, text: ' ' },
      { span: { start: 9, end: 11 }, text: ' ' },
      { span: { start: 22, end: 25 }, text: '"a"' },
    ]);
  });

  it('returns undefined after a syntax error', () => {
    expect(formatEdits('1 +')).toBeUndefined();
  });
});
