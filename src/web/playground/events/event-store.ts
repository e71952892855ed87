import { type Compiled, compileOn, compileWhere } from '../../../api/expressions.ts';
import type { EventRecord } from '../../../data/event-record.ts';
import { Segmentation, type SegmentationResult } from '../../../data/segmentation.ts';
import { Tally } from '../../../data/tally.ts';
import { ExpressionTypeError } from '../../../lang/errors.ts';
import type { Choice, EventRow, EventsAnswer, EventsQuery, OpenFailure, Page, SegmentsAnswer } from './messages.ts';

/** Segments in the table, as `onwhere segment` prints them. */
const MAX_SEGMENTS = 60;

/** Work for so many milliseconds before others get a turn: a newer query ends an older one. */
const SLICE = 40;
const RECORDS_AT_ONCE = 1000;

/** Holds the events and answers queries about them. */
export class EventStore {
  private records: EventRecord[] = [];
  private matching: number[] = [];
  private others: number[] = [];
  private turn = 0;

  /** Forgets all events. */
  clear(): void {
    this.turn++;
    this.records = [];
    this.matching = [];
    this.others = [];
  }

  get size(): number {
    return this.records.length;
  }

  /** Every event, in the order of the file. */
  get all(): readonly EventRecord[] {
    return this.records;
  }

  add(records: readonly EventRecord[]): void {
    for (const record of records) this.records.push(record);
  }

  /** Judges every event; undefined where a newer query came in between. */
  async ask(query: EventsQuery): Promise<EventsAnswer | undefined> {
    const turn = ++this.turn;
    const run = new Run(query);
    let due = performance.now() + SLICE;
    for (let from = 0; from < this.size && run.failure === undefined; from += RECORDS_AT_ONCE) {
      run.judge(this.records, from, Math.min(from + RECORDS_AT_ONCE, this.size));
      if (performance.now() < due) continue;
      await othersTurn();
      if (turn !== this.turn) return undefined;
      due = performance.now() + SLICE;
    }
    this.matching = run.matching;
    this.others = run.others;
    return run.answer(this.size);
  }

  /** Some of the events as the last query judged them. */
  list(choice: Choice, from: number, most: number): Page {
    const chosen = choice === 'all' ? undefined : this[choice];
    const count = chosen?.length ?? this.size;
    const indexes = Array.from({ length: Math.max(0, Math.min(most, count - from)) }, (_, at) => {
      return chosen === undefined ? from + at : (chosen[from + at] as number);
    });
    return { rows: indexes.map((index) => this.row(index)), count };
  }

  private row(index: number): EventRow {
    const { text: _, ...record } = this.records[index] as EventRecord;
    return { ...record, index, matches: this.judgement(index) };
  }

  private judgement(index: number): boolean | undefined {
    if (includes(this.matching, index)) return true;
    return includes(this.others, index) ? false : undefined;
  }
}

/** Lets messages in. */
function othersTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Whether a number is among ascending ones. */
function includes(ascending: readonly number[], wanted: number): boolean {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] as number) < wanted) from = middle + 1;
    else to = middle;
  }
  return ascending[from] === wanted;
}

/** One query on its way over the events. */
class Run {
  readonly matching: number[] = [];
  readonly others: number[] = [];
  failure: OpenFailure | undefined;
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

  /** Judges the records from one index up to another. A type error ends the run, as it ends a query. */
  judge(records: readonly EventRecord[], from: number, to: number): void {
    const { where, on } = this;
    let part: OpenFailure['part'] = 'where';
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

  answer(events: number): EventsAnswer {
    const { query, failure, matching, users } = this;
    const segments = this.on === undefined || failure !== undefined ? undefined : this.segments();
    return { query, events, matching: matching.length, users: users.count, segments, failure };
  }

  private segment(names: readonly string[], record: EventRecord): void {
    this.byEvents.add(names, record);
    if (this.byUsers.add(names, record) !== undefined) this.lacking.distinct_id++;
    if (this.overTime.add(names, record) === 'time') this.lacking.time++;
  }

  private segments(): SegmentsAnswer {
    const totals = (this.query.unique ? this.byUsers : this.byEvents).result(MAX_SEGMENTS);
    const shown = new Set(totals.segments.map(({ name }) => name));
    const counts = (segmentation: Segmentation) => countsOf(segmentation.result(Number.POSITIVE_INFINITY), shown);
    return {
      totals,
      events: counts(this.byEvents),
      users: counts(this.byUsers),
      overTime: this.overTime.result(MAX_SEGMENTS),
      lacking: this.lacking,
    };
  }
}

function countsOf({ segments }: SegmentationResult, names: ReadonlySet<string>): Map<string, number> {
  return new Map(segments.filter(({ name }) => names.has(name)).map(({ name, count }) => [name, count]));
}
