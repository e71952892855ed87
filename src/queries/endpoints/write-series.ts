import { formatCsvRecord } from '../../base/strings.ts';
import type { Series } from '../requests.ts';

/** Serializes a time series as JSON, one series per piece, or as CSV, one row per piece. */
export function writeSeries(result: Series, format: 'json' | 'csv' = 'json'): Iterable<string> {
  return format === 'json' ? writeJson(result) : writeCsv(result);
}

/** Serializes the values of a series as a JSON object with the bucket labels as keys. */
export function stringifyLabelled(buckets: readonly string[], values: readonly number[]): string {
  // Far faster than `JSON.stringify` of an object with as many keys.
  const numbers = JSON.stringify(values).slice(1, -1).split(',');
  return `{${buckets.map((label, index) => `"${label}":${numbers[index]}`).join()}}`;
}

function* writeJson({ buckets, series }: Series): Generator<string> {
  yield `{"data":{"series":${JSON.stringify(buckets)},"values":{`;
  for (const [index, { name, values }] of series.entries())
    yield `${index === 0 ? '' : ','}${JSON.stringify(name)}:${stringifyLabelled(buckets, values)}`;
  yield `}},"legend_size":${series.length}}`;
}

function* writeCsv({ buckets, series }: Series): Generator<string> {
  yield formatCsvRow(['date', ...series.map(({ name }) => name)]);
  for (const [index, label] of buckets.entries())
    yield formatCsvRow([label, ...series.map(({ values }) => values[index] as number)]);
}

function formatCsvRow(cells: readonly (string | number)[]): string {
  return `${formatCsvRecord(cells)}\r\n`;
}
