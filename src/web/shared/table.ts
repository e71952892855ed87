import { escapeUnprintable } from '../../lang/util/strings.ts';
import { type ChartData, writeNumber } from './chart-data.ts';
import { createElement } from './dom.ts';
import { share } from './page-link.ts';

/** A column of a table: numbers stand right; a share has its bar in a column of its own. */
export interface TableColumn {
  readonly title: string;
  readonly kind: 'text' | 'number' | 'share';
}

/** A table with a caption for those who do not see it. */
export function createTable(
  caption: string,
  columns: readonly TableColumn[],
  rows: readonly HTMLElement[],
): HTMLTableElement {
  const heads = columns.map(({ title, kind }) => {
    const across = kind === 'share' ? { colspan: '2' } : {};
    return createElement('th', { scope: 'col', class: kind, ...across }, createElement('bdi', {}, title));
  });
  return createElement(
    'table',
    {},
    createElement('caption', { class: 'unseen' }, caption),
    createElement('thead', {}, createElement('tr', {}, ...heads)),
    createElement('tbody', {}, ...rows),
  );
}

/** The cells of a share: as a number, and as a bar. */
export function shareCells(part: number, whole: number, greatest: number): HTMLElement[] {
  const bar = createElement('div', { class: 'bar', 'aria-hidden': 'true' });
  bar.style.width = `${greatest === 0 ? 0 : Math.max(0, (100 * part) / greatest)}%`;
  return [createElement('td', { class: 'number' }, share(part, whole)), createElement('td', { class: 'bars' }, bar)];
}

/** A part of the page that scrolls by itself, also by keyboard. */
export function createScrollRegion(label: string, ...children: readonly HTMLElement[]): HTMLElement {
  return createElement('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, ...children);
}

/** Numbers over time as a table: a row for each bucket, and a column for each line. */
export function createBucketsTable(caption: string, unit: string, { buckets, lines }: ChartData): HTMLTableElement {
  const rows = buckets.map((bucket, at) => {
    const cells = lines.map(({ values }) => createElement('td', { class: 'number' }, writeNumber(values[at] ?? null)));
    return createElement('tr', {}, createElement('th', { scope: 'row' }, bucket), ...cells);
  });
  const names = lines.map(({ name }) => ({ title: escapeUnprintable(name), kind: 'number' }) as const);
  return createTable(caption, [{ title: unit, kind: 'text' }, ...names], rows);
}
