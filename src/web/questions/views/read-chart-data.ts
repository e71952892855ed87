import type { ChartData, ChartLine } from '../../shared/chart-data.ts';

type Values = Readonly<Record<string, number>>;

/** Several series, or the single series of a sum or an average. */
export type SeriesResult =
  | { readonly data: { readonly series: readonly string[]; readonly values: Readonly<Record<string, Values>> } }
  | { readonly results: Readonly<Record<string, number | null>> };

/** Returns the lines of a result, in the order of the response. */
export function readChartData(result: SeriesResult, parameters: ReadonlyMap<string, string>): ChartData {
  if ('results' in result) {
    const entries = Object.entries(result.results).sort(([a], [b]) => (a < b ? -1 : 1));
    const line = { name: parameters.get('event') ?? '', values: entries.map(([, value]) => value) };
    return { buckets: entries.map(([bucket]) => bucket), lines: [line] };
  }
  const buckets = [...result.data.series].sort();
  const lines = Object.entries(result.data.values).map(([name, found]): ChartLine => {
    const values = buckets.map((bucket) => found[bucket] ?? 0);
    // Only totals of events add up: the same user may be in several buckets.
    return {
      name,
      values,
      ...((parameters.get('type') ?? 'general') === 'general' && {
        total: values.reduce((total, number) => total + number, 0),
      }),
    };
  });
  return { buckets, lines };
}

/** Returns whether a result is numbers over time. */
export function isSeries(result: unknown): result is SeriesResult {
  const { data, results } = result as { readonly data?: { readonly series?: unknown }; readonly results?: unknown };
  return Array.isArray(data?.series) || (typeof results === 'object' && !Array.isArray(results));
}
