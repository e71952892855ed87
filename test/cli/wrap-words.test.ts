import fc from 'fast-check';
import { expect, it } from 'vitest';
import { measureWidth } from '../../src/base/strings.ts';
import { wrapWords } from '../../src/cli/terminal/wrap-words.ts';

it('keeps every word whole, and no line is wider than the terminal unless it is a single word', () => {
  const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '語'), minLength: 1, maxLength: 12 }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 60 }), fc.constantFrom('', '  '), (all, columns, indent) => {
      const lines = wrapWords(all.join(' '), columns, indent);
      expect(lines.flatMap((line) => line.trim().split(' '))).toEqual(all);
      for (const line of lines) {
        expect(line.startsWith(indent)).toBe(true);
        if (line.trim().includes(' ')) expect(measureWidth(line)).toBeLessThanOrEqual(columns);
      }
    }),
  );
});
