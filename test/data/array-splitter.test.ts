import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ArraySplitter } from '../../src/data/array-splitter.ts';
import { describeTooLong } from '../../src/data/problems.ts';

/** Splits an array in chunks of some bytes. Returns the JSON of each element, or the problem with it. */
function splitElements(json: string, chunk: number, limit?: number): string[] {
  const [bytes, splitter] = [Buffer.from(json), new ArraySplitter(limit)];
  const found = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, index) =>
    splitter.feed(bytes.subarray(index * chunk, (index + 1) * chunk)),
  );
  return [...found.flat(), ...splitter.end()].map((raw) => ('text' in raw ? raw.text : raw.problem));
}

it('ArraySplitter reads elements up to the limit and reports longer ones', () => {
  const size = fc.integer({ min: 1, max: 12 });
  fc.assert(
    fc.property(fc.array(size), size, size, (lengths, limit, chunk) => {
      const elements = lengths.map((length) => '7'.repeat(length));
      const expected = elements.map((element) => (element.length <= limit ? element : describeTooLong(limit)));
      expect(splitElements(`[${elements.join(',')}]`, chunk, limit)).toEqual(expected);
    }),
  );
});

it.each([
  ['["a\n,"b"]', ['"a', '"b"']],
  // The backslash escapes the line break, not the quote that ends the next string.
  ['["a\\\n,"",1]', ['"a\\', '""', '1']],
  ['["a\\\\",1]', ['"a\\\\"', '1']],
])('ArraySplitter ends an unclosed string at the end of the line: %j', (json, elements) => {
  for (let chunk = 1; chunk <= json.length; chunk++) expect(splitElements(json, chunk)).toEqual(elements);
});
