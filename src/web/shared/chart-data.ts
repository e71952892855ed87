import { formatInteger } from '../../base/strings.ts';

/** Numbers over time, one line per name. */
export interface ChartData {
  /** `2025-06-01` or `2025-06-01 13:00:00`, in order. */
  readonly buckets: readonly string[];
  readonly lines: readonly ChartLine[];
}

/** The numbers of one name. */
export interface ChartLine {
  readonly name: string;
  /** The total of all buckets; absent if the values do not add up. */
  readonly total?: number;
  /** One number per bucket; null for a sum that exceeds the largest number. */
  readonly values: readonly (number | null)[];
}

/** Formats a value of a line, with thousands separators. */
export function formatLineValue(value: number | null): string {
  return value === null ? 'undefined' : formatInteger(value);
}
