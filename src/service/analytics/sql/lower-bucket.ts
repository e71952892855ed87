import type { Dialect } from '../../../lang/engines/sql/dialect.ts';
import type { Buckets, Stretch } from '../../../queries/buckets.ts';
import { getSqlFunctions } from './sql-functions.ts';

const HOUR = 3_600;

/** Returns SQL for the bucket number of a time in whole Unix seconds, from `from` until before `to` of the buckets. */
export function lowerBucket({ formula }: Buckets, time: string, dialect: Dialect): string {
  const { quotient, month } = getSqlFunctions(dialect);
  const { divisor, first, stretches } = formula;
  if (stretches.length === 0) return '0';
  const shifted = lowerShift(time, stretches);
  return divisor === 'month' ? `(${month(shifted)} - ${first})` : quotient(shifted, divisor);
}

/** Returns SQL for a time shifted by its stretch. */
function lowerShift(time: string, stretches: readonly Stretch[]): string {
  const [only, another] = stretches;
  if (only === undefined) return time;
  if (another === undefined)
    return `${only.from === undefined ? time : `greatest(${time}, ${only.from})`} + ${only.shift}`;
  const half = stretches.length >> 1;
  const [early, late] = [stretches.slice(0, half), stretches.slice(half)];
  return `CASE WHEN ${time} < ${early.at(-1)?.to} THEN ${lowerShift(time, early)} ELSE ${lowerShift(time, late)} END`;
}

/** Returns whether all seconds of any hour of Unix time are in the same bucket, or outside the range. */
export function containHours({ from, to, formula }: Buckets): boolean {
  const { divisor, stretches } = formula;
  const edges = stretches.flatMap((stretch) => [stretch.from ?? from, stretch.to, stretch.shift]);
  return [divisor === 'month' ? HOUR : divisor, from, to, ...edges].every((seconds) => seconds % HOUR === 0);
}
