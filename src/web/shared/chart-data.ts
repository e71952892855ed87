/** Numbers over time, one line per name. */
export interface ChartData {
  /** `2025-06-01` or `2025-06-01 13:00:00`, in order. */
  readonly buckets: readonly string[];
  readonly lines: readonly ChartLine[];
}

/** The numbers of one name. */
interface ChartLine {
  readonly name: string;
  /** One number per bucket; null for a sum that exceeds the largest number. */
  readonly values: readonly (number | null)[];
}
