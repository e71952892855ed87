import { escapeUnprintable, formatInteger, truncate } from '../../../lang/util/strings.ts';
import { createButton, createElement } from '../../shared/dom.ts';
import { createScrollRegion, createTable } from '../../shared/table.ts';
import type { RequestParameters } from '../api.ts';
import type { AnswerView } from './answer-view.ts';

interface Answer {
  readonly results: readonly {
    readonly $distinct_id: string;
    readonly $properties: Readonly<Record<string, unknown>>;
  }[];
  readonly page: number;
  readonly page_size: number;
  readonly session_id: string;
  readonly total: number;
}

/** People on one page of the table, many of which an answer holds. */
const ROWS = 50;

/** Columns, for the properties that most people have, and characters of a value. */
const MAX_COLUMNS = 12;
const MAX_VALUE_LENGTH = 60;

/** Shows people in a table, page by page. */
export class PeopleView implements AnswerView {
  readonly root = createElement('div');
  private readonly position = createElement('span', { role: 'status' });
  private readonly previous = createButton({ class: 'quiet' }, '← Previous', () => this.turn(-1));
  private readonly next = createButton({ class: 'quiet' }, 'Next →', () => this.turn(1));
  private readonly place = createScrollRegion('People');
  private answer: Answer | undefined;
  /** Where the page of the table begins among all people. */
  private from = 0;
  /** Where the page begins that was turned to. */
  private wanted = 0;

  /** `ask` asks the same with more parameters: for what stands on another page. */
  constructor(private readonly ask: (parameters: RequestParameters) => void) {
    const pages = createElement('span', { class: 'pages' }, this.position, this.previous, this.next);
    this.root.append(createElement('div', { class: 'controls' }, pages), this.place);
  }

  show(answer: unknown): void {
    const before = this.answer;
    this.answer = answer as Answer;
    this.from = before?.session_id === this.answer.session_id ? this.wanted : 0;
    this.draw();
  }

  private turn(pages: number): void {
    if (this.answer === undefined) return;
    const { page, page_size, session_id } = this.answer;
    this.wanted = this.from + pages * rowsOf(page_size);
    const wanted = Math.floor(this.wanted / page_size);
    if (wanted === page) {
      this.from = this.wanted;
      this.draw();
    } else this.ask(Object.entries({ session_id, page: String(wanted) }));
  }

  private draw(): void {
    if (this.answer === undefined) return;
    const { from } = this;
    const { page, page_size, results, total } = this.answer;
    const start = from - page * page_size;
    const shown = results.slice(start, start + rowsOf(page_size));
    const range = `${formatInteger(from + 1)}–${formatInteger(from + shown.length)} of ${formatInteger(total)}`;
    this.position.textContent = total === 0 ? 'Nobody was found' : range;
    this.previous.disabled = from === 0;
    this.next.disabled = from + shown.length >= total;
    this.place.hidden = shown.length === 0;
    const names = mostFrequent(results.flatMap(({ $properties }) => Object.keys($properties)));
    const rows = shown.map(({ $distinct_id, $properties }) => {
      const cells = names.map((name) => createElement('td', {}, shownText(valueText($properties[name]))));
      return createElement('tr', {}, createElement('th', { scope: 'row' }, shownText($distinct_id)), ...cells);
    });
    const columns = ['$distinct_id', ...names].map(
      (name) => ({ title: escapeUnprintable(name), kind: 'text' }) as const,
    );
    this.place.replaceChildren(createTable('People', columns, rows));
    this.place.scrollTop = 0;
  }
}

/** As many as fit an answer evenly. */
function rowsOf(pageSize: number): number {
  return pageSize % ROWS === 0 ? ROWS : pageSize;
}

function mostFrequent(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_COLUMNS)
    .map(([name]) => name);
}

function valueText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function shownText(text: string): HTMLElement {
  return createElement('bdi', {}, escapeUnprintable(truncate(text, MAX_VALUE_LENGTH)));
}
