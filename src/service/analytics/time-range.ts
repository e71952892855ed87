/** A time from its first second on, and before its last, but for some times within. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
  readonly gaps?: readonly TimeRange[];
}

/** That a time is in a span: conditions that all hold. */
export function lowerTimeRange(span: TimeRange | undefined, time = '"time"'): string[] {
  if (span === undefined) return [];
  const outside = (span.gaps ?? []).map((gap) => `NOT (${lowerTimeRange(gap, time).join(' AND ')})`);
  return [`${time} >= ${span.from}`, `${time} < ${span.to}`, ...outside];
}
