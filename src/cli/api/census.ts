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
  const [first, last] = [
    times.reduce((least, time) => Math.min(least, time)),
    times.reduce((most, time) => Math.max(most, time)),
  ];
  return { counts: new Map(ranked), first, last };
}
