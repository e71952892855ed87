import { Buckets } from '../buckets.ts';
import { countDays } from '../count-days.ts';
import type { Addiction, AddictionRequest, ByDate } from '../requests.ts';
import { AnswerGroups } from './answer-groups.ts';
import { EventExpressions } from './event-expressions.ts';
import { gather } from './event-table.ts';
import type { MemoryContext } from './memory-context.ts';
import { numberBuckets } from './number-buckets.ts';

/** Returns how many users did the event in at least n units of each period. */
export function countAddiction(context: MemoryContext, request: AddictionRequest): ByDate<Addiction> {
  const { dates, unit, addictionUnit, event, where, on, limit } = request;
  const { table, timeZone } = context;
  const periods = Buckets.units(dates, unit, timeZone);
  const units = Buckets.units(dates, addictionUnit, timeZone);
  const expressions = new EventExpressions(context);
  const [select, segment] = [expressions.compileFilter(where), expressions.compileSegments(on)];
  const rows = select(table.findRows(event === undefined ? undefined : [event], periods));
  const segments = segment(rows);
  const lengths = periods.labels.map((date) => countDays(date, unit) * (addictionUnit === 'hour' ? 24 : 1));
  const size = lengths.reduce((sum, length) => sum + length, 0);
  const numbers = numberBuckets(periods, table.times, rows);
  const users = gather(table.users, rows);
  const shape = { buckets: periods, isSegmented: on !== undefined, limit, size };
  const groups = new AnswerGroups({ segments, users, numbers }, shape);
  const activity = new Activity(groups.count, lengths, units.labels.length);
  const inUnits = numberBuckets(units, table.times, rows);
  for (let at = 0; at < rows.length; at++) {
    for (const group of groups.list(at)) {
      activity.add(group, numbers[at] as number, inUnits[at] as number, users[at] as number);
    }
  }
  const { overall, ...rest } = groups.summarize((group, period) => activity.list(group, period));
  return on === undefined ? { ...rest, overall } : rest;
}

/** Counts the users of each group and period by the number of units in which they were active. Users come in order. */
class Activity {
  private readonly maxLength: number;
  /** For each group, period and number, the users that were active in more units. */
  private readonly counts: Uint32Array;
  /** The last user of each group and period, plus 1, and the number of their units. */
  private readonly users: Uint32Array;
  private readonly sizes: Uint32Array;
  /** The last user of each group and unit, plus 1, and the period. */
  private readonly unitUsers: Uint32Array;
  private readonly unitPeriods: Uint32Array;

  /** @param lengths the units of each period */
  constructor(
    groups: number,
    private readonly lengths: readonly number[],
    private readonly units: number,
  ) {
    this.maxLength = lengths.reduce((longest, length) => Math.max(longest, length), 0);
    this.counts = new Uint32Array(groups * lengths.length * this.maxLength);
    this.users = new Uint32Array(groups * lengths.length);
    this.sizes = new Uint32Array(groups * lengths.length);
    this.unitUsers = new Uint32Array(groups * units);
    this.unitPeriods = new Uint32Array(groups * units);
  }

  add(group: number, period: number, unit: number, user: number): void {
    const inUnit = group * this.units + unit;
    // Where clocks change, a unit can be in two periods. The periods of a user come in order.
    if (this.unitUsers[inUnit] === user + 1 && this.unitPeriods[inUnit] === period) return;
    this.unitUsers[inUnit] = user + 1;
    this.unitPeriods[inUnit] = period;
    const cell = group * this.lengths.length + period;
    if (this.users[cell] !== user + 1) this.sizes[cell] = 0;
    this.users[cell] = user + 1;
    const size = this.sizes[cell] as number;
    this.sizes[cell] = size + 1;
    // A day can show an hour of the day before too; an answer has 24 numbers for it.
    if (size < this.maxLength) (this.counts[cell * this.maxLength + size] as number)++;
  }

  /** Returns how many users were active in at least 1, 2, … units of a period. */
  list(group: number, period: number): number[] {
    const first = (group * this.lengths.length + period) * this.maxLength;
    return [...this.counts.subarray(first, first + (this.lengths[period] as number))];
  }
}
