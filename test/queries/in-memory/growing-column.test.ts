import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ColumnBuilder } from '../../../src/lang/engines/columnar/column-builder.ts';
import { getValue } from '../../../src/lang/plan/batch-column.ts';
import { GrowingColumn } from '../../../src/queries/in-memory/growing-column.ts';
import { runs } from '../../runs.ts';

it('has the values of a column that has room for all rows from the start', () => {
  const value = fc.constantFrom(undefined, 1, 2.5, -0, 'a', 'b', true, null);
  const values = fc.array(value, { minLength: 1000, maxLength: 2500 });
  fc.assert(
    fc.property(values, (drawn) => {
      const [growing, whole] = [new GrowingColumn(), new ColumnBuilder(drawn.length)];
      for (const [row, each] of drawn.entries()) {
        growing.reserve(row);
        for (const builder of [growing, whole]) builder.set(row, each);
      }
      const [found, expected] = [growing.finish(), whole.finish()];
      expect(drawn.map((_, row) => getValue(found, row))).toEqual(drawn.map((_, row) => getValue(expected, row)));
      expect(found).toEqual(expected);
    }),
    { numRuns: runs(100, 20) },
  );
});
