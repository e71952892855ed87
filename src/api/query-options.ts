import { getCurrentTime } from '../base/current-time.ts';
import { MAX_SECONDS } from '../lang/operators/time.ts';
import { findTimeZone, type TimeZone } from '../lang/operators/time-zone.ts';
import type { ParseOptions } from '../lang/syntax/parse.ts';

export interface TimeZoneOptions {
  /** The time zone of dates without one, such as `datetime("2025-06-01")`: a name of the IANA database. Default: UTC. */
  readonly timeZone?: string;
}

export interface EvaluateOptions extends ParseOptions, TimeZoneOptions {
  /**
   * The time of the query in Unix seconds, or a function that returns it, called once per evaluation. Default: the
   * clock. Pass a number for a query over many records, so that `now` is the same for all of them.
   */
  readonly now?: number | (() => number);
}

/** Picks the parse options from the options of another function. */
export function limitsOf({ limits }: ParseOptions): ParseOptions {
  return limits === undefined ? {} : { limits };
}

/** Returns the time zone of the options; undefined for UTC. */
export function timeZoneOf({ timeZone }: TimeZoneOptions): TimeZone | undefined {
  return timeZone === undefined ? undefined : findTimeZone(timeZone);
}

/** Returns a function that returns the time in Unix seconds: from the option, else from the clock. */
export function toClock(now: EvaluateOptions['now']): () => number {
  if (now === undefined) return getCurrentTime;
  if (typeof now === 'function') return () => toUnixSeconds(now());
  const fixed = toUnixSeconds(now);
  return () => fixed;
}

/** Floors a time to whole seconds. A number beyond the limit is milliseconds, passed by mistake. */
function toUnixSeconds(now: number): number {
  if (Number.isFinite(now) && now <= MAX_SECONDS) return Math.floor(now) + 0;
  throw new RangeError(`\`now\` must be Unix seconds, at most ${MAX_SECONDS}, not ${now}`);
}
