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
export function takeCensus({ length, times, events, eventNames }: EventTable): Census | undefined {
  if (length === 0) return undefined;
  const counts = new Uint32Array(eventNames.length);
  for (const event of events) (counts[event] as number)++;
  const named = new Map(eventNames.map((name, event) => [name, counts[event] as number]));
  const ranked = rankTop(named, named.size).map((name) => [name, named.get(name) ?? 0] as const);
  const [first, last] = [
    times.reduce((least, time) => Math.min(least, time)),
    times.reduce((most, time) => Math.max(most, time)),
  ];
  return { counts: new Map(ranked), first, last };
}
