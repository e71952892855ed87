/** A time range in Unix seconds, half open, without the `gaps` in it. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
  readonly gaps?: readonly TimeRange[];
}

/** Returns whether a time is in a range and in none of its gaps. */
export function isInRange(time: number, { from, to, gaps = [] }: TimeRange): boolean {
  return from <= time && time < to && !gaps.some((gap) => isInRange(time, gap));
}

/** Returns SQL conditions that all hold if a time is in the range. */
export function lowerTimeRange(span: TimeRange | undefined, time = '"time"'): string[] {
  if (span === undefined) return [];
  const outside = (span.gaps ?? []).map((gap) => `NOT (${lowerTimeRange(gap, time).join(' AND ')})`);
  return [`${time} >= ${span.from}`, `${time} < ${span.to}`, ...outside];
}
