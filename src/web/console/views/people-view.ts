import { escapeUnprintable, formatInteger, truncate } from '../../../lang/util/strings.ts';
import { createButton, createElement } from '../../shared/dom.ts';
import { createScrollRegion, createTable } from '../../shared/table.ts';
import type { RequestParameters } from '../api.ts';
import type { ResultView } from './result-view.ts';

interface PeopleResult {
  readonly results: readonly {
    readonly $distinct_id: string;
    readonly $properties: Readonly<Record<string, unknown>>;
  }[];
  readonly page: number;
  readonly page_size: number;
  readonly session_id: string;
  readonly total: number;
}

/** The number of people on a page of the table. A result has many such pages. */
const ROWS = 50;

/** The number of columns, for the most frequent properties, and the characters of a value. */
const MAX_COLUMNS = 12;
const MAX_VALUE_LENGTH = 60;

/** Shows people in a table, page by page. */
export class PeopleView implements ResultView {
  readonly root = createElement('div');
  private readonly position = createElement('span', { role: 'status' });
  private readonly previous = createButton({ class: 'quiet' }, '← Previous', () => this.turn(-1));
  private readonly next = createButton({ class: 'quiet' }, 'Next →', () => this.turn(1));
  private readonly place = createScrollRegion('People');
  private result: PeopleResult | undefined;
  /** The index of the first person on the page. */
  private from = 0;
  /** The index of the first person on the page that is being loaded. */
  private requested = 0;

  /** @param runAgain Runs the same query with additional parameters, for another page. */
  constructor(private readonly runAgain: (parameters: RequestParameters) => void) {
    const pages = createElement('span', { class: 'pages' }, this.position, this.previous, this.next);
    this.root.append(createElement('div', { class: 'controls' }, pages), this.place);
  }

  show(result: unknown): void {
    const before = this.result;
    this.result = result as PeopleResult;
    this.from = before?.session_id === this.result.session_id ? this.requested : 0;
    this.draw();
  }

  private turn(pages: number): void {
    if (this.result === undefined) return;
    const { page, page_size, session_id } = this.result;
    this.requested = this.from + pages * getPageRows(page_size);
    const requestedPage = Math.floor(this.requested / page_size);
    if (requestedPage === page) {
      this.from = this.requested;
      this.draw();
    } else this.runAgain(Object.entries({ session_id, page: String(requestedPage) }));
  }

  private draw(): void {
    if (this.result === undefined) return;
    const { from } = this;
    const { page, page_size, results, total } = this.result;
    const start = from - page * page_size;
    const shown = results.slice(start, start + getPageRows(page_size));
    const range = `${formatInteger(from + 1)}–${formatInteger(from + shown.length)} of ${formatInteger(total)}`;
    this.position.textContent = total === 0 ? 'No people found' : range;
    this.previous.disabled = from === 0;
    this.next.disabled = from + shown.length >= total;
    this.place.hidden = shown.length === 0;
    const names = findMostFrequent(results.flatMap(({ $properties }) => Object.keys($properties)));
    const rows = shown.map(({ $distinct_id, $properties }) => {
      const cells = names.map((name) => createElement('td', {}, createText(formatValue($properties[name]))));
      return createElement('tr', {}, createElement('th', { scope: 'row' }, createText($distinct_id)), ...cells);
    });
    const columns = ['$distinct_id', ...names].map(
      (name) => ({ title: escapeUnprintable(name), kind: 'text' }) as const,
    );
    this.place.replaceChildren(createTable('People', columns, rows));
    this.place.scrollTop = 0;
  }
}

/** Returns the number of rows per page: one that divides the size of a result. */
function getPageRows(pageSize: number): number {
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

function createText(text: string): HTMLElement {
  return createElement('bdi', {}, escapeUnprintable(truncate(text, MAX_VALUE_LENGTH)));
}
