import { formatInteger } from '../../../base/strings.ts';
import { createElement } from '../../../editor/dom.ts';
import { formatShare } from '../../shared/page-link.ts';
import { createScrollRegion, createTable, type TableColumn } from '../../shared/table.ts';
import { Chooser } from './chooser.ts';
import type { ResultView } from './result-view.ts';

/** The size of a cohort, and how many of its users are in each column. */
export interface CohortRow {
  readonly first: number;
  readonly counts: readonly number[];
}

type ByName<Value> = Readonly<Record<string, Value>>;

/** How to read and title one kind of cohorts. */
export interface CohortKind {
  toCohort(value: unknown): CohortRow;
  /** Formats the title of a column. */
  formatTitle(at: number, parameters: ReadonlyMap<string, string>): string;
}

const ALL = 'all users';
const SHARES = 'shares';

/** The number of shades in the style sheet. */
const SHADES = 10;

/** Shows cohorts as a grid: a row per date, and cells shaded by their share. */
export class CohortsView implements ResultView {
  readonly root = createElement('div');
  private readonly segment = new Chooser('Segment', () => this.draw());
  private readonly measure = new Chooser('Show', () => this.draw());
  private readonly container = createScrollRegion('Cohorts');
  /** By segment, then by date. */
  private cohorts: ReadonlyMap<string, ReadonlyMap<string, CohortRow>> = new Map();
  private formatTitle: (at: number) => string = String;

  constructor(private readonly kind: CohortKind) {
    this.measure.setChoices([SHARES, 'users']);
    const controls = createElement('p', { class: 'controls' }, this.measure.root, this.segment.root);
    this.root.append(controls, this.container);
  }

  show(result: unknown, parameters: ReadonlyMap<string, string>): void {
    const cohorts = new Map<string, Map<string, CohortRow>>();
    const dates = Object.entries(result as ByName<unknown>).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [date, found] of dates) {
      const segments = parameters.has('on') ? (found as ByName<unknown>) : { [ALL]: found };
      for (const [name, cohort] of Object.entries(segments))
        cohorts.set(name, (cohorts.get(name) ?? new Map()).set(date, this.kind.toCohort(cohort)));
    }
    this.cohorts = cohorts;
    this.formatTitle = (at) => this.kind.formatTitle(at, parameters);
    this.segment.setChoices([...cohorts.keys()]);
    this.draw();
  }

  private draw(): void {
    const cohorts = [...(this.cohorts.get(this.segment.value) ?? [])];
    if (cohorts.length === 0) {
      this.container.replaceChildren(createElement('p', { class: 'nothing' }, 'No data for this query.'));
      return;
    }
    const asShares = this.measure.value === SHARES;
    const width = Math.max(...cohorts.map(([, { counts }]) => counts.length));
    const columns = Array.from(
      { length: width },
      (_, at): TableColumn => ({ title: this.formatTitle(at), kind: 'number' }),
    );
    const rows = cohorts.map(([date, cohort]) => createRow(date, cohort, asShares));
    const table = createTable(
      'Cohorts over time',
      [{ title: 'Cohort', kind: 'text' }, { title: 'Users', kind: 'number' }, ...columns],
      rows,
    );
    table.classList.add('cohorts');
    this.container.replaceChildren(table);
  }
}

function createRow(date: string, { first, counts }: CohortRow, asShares: boolean): HTMLElement {
  const cells = counts.map((count) => {
    const shade = first === 0 ? 0 : Math.round((SHADES * count) / first);
    const text = asShares ? formatShare(count, first) : formatInteger(count);
    return createElement('td', { class: 'number', 'data-shade': String(shade) }, text);
  });
  const head = createElement('th', { scope: 'row' }, date);
  return createElement('tr', {}, head, createElement('td', { class: 'number' }, formatInteger(first)), ...cells);
}
