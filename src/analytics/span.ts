/** A time from its first second on, and before its last, but for some times within. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly gaps?: readonly Span[];
}

/** That a time is in a span: conditions that all hold. */
export function within(span: Span | undefined, time = '"time"'): string[] {
  if (span === undefined) return [];
  const outside = (span.gaps ?? []).map((gap) => `NOT (${within(gap, time).join(' AND ')})`);
  return [`${time} >= ${span.from}`, `${time} < ${span.to}`, ...outside];
}
