import { escapeUnprintable, formatInteger, quoteString, truncate } from '../../../base/strings.ts';
import { createButton, createElement } from '../../../editor/dom.ts';
import type { PropertyRead } from '../../../lang/check/check.ts';
import { readProperty, showValue } from '../../../lang/value.ts';
import { CHOICES, type Choice, type EventRow, type Page } from '../../events/messages.ts';
import { createTable } from '../../shared/table.ts';
import { Tip } from './tip.ts';

/** Events on one page of the table. */
const ROWS = 50;

/** Columns for properties that the expressions read. */
const MAX_COLUMNS = 4;

/** Characters of a value in a cell, and of the cell with all other properties. */
const MAX_VALUE_LENGTH = 40;
const MAX_REST_LENGTH = 160;

const TITLES: Readonly<Record<Choice, string>> = { matching: 'matching', others: 'not matching', all: 'all' };

/** Provides events, and handles the selection. */
export interface EventsOwner {
  list(choice: Choice, from: number, limit: number): Promise<Page>;
  /** Explains why the filter is true or false for an event. */
  explainMatch(row: EventRow): string;
  select(row: EventRow): void;
}

/** Shows the events in a table, page by page. The tip of a row explains why it matches or not. */
export class EventsView {
  private readonly tip = new Tip();
  private readonly choice: HTMLSelectElement;
  private readonly position = createElement('span', { role: 'status' });
  private readonly previous = createButton({ class: 'quiet' }, '← Previous', () => this.turn(-ROWS));
  private readonly next = createButton({ class: 'quiet' }, 'Next →', () => this.turn(ROWS));
  private readonly list = createElement('div', {
    class: 'scroll events',
    tabindex: '0',
    role: 'region',
    'aria-label': 'Table of events',
  });
  private reads: readonly PropertyRead[] = [];
  private from = 0;
  private selected: number | undefined;

  constructor(
    panel: HTMLElement,
    private readonly owner: EventsOwner,
  ) {
    const options = CHOICES.map((choice) => createElement('option', { value: choice }, TITLES[choice]));
    this.choice = createElement('select', {}, ...options);
    this.choice.addEventListener('change', () => this.restart());
    const pages = createElement('span', { class: 'pages' }, this.position, this.previous, this.next);
    panel.append(
      createElement('div', { class: 'controls' }, createElement('label', {}, 'Show ', this.choice, ' events'), pages),
      this.list,
      this.tip.root,
    );
  }

  /** Shows the first page, with a column for each property that the expressions read. */
  show(reads: readonly PropertyRead[]): Promise<void> {
    this.reads = reads.slice(0, MAX_COLUMNS);
    return this.restart();
  }

  /** Marks an event as the selected one. */
  mark(index: number | undefined): void {
    this.selected = index;
    for (const row of this.list.querySelectorAll<HTMLElement>('tbody tr')) {
      const isSelected = row.dataset.index === String(index);
      row.classList.toggle('selected', isSelected);
      row.querySelector('button')?.setAttribute('aria-pressed', String(isSelected));
    }
  }

  private restart(): Promise<void> {
    this.from = 0;
    return this.load();
  }

  private turn(by: number): Promise<void> {
    this.from += by;
    return this.load();
  }

  private async load(): Promise<void> {
    const { from } = this;
    const choice = CHOICES[this.choice.selectedIndex] ?? 'matching';
    const { rows, count } = await this.owner.list(choice, from, ROWS);
    this.tip.hide();
    this.position.textContent =
      count === 0
        ? 'No events'
        : `${formatInteger(from + 1)}–${formatInteger(from + rows.length)} of ${formatInteger(count)}`;
    this.previous.disabled = from === 0;
    this.next.disabled = from + rows.length >= count;
    this.list.hidden = rows.length === 0;
    this.list.replaceChildren(this.createTable(rows, choice));
    this.list.scrollTop = 0;
    this.mark(this.selected);
  }

  private createTable(rows: readonly EventRow[], choice: Choice): HTMLTableElement {
    const columns = [
      'Event',
      'Filter',
      'Name',
      'Time',
      'User',
      ...this.reads.map(({ name }) => name),
      'Other properties',
    ];
    const shown = new Set(this.reads.map(({ name }) => name));
    return createTable(
      `Events: ${TITLES[choice]}`,
      columns.map((title) => ({ title: escapeUnprintable(title), kind: 'text' })),
      rows.map((row) => this.createRow(row, shown)),
    );
  }

  private createRow(row: EventRow, shown: ReadonlySet<string>): HTMLTableRowElement {
    const select = createButton({ class: 'number', 'aria-pressed': 'false' }, `#${row.index + 1}`, () =>
      this.owner.select(row),
    );
    const cells = [
      formatMatch(row.matches),
      row.event ?? '',
      row.time === undefined ? '' : formatTime(row.time),
      row.distinctId ?? '',
      ...this.reads.map(({ scope, name }) => {
        return showValue(readProperty(scope === 'user' ? row.user : row.properties, name));
      }),
    ];
    const element = createElement(
      'tr',
      { 'data-index': String(row.index), class: row.matches === true ? 'in' : 'out' },
      createElement('th', { scope: 'row' }, select),
      ...cells.map((text) =>
        createElement('td', {}, createElement('bdi', {}, escapeUnprintable(truncate(text, MAX_VALUE_LENGTH)))),
      ),
      createElement(
        'td',
        { class: 'others' },
        createElement('bdi', {}, escapeUnprintable(truncate(formatOtherProperties(row, shown), MAX_REST_LENGTH))),
      ),
    );
    element.addEventListener('click', () => this.owner.select(row));
    this.tip.attach(element, select, () => this.owner.explainMatch(row));
    return element;
  }
}

function formatMatch(matches: boolean | undefined): string {
  if (matches === undefined) return '– not evaluated';
  return matches ? '✓ true' : '✗ false';
}

function formatTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

function formatOtherProperties({ properties }: EventRow, shown: ReadonlySet<string>): string {
  const names = Object.keys(properties).filter((name) => !shown.has(name) && name !== 'time' && name !== 'distinct_id');
  const entries: string[] = [];
  for (let length = 0; names.length > 0 && length < MAX_REST_LENGTH; ) {
    const name = names.shift() ?? '';
    const entry = `${quoteString(name)}: ${truncate(showValue(readProperty(properties, name)), MAX_VALUE_LENGTH)}`;
    entries.push(entry);
    length += entry.length;
  }
  return entries.join(', ');
}
