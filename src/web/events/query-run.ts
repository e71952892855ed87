import { type Compiled, compileOn, compileWhere } from '../../api/expressions.ts';
import type { EventRecord } from '../../data/event-record.ts';
import { createFieldReader, EVENT_PROPERTY } from '../../data/field-mapping.ts';
import { Segmentation, type SegmentationResult } from '../../data/segmentation.ts';
import { Tally } from '../../data/tally.ts';
import { ExpressionTypeError } from '../../lang/errors.ts';
import { findTimeZone } from '../../lang/operators/time-zone.ts';
import type { EventsQuery, EventsResult, QueryFailure, SegmentsResult } from './messages.ts';

/** Segments in the table, as many as `onwhere segment` prints. */
const MAX_SEGMENTS = 60;

/** The state of one query while it runs over the events. */
export class QueryRun {
  readonly matching: number[] = [];
  readonly others: number[] = [];
  failure: QueryFailure | undefined;
  private readonly where: Compiled<boolean> | undefined;
  private readonly on: Compiled<string[]> | undefined;
  private readonly read: (record: EventRecord) => EventRecord;
  private readonly users = new Tally(true);
  private readonly missing = { time: 0, distinct_id: 0 };
  private readonly byEvents = new Segmentation(false, undefined);
  private readonly byUsers = new Segmentation(true, undefined);
  private readonly overTime: Segmentation;

  constructor(private readonly query: EventsQuery) {
    const { where, on, unit, unique, now, timeZone } = query;
    this.where = where.trim() === '' ? undefined : compileWhere(where, { now, timeZone });
    this.on = on.trim() === '' ? undefined : compileOn(on, { now, timeZone });
    const properties = [this.where, this.on].flatMap((compiled) => compiled?.properties ?? []);
    this.read = createFieldReader({ withEvent: properties.some(({ name }) => name === EVENT_PROPERTY) });
    this.overTime = new Segmentation(unique, unit, findTimeZone(timeZone));
  }

  /** Evaluates the records from `from` up to `to`, exclusive. A type error ends the query. */
  process(records: readonly EventRecord[], from: number, to: number): void {
    const { where, on } = this;
    let part: QueryFailure['part'] = 'where';
    let index = from;
    try {
      for (; index < to; index++) {
        part = 'where';
        const record = this.read(records[index] as EventRecord);
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
