import type { Revision } from '../history.ts';
import type { Machine } from '../results.ts';
import type { Summary } from '../statistics.ts';

/** The names of the contestants, the reference first. */
export const CONTESTANT_NAMES = [
  'loop over compileWhere',
  'FilterSet',
  'index by hand',
  'loop over sift',
  'json-rules-engine',
] as const;

/** The measurements of one number of filters. */
export interface SizeResult {
  readonly filters: number;
  /** Microseconds per event, by contestant. */
  readonly contestants: Readonly<Record<string, Summary>>;
  /** Bytes of memory per filter, beside its source. */
  readonly bytes: number;
  /** Microseconds per filter. */
  readonly add: number;
  readonly remove: number;
}

/** The results of `npm run bench:filter-sets`. */
export interface FilterSetResults extends Revision {
  readonly machine: Machine;
  readonly rounds: number;
  readonly sizes: readonly SizeResult[];
  /** Microseconds per event with filters that no key finds. */
  readonly hard: Readonly<Record<string, Summary>>;
}
