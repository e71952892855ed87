import { element } from './dom.ts';
import { share } from './share.ts';

/** A column of a table: numbers stand right; a share has its bar in a column of its own. */
export interface Column {
  readonly title: string;
  readonly kind: 'text' | 'number' | 'share';
}

/** A table with a caption for those who do not see it. */
export function table(caption: string, columns: readonly Column[], rows: readonly HTMLElement[]): HTMLTableElement {
  const heads = columns.map(({ title, kind }) => {
    const across = kind === 'share' ? { colspan: '2' } : {};
    return element('th', { scope: 'col', class: kind, ...across }, element('bdi', {}, title));
  });
  return element(
    'table',
    {},
    element('caption', { class: 'unseen' }, caption),
    element('thead', {}, element('tr', {}, ...heads)),
    element('tbody', {}, ...rows),
  );
}

/** The cells of a share: as a number, and as a bar. */
export function shareCells(part: number, whole: number, greatest: number): HTMLElement[] {
  const bar = element('div', { class: 'bar', 'aria-hidden': 'true' });
  bar.style.width = `${greatest === 0 ? 0 : Math.max(0, (100 * part) / greatest)}%`;
  return [element('td', { class: 'number' }, share(part, whole)), element('td', { class: 'bars' }, bar)];
}

/** A part of the page that scrolls by itself, also by keyboard. */
export function scrolling(label: string, ...children: readonly HTMLElement[]): HTMLElement {
  return element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, ...children);
}
