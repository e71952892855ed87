import { describe, expect, it } from 'vitest';
import { formatRange } from '../../src/queries/range-widths.ts';
import { openDuckdb } from '../lang/engines/sql/duckdb-database.ts';
import { expectSameWidths } from '../service/analytics/expect-same-widths.ts';

describe('ranges', () => {
  it('have the smallest width that stays within the maximum number of ranges', async () => {
    const database = await openDuckdb();
    try {
      await expectSameWidths(database);
    } finally {
      await database.close();
    }
  });

  it('are named with formatted numbers', () => {
    expect(formatRange(12_345n, 1)).toBe('12,345 - 12,346');
    expect(formatRange(-3n, 0.1)).toBe('-0.3 - -0.2');
    const zeros = ',000'.repeat(102);
    expect(formatRange(1n, 1e308)).toBe(`100${zeros} - 200${zeros}`);
    expect(formatRange(-1n, Number.MAX_VALUE)).toBe(`-200${zeros} - 0`);
  });
});
