import { formatCsvRecord } from '../../../lang/util/strings.ts';
import type { Series } from '../../analytics/queries.ts';

/** Numbers over time as the interface shows them, a series or a line of CSV at a time. */
export function writeSeries(result: Series, format: 'json' | 'csv' = 'json'): Iterable<string> {
  return format === 'json' ? jsonPieces(result) : csvPieces(result);
}

/** The JSON of the numbers of a series by the labels of their buckets. */
export function stringifyLabelled(buckets: readonly string[], values: readonly number[]): string {
  // Far faster than an object with as many names.
  const numbers = JSON.stringify(values).slice(1, -1).split(',');
  return `{${buckets.map((label, index) => `"${label}":${numbers[index]}`).join()}}`;
}

function* jsonPieces({ buckets, series }: Series): Generator<string> {
  yield `{"data":{"series":${JSON.stringify(buckets)},"values":{`;
  for (const [index, { name, values }] of series.entries())
    yield `${index === 0 ? '' : ','}${JSON.stringify(name)}:${stringifyLabelled(buckets, values)}`;
  yield `}},"legend_size":${series.length}}`;
}

function* csvPieces({ buckets, series }: Series): Generator<string> {
  yield csvLine(['date', ...series.map(({ name }) => name)]);
  for (const [index, label] of buckets.entries())
    yield csvLine([label, ...series.map(({ values }) => values[index] as number)]);
}

function csvLine(cells: readonly (string | number)[]): string {
  return `${formatCsvRecord(cells)}\r\n`;
}
