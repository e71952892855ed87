import { formatInteger } from '../../../lang/util/strings.ts';
import { createElement } from '../../shared/dom.ts';
import { formatShare } from '../../shared/page-link.ts';
import { createScrollRegion, createTable, type TableColumn } from '../../shared/table.ts';
import { Chooser } from './chooser.ts';
import type { ResultView } from './result-view.ts';

/** A cohort: its size, and the number of its users in each column. */
export interface ShownCohort {
  readonly first: number;
  readonly counts: readonly number[];
}

type ByName<Value> = Readonly<Record<string, Value>>;

/** How to read and label cohorts of one kind. */
export interface CohortKind {
  readCohort(json: unknown): ShownCohort;
  /** Returns the title of a column. */
  formatTitle(at: number, parameters: ReadonlyMap<string, string>): string;
}

const ALL = 'all users';
const PERCENT = 'percent';

/** The number of shades in the style sheet. */
const SHADES = 10;

/** Shows a table of cohorts over time. The shade of a cell shows its share of the cohort. */
export class CohortsView implements ResultView {
  readonly root = createElement('div');
  private readonly segment = new Chooser('Group', () => this.draw());
  private readonly measure = new Chooser('Show', () => this.draw());
  private readonly place = createScrollRegion('Cohorts');
  /** By segment, then by date. */
  private cohorts: ReadonlyMap<string, ReadonlyMap<string, ShownCohort>> = new Map();
  private titles: (at: number) => string = String;

  constructor(private readonly kind: CohortKind) {
    this.measure.offer([PERCENT, 'users']);
    const controls = createElement('p', { class: 'controls' }, this.measure.root, this.segment.root);
    this.root.append(controls, this.place);
  }

  show(result: unknown, parameters: ReadonlyMap<string, string>): void {
    const cohorts = new Map<string, Map<string, ShownCohort>>();
    const dates = Object.entries(result as ByName<unknown>).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [date, found] of dates) {
      const segments = parameters.has('on') ? (found as ByName<unknown>) : { [ALL]: found };
      for (const [name, cohort] of Object.entries(segments))
        cohorts.set(name, (cohorts.get(name) ?? new Map()).set(date, this.kind.readCohort(cohort)));
    }
    this.cohorts = cohorts;
    this.titles = (at) => this.kind.formatTitle(at, parameters);
    this.segment.offer([...cohorts.keys()]);
    this.draw();
  }

  private draw(): void {
    const cohorts = [...(this.cohorts.get(this.segment.value) ?? [])];
    if (cohorts.length === 0) {
      this.place.replaceChildren(createElement('p', { class: 'nothing' }, 'No results.'));
      return;
    }
    const asPercent = this.measure.value === PERCENT;
    const width = Math.max(...cohorts.map(([, { counts }]) => counts.length));
    const columns = Array.from({ length: width }, (_, at): TableColumn => ({ title: this.titles(at), kind: 'number' }));
    const rows = cohorts.map(([date, cohort]) => createRow(date, cohort, asPercent));
    const table = createTable(
      'Cohorts over time',
      [{ title: 'Cohort', kind: 'text' }, { title: 'Users', kind: 'number' }, ...columns],
      rows,
    );
    table.classList.add('cohorts');
    this.place.replaceChildren(table);
  }
}

function createRow(date: string, { first, counts }: ShownCohort, asPercent: boolean): HTMLElement {
  const cells = counts.map((count) => {
    const shade = first === 0 ? 0 : Math.round((SHADES * count) / first);
    const text = asPercent ? formatShare(count, first) : formatInteger(count);
    return createElement('td', { class: 'number', 'data-shade': String(shade) }, text);
  });
  const head = createElement('th', { scope: 'row' }, date);
  return createElement('tr', {}, head, createElement('td', { class: 'number' }, formatInteger(first)), ...cells);
}
