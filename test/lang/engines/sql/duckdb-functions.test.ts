import { expect, it } from 'vitest';
import { formatDecimal } from '../../../../src/lang/value.ts';
import { drawSample } from '../../../runs.ts';
import { number } from './decimals.ts';
import { openDuckdb } from './duckdb-database.ts';

it('onwhere_text writes numbers as decimals', async () => {
  const database = await openDuckdb();
  const sample = drawSample(number, 5_000);
  // Both sides of the limits where the format changes, and the numbers that a cast gets wrong.
  const numbers = [1e15, -1e15, 1e15 + 1, 1e15 - 1, 1e16, 1e-4, 9.9e-5, -0, 2 ** 81, 2 ** 91, 2 ** 807, ...sample];
  const values = numbers.map((value) => `('${value}'::DOUBLE)`).join(', ');
  const rows = await database.query(`SELECT onwhere_text(number) AS "text" FROM (VALUES ${values}) AS n(number)`, []);
  await database.close();
  expect(rows.map(({ text }) => text)).toEqual(numbers.map((value) => formatDecimal(value + 0)));
});
