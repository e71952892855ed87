import { EVENT_PROPERTY } from '../../data/field-mapping.ts';
import type { PropertyRead } from '../../lang/check/check.ts';
import { ColumnBuilder } from '../../lang/engines/columnar/column-builder.ts';
import type { BatchColumn } from '../../lang/plan/batch-column.ts';
import { type Properties, readProperty } from '../../lang/value.ts';
import { EventList, EventTable } from './event-table.ts';

/** An event, with the profile of its user. */
export interface MemoryEvent {
  readonly event: string;
  /** Whole Unix seconds. */
  readonly time: number;
  readonly user: string;
  readonly properties: Properties;
  readonly profile: Properties | undefined;
}

/**
 * Returns a table of events, whose properties are put into columns when a query first reads them. The name of an event
 * is a property too, as for commands that read files.
 */
export function createRecordTable(events: readonly MemoryEvent[]): EventTable {
  const list = new EventList();
  for (const { event, time, user } of events) list.add(event, time, user);
  return new EventTable(list, (read) => readColumn(events, read));
}

function readColumn(events: readonly MemoryEvent[], { scope, name }: PropertyRead): BatchColumn {
  const builder = new ColumnBuilder(events.length);
  const isEventName = scope === 'properties' && name === EVENT_PROPERTY;
  for (const [row, { event, properties, profile }] of events.entries()) {
    const value = readProperty(scope === 'user' ? profile : properties, name);
    builder.set(row, isEventName && !Object.hasOwn(properties, name) ? event : value);
  }
  return builder.finish();
}

/** Returns how many events have each property: all events, or those with a name. */
export async function countRecordProperties(
  events: readonly MemoryEvent[],
  name: string | undefined,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { event, properties } of events) {
    if (name !== undefined && name !== event) continue;
    for (const property of Object.keys(properties)) counts.set(property, (counts.get(property) ?? 0) + 1);
  }
  return counts;
}
