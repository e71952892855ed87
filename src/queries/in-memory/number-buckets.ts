import type { Buckets } from '../buckets.ts';

const DAY = 86_400;

/** Returns the numbers of the buckets of the events at some rows. Their times must be in the buckets. */
export function numberBuckets({ formula }: Buckets, times: Float64Array, rows: Uint32Array): Uint32Array {
  const { divisor, first, stretches } = formula;
  const months = new Map<number, number>();
  const numbers = new Uint32Array(rows.length);
  // Consecutive times are mostly between the same changes of the clock.
  let [after, before, earliest, shift] = [0, 0, 0, 0];
  for (let at = 0; at < rows.length; at++) {
    const time = times[rows[at] as number] as number;
    if (time < after || time >= before) {
      const index = stretches.findIndex(({ to }) => time < to);
      const stretch = stretches[index];
      if (stretch === undefined) throw new RangeError(`No bucket has the time ${time}.`);
      after = stretches[index - 1]?.to ?? Number.NEGATIVE_INFINITY;
      before = stretch.to;
      earliest = stretch.from ?? Number.NEGATIVE_INFINITY;
      shift = stretch.shift;
    }
    const local = Math.max(time, earliest) + shift;
    numbers[at] = (divisor === 'month' ? findMonth(months, local) : Math.floor(local / divisor)) - first;
  }
  return numbers;
}

/** Returns the number of the month of a time in local seconds, from January 1970. Remembers the month of each day. */
function findMonth(months: Map<number, number>, local: number): number {
  const day = Math.floor(local / DAY);
  const known = months.get(day);
  if (known !== undefined) return known;
  const date = new Date(local * 1000);
  const month = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  months.set(day, month);
  return month;
}
