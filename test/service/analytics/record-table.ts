import type { PropertyRead } from '../../../src/lang/check/check.ts';
import { ColumnBuilder } from '../../../src/lang/engines/columnar/column-builder.ts';
import type { BatchColumn } from '../../../src/lang/plan/batch-column.ts';
import { type Properties, readProperty } from '../../../src/lang/value.ts';
import { EventList, EventTable } from '../../../src/queries/in-memory/event-table.ts';

/** An event, with the profile of its user. */
export interface MemoryEvent {
  readonly event: string;
  /** Whole Unix seconds. */
  readonly time: number;
  readonly user: string;
  readonly properties: Properties;
  readonly profile: Properties | undefined;
}

/** Returns a table of events, which reads their properties in the plainest way. */
export function createRecordTable(events: readonly MemoryEvent[]): EventTable {
  const list = new EventList();
  for (const { event, time, user } of events) list.add(event, time, user);
  return new EventTable(list.columns, (read) => readColumn(events, read));
}

function readColumn(events: readonly MemoryEvent[], { scope, name }: PropertyRead): BatchColumn {
  const builder = new ColumnBuilder(events.length);
  for (const [row, { properties, profile }] of events.entries()) {
    builder.set(row, readProperty(scope === 'user' ? profile : properties, name));
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
