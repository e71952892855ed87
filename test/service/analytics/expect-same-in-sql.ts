import fc from 'fast-check';
import { expect } from 'vitest';
import type { Database } from '../../lang/engines/sql/database.ts';
import { anyBuckets, momentsIn } from './any-buckets.ts';

/** Compares the buckets of a database with those of JavaScript for many times in many zones. */
export async function expectSameInSql({ dialect, createTable, query }: Database): Promise<void> {
  const asked = fc.sample(anyBuckets, 60).map((one, index) => ({ ...one, times: momentsIn(one, index) }));
  await createTable(
    'moments',
    [
      { name: 'asked', type: 'integer' },
      { name: 'moment', type: 'double' },
    ],
    asked.flatMap(({ times }, index) => times.map((time) => [index, time])),
  );
  const moments = (index: number) => `SELECT CAST(moment AS BIGINT) AS "time" FROM moments WHERE asked = ${index}`;
  for (const [index, { buckets, times }] of asked.entries()) {
    const sql = `SELECT "time", CAST(${buckets.sql('"time"', dialect)} AS DOUBLE) AS bucket FROM (${moments(index)}) AS m`;
    const rows = await query(sql, []);
    const numbers = new Map(rows.map((row) => [Number(row.time), row.bucket]));
    expect(times.map((time) => [time, numbers.get(time)])).toEqual(times.map((time) => [time, buckets.indexOf(time)]));
  }
}
