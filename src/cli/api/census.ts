import type { EventTable } from '../../queries/in-memory/event-table.ts';
import { rankTop } from '../../queries/in-memory/row-segments.ts';

/** A summary of the events of files: their names with counts, most frequent first, and their first and last time. */
export interface Census {
  readonly counts: ReadonlyMap<string, number>;
  /** Unix seconds. */
  readonly first: number;
  readonly last: number;
}

/** Returns the census of a table; undefined without events. */
export function takeCensus(table: EventTable): Census | undefined {
  const { length, times } = table;
  if (length === 0) return undefined;
  const named = table.countNames();
  const ranked = rankTop(named, named.size).map((name) => [name, named.get(name) ?? 0] as const);
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < length; row++) {
    first = Math.min(first, times[row] as number);
    last = Math.max(last, times[row] as number);
  }
  return { counts: new Map(ranked), first, last };
}
