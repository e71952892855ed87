import type { EventRecord } from '../../data/event-record.ts';
import { UNNAMED_EVENT } from '../../data/field-mapping.ts';
import type { EventTable } from '../../queries/in-memory/event-table.ts';
import type { MemoryPerson } from '../../queries/in-memory/memory-context.ts';
import { createRecordTable, type MemoryEvent } from '../../queries/in-memory/record-table.ts';

/** How many events queries leave out, because they lack one of the fields. */
export type LeftOut = Readonly<Record<'event' | 'time' | 'user', number>>;

/** Differences between the file and the events that queries read. */
export interface RecordNotes {
  readonly leftOut: LeftOut;
  /** Whether no event has a name, so that all are called {@link UNNAMED_EVENT}. */
  readonly isUnnamed: boolean;
}

/** Records as queries read them. */
export interface MemoryRecords extends RecordNotes {
  readonly events: readonly MemoryEvent[];
  readonly table: EventTable;
  readonly people: readonly MemoryPerson[];
}

/** Tells the events from the people of a file. Events without a name, a time or a user are left out. */
export function toMemoryRecords(records: readonly EventRecord[]): MemoryRecords {
  const profiles = new Map(
    records.flatMap(({ user, distinctId }) =>
      user === undefined || distinctId === undefined ? [] : [[distinctId, user]],
    ),
  );
  const isUnnamed = records.every(({ event }) => event === undefined);
  const leftOut = { event: 0, time: 0, user: 0 };
  const events: MemoryEvent[] = [];
  for (const { event = isUnnamed ? UNNAMED_EVENT : undefined, time, distinctId, properties, user } of records) {
    if (user !== undefined) continue;
    if (event === undefined) leftOut.event++;
    else if (time === undefined) leftOut.time++;
    else if (distinctId === undefined) leftOut.user++;
    else
      events.push({ event, time: Math.floor(time), user: distinctId, properties, profile: profiles.get(distinctId) });
  }
  const people = Array.from(profiles, ([distinctId, properties]) => ({ distinctId, properties }));
  return { events, table: createRecordTable(events), people, leftOut, isUnnamed: isUnnamed && events.length > 0 };
}
