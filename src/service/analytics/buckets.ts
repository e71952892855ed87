import type { Dialect } from '../../lang/engines/sql/dialect.ts';
import { QueryError } from './errors.ts';
import { listOffsetPeriods, type OffsetPeriod } from './offset-periods.ts';
import type { Bucket, BucketUnit, DateRange, LatestUnits } from './queries.ts';
import type { QueryContext } from './query-context.ts';
import { getSqlFunctions } from './sql-functions.ts';
import type { TimeRange } from './time-range.ts';

const MAX_LABELS = 100_000;

/** Where the years begin that labels can write, in local seconds. */
const YEAR_1 = dayOf('0001-01-01');

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** No zone is that far from UTC. */
const MAX_OFFSET = 2 * DAY;

/** A Monday, in local seconds: 1970 began with a Thursday. */
const MONDAY = -3 * DAY;

/** How local time is cut into cells, which have whole numbers. Local time is in seconds, as if it were UTC. */
interface Grid {
  /** Seconds that each cell has; months differ. */
  readonly width: number | 'month';
  /** Where cell 0 begins. */
  readonly origin: number;
  /** Whether cells are shorter than days. */
  readonly isWithinDays: boolean;
}

/** A time without a jump of the clocks, of which the cells have numbers of buckets. */
interface Period extends OffsetPeriod {
  /** The cells of the first and of the last of its seconds. */
  readonly first: number;
  readonly last: number;
}

/** The parameters that may say too much: how many buckets there are, and where the first begins. */
interface Asked {
  readonly length: readonly string[];
  readonly first: readonly string[];
}

const UNITS: Asked = { length: ['unit', 'to_date'], first: ['from_date'] };
const DAYS: Asked = { length: ['to_date'], first: ['from_date'] };
const LATEST: Asked = { length: ['interval'], first: ['interval'] };

const TOO_EARLY = 'The first bucket would begin before the year 1.';

/**
 * Spans of the calendar of a time zone, numbered from 0. An hour or minute that local time never shows has no bucket, one that it shows twice has one.
 * Where clocks go back over an end of the range, times between are `gaps`: they show what is outside. Numbers of theirs are those of a bucket next to them.
 */
export class Buckets {
  readonly labels: readonly string[];
  /** Unix seconds, half open: the events that count. */
  readonly from: number;
  readonly to: number;
  readonly gaps: readonly TimeRange[];
  private readonly periods: readonly Period[];
  /** The cells that are buckets, in order. */
  private readonly cells: readonly number[];

  /** The buckets of local time from `begin` on, up to `end`. */
  private constructor(
    private readonly grid: Grid,
    private readonly timeZone: string,
    private readonly begin: number,
    private readonly end: number,
    private readonly asked: Asked,
  ) {
    const least = cellOf(grid, begin);
    const greatest = cellOf(grid, end - 1);
    assertFew(greatest - least + 1, asked);
    if (startOf(grid, least) < YEAR_1) throw new QueryError('parameter', TOO_EARLY, asked.first);
    this.periods = listOffsetPeriods(timeZone, begin - MAX_OFFSET, end + MAX_OFFSET)
      .map(({ from, to, offset }) => ({
        from: Math.max(from, begin - offset),
        to: Math.min(to, end - offset),
        offset,
      }))
      .filter(({ from, to }) => from < to)
      .map((period) => ({
        ...period,
        first: cellOf(grid, period.from + period.offset),
        last: cellOf(grid, period.to - 1 + period.offset),
      }));
    // Every day has a bucket, also the one that a zone lost.
    const shown = grid.isWithinDays ? this.periods : [{ first: least, last: greatest }];
    this.cells = cellsOf(shown);
    this.labels = this.cells.map((cell) => labelOf(grid, cell));
    this.from = this.periods[0]?.from ?? 0;
    this.to = this.periods.at(-1)?.to ?? 0;
    this.gaps = this.periods.slice(1).flatMap(({ from: to }, before) => {
      const from = this.periods[before]?.to ?? to;
      return from < to ? [{ from, to }] : [];
    });
  }

  /** Units of the calendar; the days may cut the first and the last. */
  static units(dates: DateRange, unit: BucketUnit, timeZone: string): Buckets {
    return new Buckets(gridOf(unit), timeZone, dayOf(dates.from), dayOf(dates.to) + DAY, UNITS);
  }

  /** So many days each, from the first date on; the last may be cut. */
  static days(dates: DateRange, every: number, timeZone: string): Buckets {
    const origin = dayOf(dates.from);
    const grid = { width: every * DAY, origin, isWithinDays: false };
    return new Buckets(grid, timeZone, origin, dayOf(dates.to) + DAY, DAYS);
  }

  /** Units of the calendar, or so many days each. */
  static by(dates: DateRange, bucket: Bucket, timeZone: string): Buckets {
    return 'unit' in bucket ? Buckets.units(dates, bucket.unit, timeZone) : Buckets.days(dates, bucket.days, timeZone);
  }

  /** The last units of the calendar up to the present one, all of them whole. */
  static latest(count: number, unit: BucketUnit, timeZone: string, now: number): Buckets {
    assertFew(count, LATEST);
    const grid = gridOf(unit);
    const present = cellOf(grid, now + (listOffsetPeriods(timeZone, now, now + 1)[0]?.offset ?? 0));
    const back = (cells: number): Buckets => {
      const buckets = new Buckets(
        grid,
        timeZone,
        startOf(grid, present + 1 - cells),
        startOf(grid, present + 1),
        LATEST,
      );
      const missing = count - buckets.labels.length;
      return missing > 0 ? back(cells + missing) : buckets;
    };
    return back(count);
  }

