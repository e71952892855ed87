import { formatCsvRecord } from '../../base/strings.ts';
import type { ChartData } from './chart-data.ts';

/** Saves a file of the page, as the browser saves downloads. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Formats numbers over time as CSV: a record for each bucket, a column for each line. A missing number is empty. */
export function formatChartCsv({ buckets, lines }: ChartData): string {
  const head = ['time', ...lines.map(({ name }) => name)];
  const records = buckets.map((bucket, at) => [bucket, ...lines.map(({ values }) => values[at] ?? '')]);
  return [head, ...records].map((cells) => `${formatCsvRecord(cells)}\r\n`).join('');
}
