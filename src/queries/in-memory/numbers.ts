import { type BatchColumn, getValue } from '../../lang/plan/batch-column.ts';
import { assertAnswerSize } from '../answer-limits.ts';
import { Buckets } from '../buckets.ts';
import { formatRange, RANGE_WIDTHS } from '../range-widths.ts';
import type { AggregateRequest, NumericRequest, Series } from '../requests.ts';
import { Cells } from './cells.ts';
import { EventExpressions } from './event-expressions.ts';
import type { MemoryContext } from './memory-context.ts';
import { numberBuckets } from './number-buckets.ts';

/** Counts an event in each range of a number. Values that are not numbers are in no range. */
export function countRanges(context: MemoryContext, request: NumericRequest): Series {
  const { dates, type, unit } = request;
  const { table, timeZone } = context;
  const buckets = Buckets.units(dates, unit, timeZone);
  const { labels } = buckets;
  const { rows, numbers } = readNumbers(context, buckets, request);
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of numbers) {
    if (number < least) least = number;
    if (number > greatest) greatest = number;
  }
  if (least > greatest) return { buckets: labels, series: [] };
  const width = chooseWidth(least, greatest, request.buckets);
  const first = getRangeNumber(least, width);
  const ranges = getRangeNumber(greatest, width) - first + 1;
  assertAnswerSize(ranges * labels.length);
  const inBuckets = numberBuckets(buckets, table.times, rows);
  const cells = new Cells(ranges * labels.length);
  for (let at = 0; at < rows.length; at++) {
    const number = numbers[at] as number;
    if (Number.isNaN(number)) continue;
    const cell = (getRangeNumber(number, width) - first) * labels.length + (inBuckets[at] as number);
    cells.add(cell, table.users[rows[at] as number] as number);
  }
  const read = (cell: number) => (type === 'average' ? cells.countUsersPerEvent(cell) : cells.count(cell, type));
  const series = Array.from({ length: ranges }, (_, range) => ({
    name: formatRange(BigInt(first) + BigInt(range), width),
    values: labels.map((_, bucket) => read(range * labels.length + bucket)),
  }));
  return { buckets: labels, series };
}

/** Scales numbers down so that no sum of doubles on the way to a finite one is infinite. */
const SCALE = 2 ** -64;

/** Returns the sum or the mean of a number over the events of each bucket. Values that are not numbers count as 0. */
export function aggregateNumbers(context: MemoryContext, request: AggregateRequest): Series {
  const { aggregate, event, dates, unit } = request;
  const buckets = Buckets.units(dates, unit, context.timeZone);
  const { rows, numbers } = readNumbers(context, buckets, request);
  const inBuckets = numberBuckets(buckets, context.table.times, rows);
  const sums = buckets.labels.map(() => ({ total: 0, scaled: 0, events: 0 }));
  for (let at = 0; at < rows.length; at++) {
    const number = numbers[at] as number;
    const sum = sums[inBuckets[at] as number];
    if (sum === undefined) continue;
    sum.events++;
    if (Number.isNaN(number)) continue;
    sum.total += number;
    sum.scaled += number * SCALE;
  }
  const values = sums.map(({ total, scaled, events }) => {
    const divisor = aggregate === 'sum' ? 1 : Math.max(events, 1);
    return Number.isFinite(total) ? total / divisor : scaled / divisor / SCALE;
  });
  return { buckets: buckets.labels, series: [{ name: event, values }] };
}

/** Returns the selected rows and their numbers, NaN for other values. */
function readNumbers(
  context: MemoryContext,
  buckets: Buckets,
  { event, on, where }: Pick<NumericRequest, 'event' | 'on' | 'where'>,
): { readonly rows: Uint32Array; readonly numbers: Float64Array } {
  const expressions = new EventExpressions(context);
  const [select, evaluate] = [expressions.compileFilter(where), expressions.compileValue(on)];
  const rows = select(context.table.findRows([event], buckets));
  return { rows, numbers: toNumbers(evaluate(rows), rows.length) };
}

function toNumbers(column: BatchColumn, rows: number): Float64Array {
  const numbers = new Float64Array(rows);
  for (let at = 0; at < rows; at++) {
    const value = getValue(column, at);
    numbers[at] = typeof value === 'number' ? value : Number.NaN;
  }
  return numbers;
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
