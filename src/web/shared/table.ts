import { escapeUnprintable } from '../../base/strings.ts';
import { createElement } from '../../editor/dom.ts';
import { type ChartData, formatLineValue } from './chart-data.ts';
import { formatShare } from './page-link.ts';

/** A column of a table. Numbers are aligned right; a share takes two columns, a number and a bar. */
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

/** Called when someone chooses a segment, to see only it or, with the Alt key, all others. */
export type OnChooseSegment = (name: string, excluded: boolean) => void;

/** Creates the name of a segment: a button if segments can be chosen. */
export function createSegmentName(name: string, onChoose?: OnChooseSegment): HTMLElement {
  const shown = createElement('bdi', {}, escapeUnprintable(name));
  if (onChoose === undefined) return shown;
  const title = 'Filter by this; with Alt, by all others';
  const button = createElement('button', { type: 'button', class: 'link', title }, shown);
  button.addEventListener('click', ({ altKey }) => onChoose(name, altKey));
  return button;
}

/** Creates the row of a segment: its name, cells, and a share. Its bar can be chosen like its name. */
export function createSegmentRow(
  name: string,
  cells: readonly HTMLElement[],
  share: readonly HTMLElement[],
  onChoose?: OnChooseSegment,
): HTMLElement {
  const [bar] = share.slice(-1);
  if (onChoose !== undefined) {
    bar?.classList.add('choosable');
    bar?.addEventListener('click', ({ altKey }) => onChoose(name, altKey));
  }
  const title = createElement('th', { scope: 'row' }, createSegmentName(name, onChoose));
  return createElement('tr', {}, title, ...cells, ...share);
}

/**
 * Creates the two cells of a share: a number and a bar.
 *
 * @param max The part whose bar has the full width.
 */
export function createShareCells(part: number, whole: number, max: number): HTMLElement[] {
  const bar = createElement('div', { class: 'bar', 'aria-hidden': 'true' });
  bar.style.width = `${max === 0 ? 0 : Math.max(0, (100 * part) / max)}%`;
  return [
    createElement('td', { class: 'number' }, formatShare(part, whole)),
    createElement('td', { class: 'bars' }, bar),
  ];
}

/** Creates a region that scrolls, also with the keyboard. */
export function createScrollRegion(label: string, ...children: readonly HTMLElement[]): HTMLElement {
  return createElement('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, ...children);
}

/** Creates a table of numbers over time, with a row per bucket and a column per line. */
export function createBucketsTable(caption: string, unit: string, { buckets, lines }: ChartData): HTMLTableElement {
  const rows = buckets.map((bucket, at) => {
    const cells = lines.map(({ values }) =>
      createElement('td', { class: 'number' }, formatLineValue(values[at] ?? null)),
    );
    return createElement('tr', {}, createElement('th', { scope: 'row' }, bucket), ...cells);
  });
  const names = lines.map(({ name }) => ({ title: escapeUnprintable(name), kind: 'number' }) as const);
  return createTable(caption, [{ title: unit, kind: 'text' }, ...names], rows);
}
