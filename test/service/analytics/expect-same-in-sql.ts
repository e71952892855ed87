import { expect } from 'vitest';
import { lowerBucket } from '../../../src/service/analytics/sql/lower-bucket.ts';
import type { Database } from '../../lang/engines/sql/database.ts';
import { drawSample } from '../../runs.ts';
import { anyBuckets, sampleTimes } from './any-buckets.ts';

/** Compares the buckets of a database with those of JavaScript for many times in many zones. */
export async function expectSameInSql({ dialect, createTable, query }: Database): Promise<void> {
  const samples = drawSample(anyBuckets, 60).map((sample, index) => ({ ...sample, times: sampleTimes(sample, index) }));
  await createTable(
    'moments',
    [
      { name: 'number', type: 'integer' },
      { name: 'moment', type: 'double' },
    ],
    samples.flatMap(({ times }, index) => times.map((time) => [index, time])),
  );
  const moments = (index: number) => `SELECT CAST(moment AS BIGINT) AS "time" FROM moments WHERE number = ${index}`;
  for (const [index, { buckets, times, ...request }] of samples.entries()) {
    const sql = `SELECT "time", CAST(${lowerBucket(buckets, '"time"', dialect)} AS DOUBLE) AS bucket FROM (${moments(index)}) AS m`;
    const rows = await query(sql, []);
    const numbers = new Map(rows.map((row) => [Number(row.time), row.bucket]));
    expect(
      times.map((time) => [time, numbers.get(time)]),
      JSON.stringify(request),
    ).toEqual(times.map((time) => [time, buckets.indexOf(time)]));
  }
}
