import { trace } from '../../api/explain.ts';
import { type CheckOptions, type CheckResult, check } from '../../api/expressions.ts';
import type { AbsentName } from '../../data/name-census.ts';
import '../../editor/element/index.ts';
import { getCurrentTime } from '../../base/current-time.ts';
import { escapeUnprintable } from '../../base/strings.ts';
import type { FilterElement } from '../../editor/element/filter-element.ts';
import type { FilterNote } from '../../editor/element/show-findings.ts';
import type { Schema } from '../../lang/check/schema.ts';
import { why } from '../../lang/explain/why.ts';
import type { EventClient } from '../events/event-client.ts';
import type { EventRow, EventsQuery, EventsResult, LoadProgress } from '../events/messages.ts';
import { addCondition } from '../shared/add-condition.ts';
import { getById } from '../shared/dom.ts';
import { findSegmentCondition } from '../shared/segment-condition.ts';
import { listAbsentFindings } from './absent-findings.ts';
import {
  type ExplorerState,
  formatExplorerLink,
  parseExplorerLink,
  START,
  suggestExpressions,
  VIEWS,
} from './state.ts';
import { CountsView } from './views/counts-view.ts';
import { EventsView } from './views/events-view.ts';
import { SegmentsView } from './views/segments-view.ts';
import { showQueryError, showSummary } from './views/show-summary.ts';
import { Tabs } from './views/tabs.ts';
import { TreeView } from './views/tree-view.ts';

/** The two expressions of a query. */
const PARTS = ['where', 'on'] as const;

type Part = (typeof PARTS)[number];

const LABELS: Readonly<Record<Part, string>> = { where: 'Filter', on: 'Group by' };

/** The parts of the page around the explorer. */
export interface ExplorerHost {
  /** Saves the state of the page in its link. */
  saveLink(): void;
}

/** Explores the events of a file with a filter and a grouping: its state, the schema of the events, and the views. */
export class Explorer {
  private state = START;
  private schema: Schema | undefined;
  private checks: Readonly<Record<Part, CheckResult>>;
  private result: EventsResult | undefined;
  /** Names in the expressions of the result that no event has. */
  private absent: readonly AbsentName[] = [];
  private hasEvents = false;
  private selected: EventRow | undefined;
  /** The suggested expressions. Other events replace them, unless someone has edited them. */
  private suggested: Pick<ExplorerState, 'where' | 'on'> = START;
  private readonly editors: Readonly<Record<Part, FilterElement>> = {
    where: this.createEditor('where'),
    on: this.createEditor('on'),
  };
  private readonly counts = new CountsView(getById('counts'), (query) => this.client.count(query));
  private readonly tabs = new Tabs(getById('tabs'), (name) => {
    this.change({ view: VIEWS.find((view) => view === name) ?? this.state.view });
  });
  private readonly segments = new SegmentsView(
    getById('panel-segments'),
    (settings) => this.change(settings),
    (name, excluded) => void this.filterBySegment(name, excluded),
  );
  private readonly events = new EventsView(getById('panel-events'), {
    list: (choice, from, limit) => this.client.list(choice, from, limit),
    explainMatch: (row) => this.explainMatch(row),
    select: (row) => this.select(row),
  });
  private readonly tree = new TreeView(getById('panel-tree'));

  constructor(
    private readonly client: EventClient,
    private readonly host: ExplorerHost,
  ) {
    this.checks = this.checkBoth();
  }

  /** Returns the fragment of a link to the state. */
  formatLink(): string {
    return formatExplorerLink(this.state);
  }

  /** Takes over the state of another link. */
  open(fragment: string): void {
    this.follow(parseExplorerLink(fragment));
  }

  private createEditor(part: Part): FilterElement {
    const editor = getById<FilterElement>(part);
    editor.value = this.state[part];
    editor.addEventListener('input', () => this.change({ [part]: editor.value }));
    return editor;
  }

  private check(part: Part): CheckResult {
    return check(this.state[part], this.options(part));
  }

  private checkBoth(): Readonly<Record<Part, CheckResult>> {
    return { where: this.check('where'), on: this.check('on') };
  }

  private options(part: Part): CheckOptions {
    return { use: part, timeZone: this.client.timeZone, ...(this.schema && { schema: this.schema }) };
  }

  /** Takes over the events of a file that is being read. */
  showProgress(progress: LoadProgress): void {
    this.hasEvents = progress.done;
    if (!progress.done) return;
    this.schema = progress.events > 0 ? progress.schema : undefined;
    for (const part of PARTS) {
      this.editors[part].schema = this.schema;
      this.editors[part].setAttribute('time-zone', this.client.timeZone);
    }
    this.select(undefined);
    this.suggest();
    this.checkAndRun();
  }

