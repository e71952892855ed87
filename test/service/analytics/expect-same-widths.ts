import fc from 'fast-check';
import { expect } from 'vitest';
import { lowerRangeWidth } from '../../../src/service/analytics/queries/numeric-ranges.ts';
import type { Database } from '../../lang/engines/sql/database.ts';
import { drawSample } from '../../runs.ts';
import { widthFor } from './reference/numeric.ts';

const numbers = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -2, -Number.MIN_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE),
);

/** Compares the range widths of a database with the reference for random numbers. */
export async function expectSameWidths({ dialect, createTable, query }: Database): Promise<void> {
  const cases = drawSample(fc.tuple(numbers, numbers, fc.integer({ min: 1, max: 100 })), 150);
  cases.push([-Number.MAX_VALUE, Number.MAX_VALUE, 2], [-1e308, Number.MAX_VALUE, 3], [0, Number.MAX_VALUE, 1]);
  for (let max = 1; max <= 100; max++) cases.push([1.7976931348623155e308, Number.MAX_VALUE, max]);
  const extents = cases.map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);
  await createTable(
    'extents',
    [
      { name: 'number', type: 'integer' },
      { name: 'least', type: 'double' },
      { name: 'greatest', type: 'double' },
    ],
    extents.map(([least, greatest], index) => [index, least, greatest]),
  );
  for (const [index, [least, greatest]] of extents.entries()) {
    const max = cases[index]?.[2] ?? 1;
    const extent = `(SELECT least, greatest FROM extents WHERE number = ${index}) AS extent`;
    const [row] = await query(lowerRangeWidth(dialect, extent, max), []);
    const { digits, exponent } = widthFor(least, greatest, max);
    expect(row?.width, `${least} to ${greatest} in ${max}`).toBe(
      Math.min(Number(`${digits}e${exponent}`), Number.MAX_VALUE),
    );
  }
}
