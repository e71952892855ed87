import { assertAnswerSize } from '../answer-limits.ts';
import { Buckets } from '../buckets.ts';
import { formatRange, RANGE_WIDTHS } from '../range-widths.ts';
import type { AggregateRequest, NumericRequest, Series } from '../requests.ts';
import { BucketCounts } from './count-series.ts';
import {
  findEvents,
  getOrCreate,
  type MemoryContext,
  type MemoryEvent,
  prepareFilter,
  prepareValue,
} from './memory-events.ts';

/** Counts an event in each range of a number. Values that are not numbers are in no range. */
export function countRanges(context: MemoryContext, request: NumericRequest): Series {
  const { dates, type, unit } = request;
  const buckets = Buckets.units(dates, unit, context.timeZone);
  const numbers = listNumbers(context, buckets, request);
  const values = numbers.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
  if (values.length === 0) return { buckets: buckets.labels, series: [] };
  const least = values.reduce((low, value) => Math.min(low, value));
  const greatest = values.reduce((high, value) => Math.max(high, value));
  const width = chooseWidth(least, greatest, request.buckets);
  const first = getRangeNumber(least, width);
  const ranges = getRangeNumber(greatest, width) - first + 1;
  assertAnswerSize(ranges * buckets.labels.length);
  const counts = new Map<number, BucketCounts>();
  for (const { event: each, value } of numbers) {
    if (typeof value !== 'number') continue;
    getOrCreate(counts, getRangeNumber(value, width) - first, () => new BucketCounts(buckets, type)).add(each);
  }
  const none = buckets.labels.map(() => 0);
  const series = Array.from({ length: ranges }, (_, index) => ({
    name: formatRange(BigInt(first) + BigInt(index), width),
    values: counts.get(index)?.list(type === 'average' ? (cell) => cell.usersPerEvent : undefined) ?? none,
  }));
  return { buckets: buckets.labels, series };
}

/** Scales numbers down so that no sum of doubles on the way to a finite one is infinite. */
const SCALE = 2 ** -64;

/** Returns the sum or the mean of a number over the events of each bucket. Values that are not numbers count as 0. */
export function aggregateNumbers(context: MemoryContext, request: AggregateRequest): Series {
  const { aggregate, event, dates, unit } = request;
  const buckets = Buckets.units(dates, unit, context.timeZone);
  const sums = buckets.labels.map(() => ({ total: 0, scaled: 0, events: 0 }));
  for (const { event: each, value } of listNumbers(context, buckets, request)) {
    const sum = sums[buckets.indexOf(each.time)];
    if (sum === undefined) continue;
    sum.events++;
    if (typeof value !== 'number') continue;
    sum.total += value;
    sum.scaled += value * SCALE;
  }
  const values = sums.map(({ total, scaled, events }) => {
    const divisor = aggregate === 'sum' ? 1 : Math.max(events, 1);
    return Number.isFinite(total) ? total / divisor : scaled / divisor / SCALE;
  });
  return { buckets: buckets.labels, series: [{ name: event, values }] };
}

function listNumbers(
  context: MemoryContext,
  buckets: Buckets,
  { event, on, where }: Pick<NumericRequest, 'event' | 'on' | 'where'>,
): { readonly event: MemoryEvent; readonly value: unknown }[] {
  const [matches, read] = [prepareFilter(where, context), prepareValue(on, context)];
  const found = findEvents(context, [event], buckets).filter(matches);
  return found.map((each) => ({ event: each, value: read(each) }));
}

/**
 * Returns the smallest round width that needs at most `max` ranges, each starting at a multiple of it. Numbers on both
 * sides of 0 need at least two ranges; a single number has a range of width 1.
 */
function chooseWidth(least: number, greatest: number, max: number): number {
  if (least === greatest) return 1;
  const fits = (width: number) => {
    const [first, last] = [getRangeNumber(least, width), getRangeNumber(greatest, width)];
    // Dividing by less loses the digits in which the numbers differ.
    const isWide = width >= (greatest / 2 - least / 2) / ((max + 2) / 2);
    return isWide && last - first < (first < 0 && last >= 0 ? Math.max(max, 2) : max);
  };
  return RANGE_WIDTHS.find(fits) ?? Number.MAX_VALUE;
}

/** Returns the number of the range that contains a value. */
function getRangeNumber(value: number, width: number): number {
  if (width === Number.MAX_VALUE) return value < 0 ? -1 : 0;
  return Math.floor(value / width);
}