  /** Those of a time that a request names, in the zone and at the present of its scope. */
  static of(
    period: DateRange | LatestUnits,
    unit: BucketUnit,
    { timeZone, now }: Pick<QueryContext, 'timeZone' | 'now'>,
  ): Buckets {
    if ('latest' in period) return Buckets.latest(period.latest, unit, timeZone, now);
    return Buckets.units(period, unit, timeZone);
  }

  /** The same buckets of days or more, all but the first whole, and so many more after them. */
  continued(count: number): Buckets {
    const last = cellOf(this.grid, this.end - 1);
    return new Buckets(this.grid, this.timeZone, this.begin, startOf(this.grid, last + 1 + count), this.asked);
  }

  /** The number of the bucket of a time, in Unix seconds, that is from `from` on and before `to`. */
  indexOf(seconds: number): number {
    const period = this.periods.find(({ to }) => seconds < to);
    if (period === undefined) throw new RangeError(`No bucket has the time ${seconds}.`);
    const local = Math.max(seconds, period.from) + period.offset;
    return this.rankOf(cellOf(this.grid, local));
  }

  /** The number of the bucket of a whole number of Unix seconds that is from `from` on and before `to`. */
  sql(time: string, dialect: Dialect): string {
    const { quotient, month } = getSqlFunctions(dialect);
    const { width, origin } = this.grid;
    if (this.periods.length === 0) return '0';
    if (width === 'month') {
      const [first = 0] = this.cells;
      return `(${month(
        shifted(
          time,
          this.stretches(({ offset }) => offset),
        ),
      )} - ${first})`;
    }
    // Between two jumps the cells are numbered without a gap, so that those which never came only shift local time.
    const shift = ({ offset, first }: Period) => offset - origin + (this.rankOf(first) - first) * width;
    return quotient(shifted(time, this.stretches(shift)), width);
  }

  private rankOf(cell: number): number {
    let [low, high] = [0, this.cells.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.cells[middle] ?? 0) < cell) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Where the shift of times changes; the stretches end at `to`. */
  private stretches(shiftOf: (period: Period) => number): Stretch[] {
    const stretches: Stretch[] = [];
    for (const period of this.periods) {
      const { from, to } = period;
      const shift = shiftOf(period);
      const before = stretches.at(-1);
      const skips = before !== undefined && before.to < from;
      if (before?.shift === shift && !skips) stretches.pop();
      stretches.push(skips ? { to, shift, from } : { ...(before?.shift === shift ? before : {}), to, shift });
    }
    return stretches;
  }
}

/** What is added to times before `to`, which count as if they were not before `from`. */
interface Stretch {
  readonly from?: number;
  readonly to: number;
  readonly shift: number;
}

/** A time shifted by what its stretch says. */
function shifted(time: string, stretches: readonly Stretch[]): string {
  const [only, another] = stretches;
  if (only === undefined) return time;
  if (another === undefined)
    return `${only.from === undefined ? time : `greatest(${time}, ${only.from})`} + ${only.shift}`;
  const half = stretches.length >> 1;
  const [early, late] = [stretches.slice(0, half), stretches.slice(half)];
  return `CASE WHEN ${time} < ${early.at(-1)?.to} THEN ${shifted(time, early)} ELSE ${shifted(time, late)} END`;
}

function gridOf(unit: BucketUnit): Grid {
  switch (unit) {
    case 'minute':
      return { width: MINUTE, origin: 0, isWithinDays: true };
    case 'hour':
      return { width: HOUR, origin: 0, isWithinDays: true };
    case 'day':
      return { width: DAY, origin: 0, isWithinDays: false };
    case 'week':
      return { width: WEEK, origin: MONDAY, isWithinDays: false };
    case 'month':
      return { width: 'month', origin: 0, isWithinDays: false };
  }
}

function cellOf({ width, origin }: Grid, local: number): number {
  if (width !== 'month') return Math.floor((local - origin) / width);
  const date = new Date(local * 1000);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

function startOf({ width, origin }: Grid, cell: number): number {
  return width === 'month' ? Date.UTC(1970, cell) / 1000 : origin + cell * width;
}

/** All of some spans of cells, in order. */
function cellsOf(spans: readonly { readonly first: number; readonly last: number }[]): number[] {
  const cells = new Set<number>();
  for (const { first, last } of spans) for (let cell = first; cell <= last; cell++) cells.add(cell);
  return [...cells].sort((one, other) => one - other);
}

function labelOf(grid: Grid, cell: number): string {
  const [date = '', time = ''] = new Date(startOf(grid, cell) * 1000).toISOString().split('T');
  return grid.isWithinDays ? `${date} ${time.slice(0, 8)}` : date;
}

/** Where a day, `yyyy-mm-dd`, begins in local seconds. */
function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 1000;
}

/** @throws {QueryError} */
function assertFew(buckets: number, { length }: Asked): void {
  if (buckets <= MAX_LABELS) return;
  const [found, most] = [buckets, MAX_LABELS].map((number) => number.toLocaleString('en-US'));
  const message = `${found} numbers for each series are too many, ${most} the most: ask for fewer days, or for a longer unit.`;
  throw new QueryError('parameter', message, length);
}
