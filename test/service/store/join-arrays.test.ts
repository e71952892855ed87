import fc from 'fast-check';
import { expect, it } from 'vitest';
import { joinArrays, MAX_ARRAY_CHARACTERS } from '../../../src/service/store/duckdb/join-arrays.ts';

/** Lengths of rows, many at or near the maximum length of an array. */
const lengths = fc.oneof(
  fc.constantFrom(1, 2, MAX_ARRAY_CHARACTERS / 2, MAX_ARRAY_CHARACTERS, MAX_ARRAY_CHARACTERS + 1),
  fc.integer({ min: 1, max: MAX_ARRAY_CHARACTERS }),
);

it('joinArrays returns arrays within the maximum length, in order', () => {
  fc.assert(
    fc.property(fc.array(lengths, { maxLength: 8 }), (all) => {
      const arrays = [...joinArrays(all.map((length) => '1'.repeat(length)))].map((json) =>
        json.slice(1, -1).split(','),
      );
      expect(arrays.flat().map(({ length }) => length)).toEqual(all);
      for (const rows of arrays) {
        const characters = rows.reduce((sum, { length }) => sum + length, 0);
        expect(rows.length === 1 || characters <= MAX_ARRAY_CHARACTERS).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
  expect([...joinArrays([])]).toEqual([]);
  expect([...joinArrays(['1', '"a"', '{}'])]).toEqual(['[1,"a",{}]']);
});
