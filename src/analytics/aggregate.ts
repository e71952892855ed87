import { Buckets } from './buckets.ts';
import type { AggregateRequest, Series } from './queries.ts';
import { Question } from './question.ts';
import type { Scope } from './scope.ts';
import { sqlFunctions } from './sql-functions.ts';

/** The sum, or the mean, of a number over the events of each bucket. */
export async function aggregate(scope: Scope, request: AggregateRequest): Promise<Series> {
  const { event, dates, unit, on, where } = request;
  const buckets = Buckets.units(dates, unit, scope.timeZone);
  const filter = { events: [event], span: buckets, where };
  const question = new Question(scope, filter, { value: { use: 'number', expression: on } });
  question.define('cut', `SELECT ${buckets.sql('"time"', question.dialect)} AS bucket, value FROM selected`);
  const sum = sqlFunctions(question.dialect).sum('value');
  const rows = await question.rows(`SELECT bucket, ${sum} AS total, count(*) AS events FROM cut GROUP BY bucket`);
  const values = buckets.labels.map(() => 0);
  for (const { bucket, total, events } of rows) {
    values[Number(bucket)] = request.aggregate === 'sum' ? Number(total) : Number(total) / Number(events);
  }
  return { buckets: buckets.labels, series: [{ name: event, values }] };
}
