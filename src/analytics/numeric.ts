import { Buckets } from './buckets.ts';
import type { NumericRequest, Series } from './queries.ts';
import { Question } from './question.ts';
import { rangeLabel, rangeWidth } from './ranges.ts';
import type { Scope } from './scope.ts';
import { amountOf, COUNTS, ratio } from './segment-series.ts';

/** How often an event was done in each range of a number. What is no number is in none. */
export async function numeric(scope: Scope, request: NumericRequest): Promise<Series> {
  const { event, dates, type, unit, on, where } = request;
  const days = Buckets.units(dates, unit, scope.timeZone);
  const question = new Question(
    scope,
    { events: [event], span: days, where },
    { value: { use: 'number or null', expression: on } },
  );
  const [extent] = await question.rows(
    'SELECT count(value) AS numbers, min(value) AS least, max(value) AS greatest FROM selected',
  );
  if (!Number(extent?.numbers)) return { buckets: days.labels, series: [] };
  const [least, greatest] = [Number(extent?.least), Number(extent?.greatest)];
  const width = rangeWidth(least, greatest, request.buckets);
  // Plus 0, for ClickHouse groups -0 apart.
  const range = `floor(value / ${question.bind(width)}) + 0`;
  question.define(
    'cut',
    `SELECT ${days.sql('"time"', question.dialect)} AS bucket, ${range} AS range_number, distinct_id FROM selected WHERE value IS NOT NULL`,
  );
  const rows = await question.rows(
    `SELECT bucket, range_number, ${COUNTS[type]} FROM cut GROUP BY bucket, range_number`,
  );
  const first = Math.floor(least / width);
  const count = Math.floor(greatest / width) - first + 1;
  const series = Array.from({ length: count }, (_, index) => ({
    name: rangeLabel(first + index, width),
    values: days.labels.map(() => 0),
  }));
  for (const row of rows) {
    const values = series[Number(row.range_number) - first]?.values;
    if (values !== undefined)
      values[Number(row.bucket)] =
        type === 'average' ? ratio(Number(row.users), Number(row.events)) : amountOf(row, type);
  }
  return { buckets: days.labels, series };
}
