import type { RequestParameters } from '../shared/query-api.ts';
import { isSeries, type SeriesResult } from './views/read-chart-data.ts';

const DAY_MS = 86_400_000;

/** Returns the parameters of the same query over as many days before. Returns undefined without whole dates. */
export function moveToPeriodBefore(parameters: RequestParameters): RequestParameters | undefined {
  const given = new Map(parameters);
  const [from, to] = [Date.parse(given.get('from_date') ?? ''), Date.parse(given.get('to_date') ?? '')];
  if (Number.isNaN(from) || Number.isNaN(to) || to < from) return undefined;
  const length = to - from + DAY_MS;
  const moved = { from_date: formatDay(from - length), to_date: formatDay(from - DAY_MS) };
  return parameters.map(([name, value]) => [name, moved[name as keyof typeof moved] ?? value]);
}

/** Adds the series of the period before to a result, bucket by bucket. Their names end in `, before`. */
export function addPeriodBefore(result: object, before: object): object {
  if (!isCounts(result) || !isCounts(before)) return result;
  const [buckets, earlier] = [result, before].map(({ data }) => [...data.series].sort()) as [string[], string[]];
  const moved = Object.entries(before.data.values).map(([name, values]) => {
    return [
      `${name}, before`,
      Object.fromEntries(buckets.map((bucket, at) => [bucket, values[earlier[at] ?? ''] ?? 0])),
    ];
  });
  return { ...result, data: { ...result.data, values: { ...result.data.values, ...Object.fromEntries(moved) } } };
}

function isCounts(result: object): result is Extract<SeriesResult, { data: unknown }> {
  return isSeries(result) && 'data' in result;
}

function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
