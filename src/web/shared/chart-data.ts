import { formatInteger } from '../../lang/util/strings.ts';

/** Numbers over time: a line for each name. */
export interface ChartData {
  /** `2025-06-01` or `2025-06-01 13:00:00`, in order. */
  readonly buckets: readonly string[];
  readonly lines: readonly ChartLine[];
}

/** The numbers of a name. */
export interface ChartLine {
  readonly name: string;
  /** Of all buckets, where such a number means something. */
  readonly total?: number;
  /** A number for each bucket; null for a sum beyond the greatest number. */
  readonly values: readonly (number | null)[];
}

/** Writes a number of a line as people read it. */
export function writeNumber(value: number | null): string {
  return value === null ? 'undefined' : formatInteger(value);
}
