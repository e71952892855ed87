import type { EventRecord } from '../../data/event-record.ts';
import { EVENT_PROPERTY } from '../../data/field-mapping.ts';
import { rankTop } from '../../queries/in-memory/row-segments.ts';
import type { CountedName, PropertyScope } from '../shared/property-catalog.ts';

const MAX_NAMES = 255;

/** Returns the most frequent names of properties. The name of an event is one. */
export function countNames(records: readonly EventRecord[], scope: PropertyScope): CountedName[] {
  const counts = new Map<string, { count: number }>();
  const add = (name: string): void => {
    const known = counts.get(name);
    if (known === undefined) counts.set(name, { count: 1 });
    else known.count++;
  };
  for (const record of records) {
    const properties = record[scope] ?? {};
    for (const name of Object.keys(properties)) add(name);
    const isNamed = scope === 'properties' && record.event !== undefined;
    if (isNamed && !Object.hasOwn(properties, EVENT_PROPERTY)) add(EVENT_PROPERTY);
  }
  const totals = new Map(Array.from(counts, ([name, { count }]) => [name, count]));
  return rankTop(totals, MAX_NAMES).map((name) => ({ name, count: totals.get(name) ?? 0 }));
}
