import { formatCsvRecord } from '../../base/strings.ts';
import type { ChartData } from './chart-data.ts';
import { readColor } from './theme.ts';

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

/** Paints a chart on its background, as a PNG file. */
export async function paintChart(canvas: HTMLCanvasElement): Promise<Blob | undefined> {
  const copy = document.createElement('canvas');
  Object.assign(copy, { width: canvas.width, height: canvas.height });
  const context = copy.getContext('2d');
  if (context === null) return undefined;
  context.fillStyle = readColor(document.documentElement, '--surface');
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0);
  return new Promise((resolve) => copy.toBlob((blob) => resolve(blob ?? undefined)));
}
