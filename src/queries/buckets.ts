import { findTimeZone } from '../lang/operators/time-zone.ts';
import { getZoneOffsets } from '../lang/operators/zone-offsets.ts';
import { QueryError } from './errors.ts';
import type { Bucket, BucketUnit, DateRange, LatestUnits } from './requests.ts';
import type { TimeRange } from './time-range.ts';

const MAX_LABELS = 100_000;

/** The first year that labels can write, in local seconds. */
const YEAR_1 = parseDay('0001-01-01');

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** More than the UTC offset of any time zone. */
const MAX_OFFSET = 2 * DAY;

/** A Monday, in local seconds: 1970 began on a Thursday. */
const MONDAY = -3 * DAY;

/** Divides local time into numbered cells. Local time is in seconds, as if it were UTC. */
interface Grid {
  /** The length of a cell in seconds; the length of months differs. */
  readonly width: number | 'month';
  /** The start of cell 0. */
  readonly origin: number;
  /** Whether cells are shorter than days. */
  readonly isWithinDays: boolean;
}

/** A period without a clock change, in Unix seconds, half open. */
interface OffsetPeriod {
  readonly from: number;
  readonly to: number;
  /** Local time minus Unix time, in seconds. */
  readonly offset: number;
}

/** A period without a clock change and the cells in it. */
interface Period extends OffsetPeriod {
  /** The cells of its first and last second. */
  readonly first: number;
  readonly last: number;
}

/** A time is shifted by its stretch and divided, in whole numbers; `first` is subtracted. Without stretches, all are 0. */
export interface BucketFormula {
  /** In seconds. */
  readonly divisor: number | 'month';
  readonly first: number;
  readonly stretches: readonly Stretch[];
}

/** The parameters that an error names: those that set the number of buckets, and those that set the first. */
interface BlamedParameters {
  readonly length: readonly string[];
  readonly first: readonly string[];
}

const UNITS: BlamedParameters = { length: ['unit', 'to_date'], first: ['from_date'] };
const DAYS: BlamedParameters = { length: ['to_date'], first: ['from_date'] };
const LATEST: BlamedParameters = { length: ['interval'], first: ['interval'] };

const TOO_EARLY = 'The first bucket would begin before the year 1.';

/**
 * Buckets of calendar time in a time zone, numbered from 0. A skipped hour or minute has no bucket; a repeated one has
 * one.
 *
 * If clocks go back across an end of the range, the times in between are `gaps`, because they show a local time outside
 * the range. In a gap, bucket numbers are those of an adjacent bucket.
 */
export class Buckets {
  readonly labels: readonly string[];
  /** The range of counted events in Unix seconds, half open. */
  readonly from: number;
  readonly to: number;
  readonly gaps: readonly TimeRange[];
  private readonly periods: readonly Period[];
  /** The cells that are buckets, in order. */
  private readonly cells: readonly number[];

  /** Creates the buckets of local time from `begin` until `end`. */
  private constructor(
    private readonly grid: Grid,
    private readonly timeZone: string,
    private readonly begin: number,
    private readonly end: number,
    private readonly blamed: BlamedParameters,
  ) {
    const lowest = getCell(grid, begin);
    const highest = getCell(grid, end - 1);
    assertCount(highest - lowest + 1, blamed);
    if (getStart(grid, lowest) < YEAR_1) throw new QueryError('parameter', TOO_EARLY, blamed.first);
    const around = listPeriods(grid, timeZone, begin - MAX_OFFSET, end + MAX_OFFSET);
    this.periods = around
      .map(({ from, to, offset }) => {
        return { from: Math.max(from, begin - offset), to: Math.min(to, end - offset), offset };
      })
      .filter(({ from, to }) => from < to)
      .map((period) => ({
        ...period,
        first: getCell(grid, period.from + period.offset),
        last: getCell(grid, period.to - 1 + period.offset),
      }));
    // Every day has a bucket, even one that the zone skipped.
    this.cells = listCells(grid.isWithinDays ? this.periods : [{ first: lowest, last: highest }]);
    this.labels = this.cells.map((cell) => formatLabel(grid, cell));
    // A range that the zone skipped is empty, and is where clocks changed.
    const change = around.find(({ from, offset }) => from + offset >= begin)?.from ?? 0;
    this.from = this.periods[0]?.from ?? change;
    this.to = this.periods.at(-1)?.to ?? change;
    this.gaps = this.periods
      .slice(1)
      .map(({ from: to }, before) => ({ from: this.periods[before]?.to ?? to, to }))
      .filter(({ from, to }) => from < to);
  }

  /** Returns buckets of calendar units. The range may cut the first and the last. */
  static units(dates: DateRange, unit: BucketUnit, timeZone: string): Buckets {
    return new Buckets(createGrid(unit), timeZone, parseDay(dates.from), parseDay(dates.to) + DAY, UNITS);
  }

  /** Returns buckets of `every` days from the first date on. The range may cut the last. */
  static days(dates: DateRange, every: number, timeZone: string): Buckets {
    const origin = parseDay(dates.from);
    const grid = { width: every * DAY, origin, isWithinDays: false };
    return new Buckets(grid, timeZone, origin, parseDay(dates.to) + DAY, DAYS);
  }

