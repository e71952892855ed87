import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineSplitter } from '../../src/data/line-splitter.ts';
import { runs } from '../runs.ts';

const bytes = fc
  .array(fc.constantFrom('a', 'é', '{}', '\n', '\n', '\r\n', ' ', '\ufeff', '\xff'), { maxLength: 30 })
  .map((parts) => Buffer.concat(parts.map((part) => (part === '\xff' ? Buffer.from([0xff]) : Buffer.from(part)))));

it('finds the same lines wherever chunks end, and whatever is broken beside them', () => {
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(60), { maxLength: 4 }), (file, cuts) => {
      const splitter = new LineSplitter();
      const ends = [...cuts.sort((left, right) => left - right), file.length];
      const found = ends.flatMap((end, at) => splitter.feed(file.subarray(ends[at - 1] ?? 0, end)));
      const lines = file.toString('latin1').split('\n');
      const expected = lines.flatMap((text, index): object[] => {
        const line = index + 1;
        if (text.includes('\xff')) return [{ line, problem: expect.any(String) }];
        const decoded = Buffer.from(text, 'latin1').toString('utf8');
        return decoded.trim() === '' ? [] : [{ line, text: decoded.replace(/\r$/, '') }];
      });
      expect([...found, ...splitter.end()]).toEqual(expected);
    }),
    { numRuns: runs(500, 200) },
  );
});
