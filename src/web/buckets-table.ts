import { escapeUnprintable } from '../util/printable.ts';
import { createElement } from './dom.ts';
import { type ChartData, writeNumber } from './lines.ts';
import { createTable } from './table.ts';

/** Numbers over time as a table: a row for each bucket, and a column for each line. */
export function createBucketsTable(caption: string, unit: string, { buckets, lines }: ChartData): HTMLTableElement {
  const rows = buckets.map((bucket, at) => {
    const cells = lines.map(({ values }) => createElement('td', { class: 'number' }, writeNumber(values[at] ?? null)));
    return createElement('tr', {}, createElement('th', { scope: 'row' }, bucket), ...cells);
  });
  const names = lines.map(({ name }) => ({ title: escapeUnprintable(name), kind: 'number' }) as const);
  return createTable(caption, [{ title: unit, kind: 'text' }, ...names], rows);
}
