import { EVENT_PROPERTY } from '../../data/field-mapping.ts';
import type { PropertyRead } from '../../lang/check/check.ts';
import { ColumnBuilder } from '../../lang/engines/columnar/column-builder.ts';
import type { BatchColumn } from '../../lang/plan/batch-column.ts';
import { type Properties, readProperty } from '../../lang/value.ts';
import { EventList, EventTable, type PropertySource } from './event-table.ts';

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
  return new EventTable(list, new RecordSource(events));
}

class RecordSource implements PropertySource {
  constructor(private readonly events: readonly MemoryEvent[]) {}

  readColumn({ scope, name }: PropertyRead): BatchColumn {
    const builder = new ColumnBuilder(this.events.length);
    const isEventName = scope === 'properties' && name === EVENT_PROPERTY;
    for (const [row, { event, properties, profile }] of this.events.entries()) {
      const value = readProperty(scope === 'user' ? profile : properties, name);
      builder.set(row, isEventName && !Object.hasOwn(properties, name) ? event : value);
    }
    return builder.finish();
  }

  countNames(includes: (row: number) => boolean = () => true): Map<string, number> {
    const counts = new Map<string, number>();
    for (const [row, { properties }] of this.events.entries()) {
      if (!includes(row)) continue;
      for (const name of Object.keys(properties)) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  }
}
