import { formatInteger } from '../../lang/util/strings.ts';

/** Numbers over time, one line per name. */
export interface ChartData {
  /** `2025-06-01` or `2025-06-01 13:00:00`, in order. */
  readonly buckets: readonly string[];
  readonly lines: readonly ChartLine[];
}

/** The numbers of one name. */
export interface ChartLine {
  readonly name: string;
  /** The total of all buckets, if it has a meaning. */
  readonly total?: number;
  /** A number for each bucket; null for a sum beyond the largest double. */
  readonly values: readonly (number | null)[];
}

/** Formats a number of a line. */
export function formatNumber(value: number | null): string {
  return value === null ? 'undefined' : formatInteger(value);
}
