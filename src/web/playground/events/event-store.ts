import { type Compiled, compileOn, compileWhere } from '../../../api/expressions.ts';
import type { EventRecord } from '../../../data/event-record.ts';
import { Segmentation, type SegmentationResult } from '../../../data/segmentation.ts';
import { Tally } from '../../../data/tally.ts';
import { ExpressionTypeError } from '../../../lang/errors.ts';
import type { Choice, EventRow, EventsQuery, EventsResult, Page, QueryFailure, SegmentsResult } from './messages.ts';

/** Segments in the table, as many as `onwhere segment` prints. */
const MAX_SEGMENTS = 60;

/** Milliseconds before the store yields to other messages: a newer query cancels an older one. */
const SLICE_MS = 40;
const RECORDS_PER_STEP = 1000;

/** Holds the events and answers queries about them. */
export class EventStore {
  private records: EventRecord[] = [];
  private matching: number[] = [];
  private others: number[] = [];
  private lastQuery = 0;

  /** Removes all events. */
  clear(): void {
    this.lastQuery++;
    this.records = [];
    this.matching = [];
    this.others = [];
  }

  get size(): number {
    return this.records.length;
  }

  /** All events, in the order of the file. */
  get all(): readonly EventRecord[] {
    return this.records;
  }

  add(records: readonly EventRecord[]): void {
    for (const record of records) this.records.push(record);
  }

  /** Runs a query over all events. Returns `undefined` if a newer query has started. */
  async query(query: EventsQuery): Promise<EventsResult | undefined> {
    const id = ++this.lastQuery;
    const run = new Run(query);
    let due = performance.now() + SLICE_MS;
    for (let from = 0; from < this.size && run.failure === undefined; from += RECORDS_PER_STEP) {
      run.process(this.records, from, Math.min(from + RECORDS_PER_STEP, this.size));
      if (performance.now() < due) continue;
      await yieldToMessages();
      if (id !== this.lastQuery) return undefined;
      due = performance.now() + SLICE_MS;
    }
    this.matching = run.matching;
    this.others = run.others;
    return run.getResult(this.size);
  }

  /** Returns up to `limit` events from an index on, with the outcome of the last query. */
  list(choice: Choice, from: number, limit: number): Page {
    const chosen = choice === 'all' ? undefined : this[choice];
    const count = chosen?.length ?? this.size;
    const indexes = Array.from({ length: Math.max(0, Math.min(limit, count - from)) }, (_, at) => {
      return chosen === undefined ? from + at : (chosen[from + at] as number);
    });
    return { rows: indexes.map((index) => this.row(index)), count };
  }

  private row(index: number): EventRow {
    const { text: _, whole: __, ...record } = this.records[index] as EventRecord;
    return { ...record, index, matches: this.getOutcome(index) };
  }

  private getOutcome(index: number): boolean | undefined {
    if (includes(this.matching, index)) return true;
    return includes(this.others, index) ? false : undefined;
  }
}

/** Lets the worker handle messages that have arrived. */
function yieldToMessages(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Tells whether a sorted array includes a number. */
function includes(ascending: readonly number[], wanted: number): boolean {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] as number) < wanted) from = middle + 1;
    else to = middle;
  }
  return ascending[from] === wanted;
}

/** The state of one query while it runs over the events. */
class Run {
  readonly matching: number[] = [];
  readonly others: number[] = [];
  failure: QueryFailure | undefined;
  private readonly where: Compiled<boolean> | undefined;
  private readonly on: Compiled<string[]> | undefined;
  private readonly users = new Tally(true);
  private readonly missing = { time: 0, distinct_id: 0 };
  private readonly byEvents = new Segmentation(false, undefined);
  private readonly byUsers = new Segmentation(true, undefined);
  private readonly overTime: Segmentation;

  constructor(private readonly query: EventsQuery) {
    const { where, on, unit, unique, now } = query;
    this.where = where.trim() === '' ? undefined : compileWhere(where, { now });
    this.on = on.trim() === '' ? undefined : compileOn(on, { now });
    this.overTime = new Segmentation(unique, unit);
  }

  /** Evaluates the records from `from` up to `to`, exclusive. A type error ends the query. */
  process(records: readonly EventRecord[], from: number, to: number): void {
    const { where, on } = this;
    let part: QueryFailure['part'] = 'where';
    let index = from;
    try {
      for (; index < to; index++) {
        part = 'where';
        const record = records[index] as EventRecord;
        if (where?.(record.properties, record.user) === false) {
          this.others.push(index);
          continue;
        }
        this.matching.push(index);
        if (record.distinctId !== undefined) this.users.add(record.distinctId);
        part = 'on';
        if (on !== undefined) this.addToSegments(on(record.properties, record.user), record);
      }
    } catch (error) {
      if (!(error instanceof ExpressionTypeError)) throw error;
      const { source, operator, found, span } = error;
      this.failure = { index, part, source, operator, found, span };
    }
  }

  getResult(events: number): EventsResult {
    const { query, failure, matching, users } = this;
    const segments = this.on === undefined || failure !== undefined ? undefined : this.getSegments();
    return { query, events, matching: matching.length, users: users.count, segments, failure };
  }

  private addToSegments(names: readonly string[], record: EventRecord): void {
    this.byEvents.add(names, record);
    if (this.byUsers.add(names, record) !== undefined) this.missing.distinct_id++;
    if (this.overTime.add(names, record) === 'time') this.missing.time++;
  }

  private getSegments(): SegmentsResult {
    const totals = (this.query.unique ? this.byUsers : this.byEvents).result(MAX_SEGMENTS);
    const shown = new Set(totals.segments.map(({ name }) => name));
    const counts = (segmentation: Segmentation) => getCounts(segmentation.result(Number.POSITIVE_INFINITY), shown);
    return {
      totals,
      events: counts(this.byEvents),
      users: counts(this.byUsers),
      overTime: this.overTime.result(MAX_SEGMENTS),
      missing: this.missing,
    };
  }
}

function getCounts({ segments }: SegmentationResult, names: ReadonlySet<string>): Map<string, number> {
  return new Map(segments.filter(({ name }) => names.has(name)).map(({ name, count }) => [name, count]));
}
