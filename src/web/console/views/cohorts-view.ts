import { formatInteger } from '../../../lang/util/strings.ts';
import { createElement } from '../../shared/dom.ts';
import { share } from '../../shared/page-link.ts';
import { createScrollRegion, createTable, type TableColumn } from '../../shared/table.ts';
import type { AnswerView } from './answer-view.ts';
import { Chooser } from './chooser.ts';

/** Users, and how many of these there are in each column. */
export interface ShownCohort {
  readonly first: number;
  readonly counts: readonly number[];
}

type ByName<Value> = Readonly<Record<string, Value>>;

/** What tells one kind of cohorts from another. */
export interface CohortKind {
  cohort(answered: unknown): ShownCohort;
  /** The title of a column. */
  title(at: number, asked: ReadonlyMap<string, string>): string;
}

const ALL = 'all users';
const SHARES = 'shares';

/** As many shades as the style sheet has. */
const SHADES = 10;

/** Shows a grid of cohorts over time, the shade of each cell by its share. */
export class CohortsView implements AnswerView {
  readonly root = createElement('div');
  private readonly segment = new Chooser('Segment', () => this.draw());
  private readonly measure = new Chooser('Show', () => this.draw());
  private readonly place = createScrollRegion('Cohorts');
  /** By segment, then by date. */
  private cohorts: ReadonlyMap<string, ReadonlyMap<string, ShownCohort>> = new Map();
  private titles: (at: number) => string = String;

  constructor(private readonly kind: CohortKind) {
    this.measure.offer([SHARES, 'users']);
    const controls = createElement('p', { class: 'controls' }, this.measure.root, this.segment.root);
    this.root.append(controls, this.place);
  }

  show(answer: unknown, asked: ReadonlyMap<string, string>): void {
    const cohorts = new Map<string, Map<string, ShownCohort>>();
    const dates = Object.entries(answer as ByName<unknown>).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [date, found] of dates) {
      const segments = asked.has('on') ? (found as ByName<unknown>) : { [ALL]: found };
      for (const [name, cohort] of Object.entries(segments))
        cohorts.set(name, (cohorts.get(name) ?? new Map()).set(date, this.kind.cohort(cohort)));
    }
    this.cohorts = cohorts;
    this.titles = (at) => this.kind.title(at, asked);
    this.segment.offer([...cohorts.keys()]);
    this.draw();
  }

  private draw(): void {
    const cohorts = [...(this.cohorts.get(this.segment.chosen) ?? [])];
    if (cohorts.length === 0) {
      this.place.replaceChildren(createElement('p', { class: 'nothing' }, 'Nothing was found.'));
      return;
    }
    const asShares = this.measure.chosen === SHARES;
    const width = Math.max(...cohorts.map(([, { counts }]) => counts.length));
    const columns = Array.from({ length: width }, (_, at): TableColumn => ({ title: this.titles(at), kind: 'number' }));
    const rows = cohorts.map(([date, cohort]) => rowOf(date, cohort, asShares));
    const made = createTable(
      'Cohorts over time',
      [{ title: 'Cohort', kind: 'text' }, { title: 'Users', kind: 'number' }, ...columns],
      rows,
    );
    made.classList.add('cohorts');
    this.place.replaceChildren(made);
  }
}

function rowOf(date: string, { first, counts }: ShownCohort, asShares: boolean): HTMLElement {
  const cells = counts.map((count) => {
    const shade = first === 0 ? 0 : Math.round((SHADES * count) / first);
    const text = asShares ? share(count, first) : formatInteger(count);
    return createElement('td', { class: 'number', 'data-shade': String(shade) }, text);
  });
  const head = createElement('th', { scope: 'row' }, date);
  return createElement('tr', {}, head, createElement('td', { class: 'number' }, formatInteger(first)), ...cells);
}
