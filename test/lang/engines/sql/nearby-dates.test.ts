import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MIRRORED } from '../../../../src/lang/plan/range.ts';
import type { Database } from './database.ts';
import { openDuckdb } from './duckdb-database.ts';
import { LAYOUTS } from './layouts.ts';
import { SqlComparison } from './sql-comparison.ts';

let database: Database;

beforeAll(async () => {
  database = await openDuckdb();
});

afterAll(() => database.close());

const twoDigits = (max: number) => fc.integer({ min: 0, max }).map((part) => String(part).padStart(2, '0'));
const days = fc.constantFrom('0000-01-01', '2025-05-30', '2025-05-31', '2025-06-01', '2025-06-02', '9999-12-31');
const times = fc
  .tuple(fc.constantFrom('T', ' '), twoDigits(25), twoDigits(60), twoDigits(60))
  .map(([t, ...parts]) => t + parts.join(':'));
const zones = fc.oneof(
  fc.constantFrom('', 'Z', '.999', ' ', '.5Z'),
  fc.tuple(fc.constantFrom('+', '-'), twoDigits(24), twoDigits(60)).map(([sign, ...parts]) => sign + parts.join(':')),
);
const dates = fc.oneof(
  days,
  fc.tuple(days, times, zones).map((parts) => parts.join('')),
  fc.constantFrom('2025-6-01T00:00:00', '2025-06-01T 1:00:00', '2025-06-01T24:00:00', '2025-06-31T00:00:00', 'soon'),
);
const limits = fc.constantFrom('0000-01-01', '2025-06-01', '2025-05-31T23:59:59-12:00', '9999-12-31T23:59:59');

it('compares a column of date strings with nearby times like the interpreter', async () => {
  const property = fc.asyncProperty(
    fc.array(dates, { minLength: 200, maxLength: 200 }),
    limits,
    async (strings, limit) => {
      const records = strings.map((day) => ({ properties: { day }, user: {}, now: 0 }));
      const source = await LAYOUTS.columns.create(database, 'dates', records);
      const comparison = new SqlComparison(database, source, records);
      await comparison.compare(Object.keys(MIRRORED).map((order) => `properties["day"] ${order} datetime("${limit}")`));
      expect(comparison.compared).toBeGreaterThan(0);
    },
  );
  await fc.assert(property, { numRuns: 60, endOnFailure: true });
});
