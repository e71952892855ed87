import { escapeUnprintable } from '../util/printable.ts';
import { element } from './dom.ts';
import { type Lines, writeNumber } from './lines.ts';
import { table } from './table.ts';

/** Numbers over time as a table: a row for each bucket, and a column for each line. */
export function bucketsTable(caption: string, unit: string, { buckets, lines }: Lines): HTMLTableElement {
  const rows = buckets.map((bucket, at) => {
    const cells = lines.map(({ values }) => element('td', { class: 'number' }, writeNumber(values[at] ?? null)));
    return element('tr', {}, element('th', { scope: 'row' }, bucket), ...cells);
  });
  const names = lines.map(({ name }) => ({ title: escapeUnprintable(name), kind: 'number' }) as const);
  return table(caption, [{ title: unit, kind: 'text' }, ...names], rows);
}