  /** Returns buckets of calendar units or of a number of days. */
  static by(dates: DateRange, bucket: Bucket, timeZone: string): Buckets {
    return 'unit' in bucket ? Buckets.units(dates, bucket.unit, timeZone) : Buckets.days(dates, bucket.days, timeZone);
  }

  /** Returns the last `count` calendar units including the current one, all whole. */
  static latest(count: number, unit: BucketUnit, timeZone: string, now: number): Buckets {
    assertCount(count, LATEST);
    const grid = createGrid(unit);
    const current = listPeriods(grid, timeZone, now - DAY, now + 1).findLast(({ from }) => from <= now);
    const present = getCell(grid, now + (current?.offset ?? 0));
    const back = (cells: number): Buckets => {
      const buckets = new Buckets(
        grid,
        timeZone,
        getStart(grid, present + 1 - cells),
        getStart(grid, present + 1),
        LATEST,
      );
      const missing = count - buckets.labels.length;
      return missing > 0 ? back(cells + missing) : buckets;
    };
    return back(count);
  }

  /** Returns the buckets of a requested period, in the time zone and at the current time of the query. */
  static of(
    period: DateRange | LatestUnits,
    unit: BucketUnit,
    { timeZone, now }: { readonly timeZone: string; readonly now: number },
  ): Buckets {
    if ('latest' in period) return Buckets.latest(period.latest, unit, timeZone, now);
    return Buckets.units(period, unit, timeZone);
  }

  /** Returns the same buckets of days or longer units, whole except for the first, followed by `count` more. */
  continued(count: number): Buckets {
    const last = getCell(this.grid, this.end - 1);
    return new Buckets(this.grid, this.timeZone, this.begin, getStart(this.grid, last + 1 + count), this.blamed);
  }

  /** Returns the number of the bucket of a time in Unix seconds, from `from` until before `to`. */
  indexOf(seconds: number): number {
    const period = this.periods.find(({ to }) => seconds < to);
    if (period === undefined) throw new RangeError(`No bucket has the time ${seconds}.`);
    const local = Math.max(seconds, period.from) + period.offset;
    return this.getRank(getCell(this.grid, local));
  }

  /** How the number of a bucket follows from a time in whole Unix seconds, from `from` until before `to`. */
  get formula(): BucketFormula {
    const { width, origin } = this.grid;
    if (width === 'month')
      return { divisor: width, first: this.cells[0] ?? 0, stretches: this.stretches(({ offset }) => offset) };
    // Cells between two clock changes are numbered without gaps, so skipped cells only shift local time.
    const shift = ({ offset, first }: Period) => offset - origin + (this.getRank(first) - first) * width;
    return { divisor: width, first: 0, stretches: this.stretches(shift) };
  }

  private getRank(cell: number): number {
    let [low, high] = [0, this.cells.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.cells[middle] ?? 0) < cell) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the stretches of times with the same shift, each up to its `to`. */
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

/** Splits a range of Unix seconds into periods with the same offset, in order. */
function listPeriods({ isWithinDays }: Grid, timeZone: string, from: number, to: number): OffsetPeriod[] {
  const zone = findTimeZone(timeZone);
  if (zone === undefined) return [{ from, to, offset: 0 }];
  const { ofTimes, ofDays } = getZoneOffsets(zone);
  const { limits, values } = isWithinDays ? ofTimes : ofDays;
  return values
    .map((offset, index) => {
      return { from: Math.max(from, limits[index - 1] ?? from), to: Math.min(to, limits[index] ?? to), offset };
    })
    .filter((period) => period.from < period.to);
}

/** The shift of times before `to`. Times before `from` count as `from`. */
export interface Stretch {
  readonly from?: number;
  readonly to: number;
  readonly shift: number;
}

function createGrid(unit: BucketUnit): Grid {
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

function getCell({ width, origin }: Grid, local: number): number {
  if (width !== 'month') return Math.floor((local - origin) / width);
  const date = new Date(local * 1000);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

function getStart({ width, origin }: Grid, cell: number): number {
  return width === 'month' ? Date.UTC(1970, cell) / 1000 : origin + cell * width;
}

/** Returns all cells of the spans, in order. */
function listCells(spans: readonly { readonly first: number; readonly last: number }[]): number[] {
  const cells = new Set<number>();
  for (const { first, last } of spans) for (let cell = first; cell <= last; cell++) cells.add(cell);
  return [...cells].sort((one, other) => one - other);
}

function formatLabel(grid: Grid, cell: number): string {
  const [date = '', time = ''] = new Date(getStart(grid, cell) * 1000).toISOString().split('T');
  return grid.isWithinDays ? `${date} ${time.slice(0, 8)}` : date;
}

/** Returns the start of a day, `yyyy-mm-dd`, in local seconds. */
function parseDay(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 1000;
}

/** @throws {QueryError} if there are too many buckets */
function assertCount(buckets: number, { length }: BlamedParameters): void {
  if (buckets <= MAX_LABELS) return;
  const [found, max] = [buckets, MAX_LABELS].map((number) => number.toLocaleString('en-US'));
  const message = `${found} numbers for each series are too many (at most ${max}): ask for fewer days, or for a longer unit.`;
  throw new QueryError('parameter', message, length);
}
