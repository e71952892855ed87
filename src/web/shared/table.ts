import { escapeUnprintable } from '../../lang/util/strings.ts';
import { type ChartData, formatNumber } from './chart-data.ts';
import { createElement } from './dom.ts';
import { formatShare } from './page-link.ts';

/** A column of a table. Numbers are aligned right; a share has a second column for its bar. */
export interface TableColumn {
  readonly title: string;
  readonly kind: 'text' | 'number' | 'share';
}

/** Creates a table with a caption for screen readers. */
export function createTable(
  caption: string,
  columns: readonly TableColumn[],
  rows: readonly HTMLElement[],
): HTMLTableElement {
  const heads = columns.map(({ title, kind }) => {
    const span = kind === 'share' ? { colspan: '2' } : {};
    return createElement('th', { scope: 'col', class: kind, ...span }, createElement('bdi', {}, title));
  });
  return createElement(
    'table',
    {},
    createElement('caption', { class: 'unseen' }, caption),
    createElement('thead', {}, createElement('tr', {}, ...heads)),
    createElement('tbody', {}, ...rows),
  );
}

/** Creates the cells of a share: its number, and a bar whose full width is `max`. */
export function createShareCells(part: number, whole: number, max: number): HTMLElement[] {
  const bar = createElement('div', { class: 'bar', 'aria-hidden': 'true' });
  bar.style.width = `${max === 0 ? 0 : Math.max(0, (100 * part) / max)}%`;
  return [
    createElement('td', { class: 'number' }, formatShare(part, whole)),
    createElement('td', { class: 'bars' }, bar),
  ];
}

/** Creates a region that scrolls, also by keyboard. */
export function createScrollRegion(label: string, ...children: readonly HTMLElement[]): HTMLElement {
  return createElement('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, ...children);
}

/** Creates a table of numbers over time: a row per bucket, a column per line. */
export function createBucketsTable(caption: string, unit: string, { buckets, lines }: ChartData): HTMLTableElement {
  const rows = buckets.map((bucket, at) => {
    const cells = lines.map(({ values }) => createElement('td', { class: 'number' }, formatNumber(values[at] ?? null)));
    return createElement('tr', {}, createElement('th', { scope: 'row' }, bucket), ...cells);
  });
  const names = lines.map(({ name }) => ({ title: escapeUnprintable(name), kind: 'number' }) as const);
  return createTable(caption, [{ title: unit, kind: 'text' }, ...names], rows);
}
