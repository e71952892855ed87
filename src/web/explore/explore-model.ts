import { batch, computed, effect, type Signal, signal } from '@preact/signals';
import { type CheckOptions, type CheckResult, check } from '../../api/expressions.ts';
import { getCurrentTime } from '../../base/current-time.ts';
import type { AbsentName } from '../../data/name-census.ts';
import type { FilterNote } from '../../editor/element/show-findings.ts';
import { EventClient, type EventListener } from '../events/event-client.ts';
import type { Choice, EventRow, EventsQuery, EventsResult, LoadProgress } from '../events/messages.ts';
import { addCondition } from '../shared/add-condition.ts';
import { findSegmentCondition } from '../shared/segment-condition.ts';
import { listAbsentFindings } from './absent-findings.ts';
import { type ExplorerState, parseExplorerLink, SAMPLE_STATE, suggestExpressions } from './state.ts';

/** A page of the table of events: which are listed, and from which on. */
interface Listing {
  readonly choice: Choice;
  readonly from: number;
}

const FIRST_PAGE: Listing = { choice: 'matching', from: 0 };

/** The two expressions that are explored. */
export const PARTS = ['where', 'on'] as const;

export type Part = (typeof PARTS)[number];

export const PART_LABELS: Readonly<Record<Part, string>> = { where: 'Filter', on: 'Group by' };

/** Explores events with a filter and a grouping: what matches, and why. */
export class ExploreModel implements EventListener {
  readonly client = new EventClient(this);
  readonly state = signal(SAMPLE_STATE);
  /** The progress of reading the events; undefined before it begins. */
  readonly progress = signal<LoadProgress | undefined>(undefined);
  readonly hasEvents = computed(() => this.progress.value?.done === true);
  readonly schema = computed(() => ((this.progress.value?.events ?? 0) > 0 ? this.progress.value?.schema : undefined));
  /** Says which of the events of a server these are. */
  readonly note = signal('');
  readonly result = signal<EventsResult | undefined>(undefined);
  /** The event whose tree is shown. */
  readonly selected = signal<EventRow | undefined>(undefined);
  readonly checks = computed<Readonly<Record<Part, CheckResult>>>(() => ({
    where: check(this.state.value.where, this.options('where')),
    on: check(this.state.value.on, this.options('on')),
  }));
  /** A short message about an action that did nothing. */
  readonly notice = signal('');
  /** The page of the table of events. */
  readonly listing = signal<Listing>(FIRST_PAGE);
  readonly canRun = computed(() => PARTS.every((part) => this.isBlank(part) || this.checks.value[part].ok));
  /** Names in the expressions of the result that no event has. */
  private readonly absent: Signal<readonly AbsentName[]> = signal([]);
  /** The suggested expressions. Other events replace them, unless someone has edited them. */
  private suggested: Pick<ExplorerState, Part> = SAMPLE_STATE;

  constructor() {
    // Another view of the same result is no other query.
    const asked = computed(() => {
      const { view: _, ...query } = this.state.value;
      return JSON.stringify(query);
    });
    effect(() => {
      const { where, on, unit, unique }: Omit<ExplorerState, 'view'> = JSON.parse(asked.value);
      if (!this.hasEvents.value || !this.canRun.value) return;
      this.client.query({ where, on, unit, unique, now: getCurrentTime(), timeZone: this.client.timeZone });
    });
  }

  /** Returns how a part is checked. */
  options(part: Part): CheckOptions {
    const schema = this.schema.value;
    return { use: part, timeZone: this.client.timeZone, ...(schema && { schema }) };
  }

  isBlank(part: Part): boolean {
    return this.state.value[part].trim() === '';
  }

  /** Shows the state of a link. */
  follow(fragment: string): void {
    this.state.value = parseExplorerLink(fragment);
  }

  change(changes: Partial<ExplorerState>): void {
    this.notice.value = '';
    this.state.value = { ...this.state.value, ...changes };
  }

  /** Changes an expression. One that has an error stays. */
  edit(part: Part, change: (source: string) => string | undefined): void {
    const source = change(this.state.value[part]);
    if (source !== undefined) this.change({ [part]: source });
    else this.notice.value = 'The filter has an error: correct it first.';
  }

  /** Adds a segment of the result to the filter, or all others. */
  async filterBySegment(name: string, excluded: boolean): Promise<void> {
    const condition = await findSegmentCondition(this.client, this.state.value.on, name, excluded);
    if (condition === undefined) this.notice.value = 'The type of this value is unknown. Write the filter by hand.';
    else this.edit('where', (filter) => addCondition(filter, condition));
  }

  /** Takes over the events of a file that is being read. */
  onProgress(progress: LoadProgress): void {
    batch(() => {
      this.progress.value = progress;
      if (!progress.done) return;
      this.selected.value = undefined;
      const { where, on } = this.state.value;
      const suggestion = suggestExpressions(this.schema.value);
      if (where === this.suggested.where && on === this.suggested.on) this.change(suggestion);
      this.suggested = suggestion;
    });
  }

  onResult(result: EventsResult): void {
    batch(() => {
      this.result.value = result;
      this.listing.value = { ...this.listing.value, from: 0 };
      this.absent.value = [];
    });
  }

  onAbsent(query: EventsQuery, absent: readonly AbsentName[]): void {
    const shown = this.result.value?.query;
    if (shown !== undefined && query.where === shown.where && query.on === shown.on) this.absent.value = absent;
  }

  /** Returns what no event has in an expression, if the result belongs to it. */
  findNotes(part: Part): readonly FilterNote[] {
    const source = this.state.value[part];
    if (source.trim() === '' || this.result.value?.query[part] !== source) return [];
    return listAbsentFindings(source, this.absent.value);
  }

  /** Shows the tree of an event. */
  async openEvent(index: number): Promise<void> {
    const { rows } = await this.client.list('all', index, 1);
    this.selected.value = rows[0];
    this.change({ view: 'tree' });
  }
}
