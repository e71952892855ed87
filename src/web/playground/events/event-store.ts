import { type Compiled, compileOn, compileWhere } from '../../../api/expressions.ts';
import type { EventRecord } from '../../../data/event-record.ts';
import { Segmentation, type SegmentationResult } from '../../../data/segmentation.ts';
import { Tally } from '../../../data/tally.ts';
import { ExpressionTypeError } from '../../../lang/errors.ts';
import type { Choice, EventRow, EventsQuery, EventsResult, Page, QueryFailure, SegmentsResult } from './messages.ts';

/** The maximum number of groups, as in `onwhere segment`. */
const MAX_SEGMENTS = 60;

/** Milliseconds of work between checks for a newer query, which cancels this one. */
const SLICE = 40;
const BATCH_RECORDS = 1000;

/** Holds the events and runs queries over them. */
export class EventStore {
  private records: EventRecord[] = [];
  private matching: number[] = [];
  private others: number[] = [];
  private lastRun = 0;

  /** Removes all events. */
  clear(): void {
    this.lastRun++;
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

  /** Runs a query over all events. Resolves to undefined if a newer one replaced it. */
  async run(query: EventsQuery): Promise<EventsResult | undefined> {
    const id = ++this.lastRun;
    const run = new QueryRun(query);
    let due = performance.now() + SLICE;
    for (let from = 0; from < this.size && run.failure === undefined; from += BATCH_RECORDS) {
      run.process(this.records, from, Math.min(from + BATCH_RECORDS, this.size));
      if (performance.now() < due) continue;
      await handleMessages();
      if (id !== this.lastRun) return undefined;
      due = performance.now() + SLICE;
    }
    this.matching = run.matching;
    this.others = run.others;
    return run.createResult(this.size);
  }

  /** Returns a page of events, with the result of the last query for each. */
  list(choice: Choice, from: number, max: number): Page {
    const chosen = choice === 'all' ? undefined : this[choice];
    const count = chosen?.length ?? this.size;
    const indexes = Array.from({ length: Math.max(0, Math.min(max, count - from)) }, (_, at) => {
      return chosen === undefined ? from + at : (chosen[from + at] as number);
    });
    return { rows: indexes.map((index) => this.createRow(index)), count };
  }

  private createRow(index: number): EventRow {
    const { text: _, ...record } = this.records[index] as EventRecord;
    return { ...record, index, matches: this.matches(index) };
  }

  private matches(index: number): boolean | undefined {
    if (includes(this.matching, index)) return true;
    return includes(this.others, index) ? false : undefined;
  }
}

/** Lets the worker handle messages. */
function handleMessages(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Returns whether a number is in a sorted array. */
function includes(ascending: readonly number[], wanted: number): boolean {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] as number) < wanted) from = middle + 1;
    else to = middle;
  }
  return ascending[from] === wanted;
}

/** The state of a running query. */
class QueryRun {
  readonly matching: number[] = [];
  readonly others: number[] = [];
  failure: QueryFailure | undefined;
  private readonly where: Compiled<boolean> | undefined;
  private readonly on: Compiled<string[]> | undefined;
  private readonly users = new Tally(true);
  private readonly lacking = { time: 0, distinct_id: 0 };
  private readonly byEvents = new Segmentation(false, undefined);
  private readonly byUsers = new Segmentation(true, undefined);
  private readonly overTime: Segmentation;

  constructor(private readonly query: EventsQuery) {
    const { where, on, unit, unique, now } = query;
    this.where = where.trim() === '' ? undefined : compileWhere(where, { now });
    this.on = on.trim() === '' ? undefined : compileOn(on, { now });
    this.overTime = new Segmentation(unique, unit);
  }

  /** Processes the records of a range. A type error ends the run, as it ends a query. */
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
        if (on !== undefined) this.segment(on(record.properties, record.user), record);
      }
    } catch (error) {
      if (!(error instanceof ExpressionTypeError)) throw error;
      const { source, operator, found, span } = error;
      this.failure = { index, part, source, operator, found, span };
    }
  }

  createResult(events: number): EventsResult {
    const { query, failure, matching, users } = this;
    const segments = this.on === undefined || failure !== undefined ? undefined : this.createSegments();
    return { query, events, matching: matching.length, users: users.count, segments, failure };
  }

  private segment(names: readonly string[], record: EventRecord): void {
    this.byEvents.add(names, record);
    if (this.byUsers.add(names, record) !== undefined) this.lacking.distinct_id++;
    if (this.overTime.add(names, record) === 'time') this.lacking.time++;
  }

  private createSegments(): SegmentsResult {
    const totals = (this.query.unique ? this.byUsers : this.byEvents).result(MAX_SEGMENTS);
    const shown = new Set(totals.segments.map(({ name }) => name));
    const counts = (segmentation: Segmentation) => pickCounts(segmentation.result(Number.POSITIVE_INFINITY), shown);
    return {
      totals,
      events: counts(this.byEvents),
      users: counts(this.byUsers),
      overTime: this.overTime.result(MAX_SEGMENTS),
      lacking: this.lacking,
    };
  }
}

function pickCounts({ segments }: SegmentationResult, names: ReadonlySet<string>): Map<string, number> {
  return new Map(segments.filter(({ name }) => names.has(name)).map(({ name, count }) => [name, count]));
}
