import { escapeUnprintable, formatInteger, truncate } from '../../../base/strings.ts';
import { createButton, createElement } from '../../../editor/dom.ts';
import type { RequestParameters } from '../../shared/query-api.ts';
import { createScrollRegion, createTable } from '../../shared/table.ts';
import type { ResultView } from './result-view.ts';

interface Result {
  readonly results: readonly {
    readonly $distinct_id: string;
    readonly $properties: Readonly<Record<string, unknown>>;
  }[];
  readonly page: number;
  readonly page_size: number;
  readonly session_id: string;
  readonly total: number;
}

/** Rows per page of the table. A response holds several of these pages. */
const ROWS = 50;

/** Columns for the most frequent properties, and characters of a value. */
const MAX_COLUMNS = 12;
const MAX_VALUE_LENGTH = 60;

/** Shows people in a table, page by page. */
export class PeopleView implements ResultView {
  readonly root = createElement('div');
  private readonly position = createElement('span', { role: 'status' });
  private readonly previous = createButton({ class: 'quiet' }, '← Previous', () => this.turn(-1));
  private readonly next = createButton({ class: 'quiet' }, 'Next →', () => this.turn(1));
  private readonly container = createScrollRegion('People');
  private result: Result | undefined;
  /** Index of the first row of the page, among all people. */
  private from = 0;
  /** The same, of the page that is being loaded. */
  private nextFrom = 0;

  /** @param loadPage Runs the same query again, with the parameters of another page. */
  constructor(private readonly loadPage: (parameters: RequestParameters) => void) {
    const pages = createElement('span', { class: 'pages' }, this.position, this.previous, this.next);
    this.root.append(createElement('div', { class: 'controls' }, pages), this.container);
  }

  show(result: unknown): void {
    const previous = this.result;
    this.result = result as Result;
    this.from = previous?.session_id === this.result.session_id ? this.nextFrom : 0;
    this.draw();
  }

  private turn(pages: number): void {
    if (this.result === undefined) return;
    const { page, page_size, session_id } = this.result;
    this.nextFrom = this.from + pages * getRowsPerPage(page_size);
    const nextPage = Math.floor(this.nextFrom / page_size);
    if (nextPage === page) {
      this.from = this.nextFrom;
      this.draw();
    } else this.loadPage(Object.entries({ session_id, page: String(nextPage) }));
  }

  private draw(): void {
    if (this.result === undefined) return;
    const { from } = this;
    const { page, page_size, results, total } = this.result;
    const start = from - page * page_size;
    const shown = results.slice(start, start + getRowsPerPage(page_size));
    const range = `${formatInteger(from + 1)}–${formatInteger(from + shown.length)} of ${formatInteger(total)}`;
    this.position.textContent = total === 0 ? 'No people match.' : range;
    this.previous.disabled = from === 0;
    this.next.disabled = from + shown.length >= total;
    this.container.hidden = shown.length === 0;
    const names = findMostFrequent(results.flatMap(({ $properties }) => Object.keys($properties)));
    const rows = shown.map(({ $distinct_id, $properties }) => {
      const cells = names.map((name) => createElement('td', {}, createCellContent(formatValue($properties[name]))));
      return createElement('tr', {}, createElement('th', { scope: 'row' }, createCellContent($distinct_id)), ...cells);
    });
    const columns = ['$distinct_id', ...names].map(
      (name) => ({ title: escapeUnprintable(name), kind: 'text' }) as const,
    );
    this.container.replaceChildren(createTable('People', columns, rows));
    this.container.scrollTop = 0;
  }
}

/** Returns the rows per page of the table, which divide a page of the API evenly. */
function getRowsPerPage(pageSize: number): number {
  return pageSize % ROWS === 0 ? ROWS : pageSize;
}

function findMostFrequent(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_COLUMNS)
    .map(([name]) => name);
}

function formatValue(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function createCellContent(text: string): HTMLElement {
  return createElement('bdi', {}, escapeUnprintable(truncate(text, MAX_VALUE_LENGTH)));
}
