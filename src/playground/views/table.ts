import { element } from '../dom.ts';

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