  /** Replaces the suggested expressions, unless someone has edited them. */
  private suggest(): void {
    const { state, suggested } = this;
    const suggestion = suggestExpressions(this.schema);
    if (state.where === suggested.where && state.on === suggested.on) this.follow({ ...state, ...suggestion });
    this.suggested = suggestion;
  }

  private change(changes: Partial<ExplorerState>): void {
    const before = this.state;
    this.state = { ...before, ...changes };
    this.host.saveLink();
    const { where, on, unit, unique } = this.state;
    const queryChanged = where !== before.where || on !== before.on || unit !== before.unit || unique !== before.unique;
    if (queryChanged) this.checkAndRun();
    else this.show();
  }

  /** Adds the segment of a result to the filter, or all others. */
  private async filterBySegment(name: string, excluded: boolean): Promise<void> {
    const condition = await findSegmentCondition(this.client, this.state.on, name, excluded);
    this.edit('where', (filter) => condition && addCondition(filter, condition));
  }

  /** Changes an expression. One that has an error stays. */
  edit(part: Part, change: (source: string) => string | undefined): void {
    const source = change(this.state[part]);
    if (source === undefined) this.editors[part].focus();
    else this.follow({ ...this.state, [part]: source });
  }

  /** Takes over the state of another link. */
  private follow(state: ExplorerState): void {
    this.change(state);
    for (const part of PARTS) this.editors[part].value = state[part];
  }

  /** Checks the expressions, and runs the query if both are valid. */
  private checkAndRun(): void {
    this.checks = this.checkBoth();
    this.show();
    if (!this.hasEvents || !this.canRun()) return;
    const { where, on, unit, unique } = this.state;
    this.client.query({ where, on, unit, unique, now: getCurrentTime(), timeZone: this.client.timeZone });
  }

  private canRun(): boolean {
    return PARTS.every((part) => this.isEmpty(part) || this.checks[part].ok);
  }

  private isEmpty(part: Part): boolean {
    return this.state[part].trim() === '';
  }

  showResult(result: EventsResult): void {
    this.result = result;
    this.absent = [];
    this.show();
    this.segments.show(result);
    this.counts.show(result);
    void this.events.show(PARTS.flatMap((part) => this.checks[part].properties));
  }

  showAbsent(query: EventsQuery, absent: readonly AbsentName[]): void {
    const shown = this.result?.query;
    if (shown === undefined || query.where !== shown.where || query.on !== shown.on) return;
    this.absent = absent;
    this.show();
  }

  private show(): void {
    this.tabs.show(this.state.view);
    this.segments.set(this.state);
    for (const part of PARTS) this.editors[part].notes = this.findAbsent(part);
    this.showTree();
    this.showSummary();
  }

  /** Returns what no event has in an expression, if the result belongs to it. */
  private findAbsent(part: Part): FilterNote[] {
    const source = this.state[part];
    return source.trim() !== '' && this.result?.query[part] === source ? listAbsentFindings(source, this.absent) : [];
  }

  private showSummary(): void {
    const summary = getById('summary');
    if (this.result !== undefined) showSummary(summary, this.result, this.canRun(), (index) => void this.goTo(index));
    else if (!this.canRun()) showQueryError(summary);
  }

  private select(row: EventRow | undefined): void {
    this.selected = row;
    this.events.mark(row?.index);
    this.showTree();
  }

  /** Shows the trees of the expressions. One with a syntax error has no tree. */
  private showTree(): void {
    const shown = PARTS.filter((part) => this.checks[part].types.length > 0).map((part) => {
      return { title: LABELS[part], source: this.state[part], options: this.options(part) };
    });
    this.tree.show(shown, this.selected, this.result?.query ?? { now: 0, timeZone: this.client.timeZone });
  }

  /** Explains why the filter of the last query is true or false for an event. */
  private explainMatch({ properties, user }: EventRow): string {
    const { where, now, timeZone } = this.result?.query ?? { where: '', now: 0, timeZone: 'UTC' };
    if (where.trim() === '') return 'There is no filter: every event matches.';
    return why(trace(where, properties, user, { use: 'where', now, timeZone }))
      .map(({ message }) => escapeUnprintable(message))
      .join('\n');
  }

  /** Selects an event and shows it on the tab with the tree. */
  private async goTo(index: number): Promise<void> {
    const { rows } = await this.client.list('all', index, 1);
    this.select(rows[0]);
    this.change({ view: 'tree' });
  }
}
