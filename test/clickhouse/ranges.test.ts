import { describe, it } from 'vitest';
import { expectSameWidths } from '../service/analytics/expect-same-widths.ts';
import { HAS_CLICKHOUSE, openClickhouse } from './open-clickhouse.ts';

describe.skipIf(!HAS_CLICKHOUSE)('ranges in ClickHouse', () => {
  it('have the smallest width that stays within the maximum number of ranges', async () => {
    const database = await openClickhouse();
    try {
      await expectSameWidths(database);
    } finally {
      await database.close();
    }
  });
});
