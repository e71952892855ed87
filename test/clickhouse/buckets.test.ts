import { describe, it } from 'vitest';
import { expectSameInSql } from '../service/analytics/expect-same-in-sql.ts';
import { HAS_CLICKHOUSE, openClickhouse } from './open-clickhouse.ts';

describe.skipIf(!HAS_CLICKHOUSE)('buckets in ClickHouse', () => {
  it('follow the calendar', async () => {
    const database = await openClickhouse();
    try {
      await expectSameInSql(database);
    } finally {
      await database.close();
    }
  });
});
