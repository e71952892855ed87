import { Buckets } from './buckets.ts';
import { expectAnswerSize } from './expect-answer-size.ts';
import type { NumericRequest, Series } from './queries.ts';
import { Question } from './question.ts';
import { rangeLabel, rangeNumber, rangeWidth } from './ranges.ts';
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
  const bucket = days.sql('"time"', question.dialect);
  // What is named here is kept for both of the tables that read it.
  const users = type === 'general' ? '' : ', distinct_id';
  question.define('numbers', `SELECT ${bucket} AS bucket, value${users} FROM selected`);
  question.define('extent', 'SELECT min(value) AS least, max(value) AS greatest FROM numbers');
  question.define('chosen', rangeWidth(question.dialect, 'extent', request.buckets));
  question.define(
    'ranged',
    `SELECT bucket, ${rangeNumber('value', 'width')} AS range_number, width${users} FROM numbers CROSS JOIN chosen WHERE value IS NOT NULL`,
  );
  const rows = await question.rows(
    `SELECT bucket, range_number, any_value(width) AS width, ${COUNTS[type]} FROM ranged GROUP BY bucket, range_number`,
  );
  const cells = rows.map((row) => ({ row, range: Number(row.range_number) }));
  const first = cells.reduce((least, { range }) => Math.min(least, range), Number.POSITIVE_INFINITY);
  const last = cells.reduce((greatest, { range }) => Math.max(greatest, range), Number.NEGATIVE_INFINITY);
  const ranges = Math.max(0, last - first + 1);
  expectAnswerSize(ranges * days.labels.length);
  const series = Array.from({ length: ranges }, (_, index) => ({
    name: rangeLabel(BigInt(first) + BigInt(index), Number(rows[0]?.width)),
    values: days.labels.map(() => 0),
  }));
  for (const { row, range } of cells) {
    const values = series[range - first]?.values;
    if (values !== undefined)
      values[Number(row.bucket)] =
        type === 'average' ? ratio(Number(row.users), Number(row.events)) : amountOf(row, type);
  }
  return { buckets: days.labels, series };
}
