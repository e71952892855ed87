import { Buckets } from '../buckets.ts';
import { countDays } from '../count-days.ts';
import type { Addiction, AddictionRequest, ByDate } from '../requests.ts';
import { AnswerGroups } from './answer-groups.ts';
import { EventExpressions } from './event-expressions.ts';
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
  const users = rows.map((row) => table.users[row] as number);
  const shape = { buckets: periods, isSegmented: on !== undefined, limit, size };
  const groups = new AnswerGroups({ segments, users, numbers }, shape);
  const activity = new Activity(groups.count * lengths.length, Math.max(...lengths));
  const inUnits = numberBuckets(units, table.times, rows);
  for (let at = 0; at < rows.length; at++) {
    for (const group of groups.list(at)) {
      const cell = group * lengths.length + (numbers[at] as number);
      activity.add(cell, users[at] as number, inUnits[at] as number);
    }
  }
  const read = (group: number, period: number) =>
    activity.list(group * lengths.length + period, lengths[period] as number);
  const { overall, ...rest } = groups.summarize(read);
  return on === undefined ? { ...rest, overall } : rest;
}

/** Counts the users of cells by the number of units in which they were active. Users must come in order. */
class Activity {
  /** For each cell and number, the users that were active in more units. */
  private readonly counts: Uint32Array;
  /** The number of units of the current user in each cell. */
  private readonly sizes = new Map<number, number>();
  /** The units of the current user, each with its cell. */
  private readonly seen = new Set<number>();
  private user = -1;

  constructor(
    private readonly cells: number,
    private readonly maxUnits: number,
  ) {
    this.counts = new Uint32Array(cells * maxUnits);
  }

  add(cell: number, user: number, unit: number): void {
    const { cells, maxUnits, sizes, seen, counts } = this;
    if (user !== this.user) {
      this.user = user;
      sizes.clear();
      seen.clear();
    }
    const key = unit * cells + cell;
    if (seen.has(key)) return;
    seen.add(key);
    const size = sizes.get(cell) ?? 0;
    sizes.set(cell, size + 1);
    (counts[cell * maxUnits + size] as number)++;
  }

  /** Returns how many users were active in at least 1, 2, … `length` units. */
  list(cell: number, length: number): number[] {
    return [...this.counts.subarray(cell * this.maxUnits, cell * this.maxUnits + length)];
  }
}
