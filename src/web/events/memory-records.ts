import { EVENT_PROPERTY, UNNAMED_EVENT } from '../../data/field-mapping.ts';
import { selectRows } from '../../lang/engines/columnar/column-view.ts';
import type { Properties } from '../../lang/value.ts';
import { type EventColumns, EventTable } from '../../queries/in-memory/event-table.ts';
import type { MemoryContext } from '../../queries/in-memory/memory-context.ts';
import { readUserColumn } from '../../queries/in-memory/user-column.ts';
import type { RecordColumns } from './record-columns.ts';

/** How many events queries leave out, because they lack one of the fields. */
export type LeftOut = Readonly<Record<'event' | 'time' | 'user', number>>;

/** Differences between the file and the events that queries read. */
export interface RecordNotes {
  readonly leftOut: LeftOut;
  /** Whether no event has a name, so that all are called {@link UNNAMED_EVENT}. */
  readonly isUnnamed: boolean;
}

/** Records as queries read them. */
export interface MemoryRecords extends RecordNotes, Pick<MemoryContext, 'table' | 'people' | 'countProperties'> {
  /** Returns the properties of the event at a row of the table. */
  readonly readProperties: (row: number) => Properties;
}

/**
 * Tells the events from the people of a file. Events without a name, a time or a user are left out.
 *
 * @param readProperties returns the properties of a record by its row
 */
export function toMemoryRecords(records: RecordColumns, readProperties: (row: number) => Properties): MemoryRecords {
  const { eventCodes, eventNames, userCodes, userIds, times } = records.fields;
  const isUnnamed = eventNames.length === 1;
  const leftOut = { event: 0, time: 0, user: 0 };
  const found = new Uint32Array(records.length);
  let count = 0;
  for (let row = 0; row < records.length; row++) {
    if (records.profiles.has(row)) continue;
    if (eventCodes[row] === 0 && !isUnnamed) leftOut.event++;
    else if (Number.isNaN(times[row])) leftOut.time++;
    else if (userCodes[row] === 0) leftOut.user++;
    else found[count++] = row;
  }
  const rows = found.subarray(0, count);
  const [events, users] = [renumber(eventCodes, eventNames, rows), renumber(userCodes, userIds, rows)];
  const list: EventColumns = {
    times: Float64Array.from(rows, (row) => Math.floor(times[row] as number)),
    nameCodes: events.codes,
    eventNames: events.strings.map((name) => name ?? UNNAMED_EVENT),
    userCodes: users.codes,
    userIds: users.strings as string[],
  };
  const profiles = new Map(
    Array.from(records.profiles).flatMap(([row, profile]) => {
      const id = userIds[userCodes[row] as number];
      return id === undefined ? [] : [[id, profile]];
    }),
  );
  const table = new EventTable(list, (read) => {
    if (read.scope === 'user') return readUserColumn(list, profiles, read.name);
    const column = records.getColumn(read);
    return count === records.length ? column : selectRows(column, rows);
  });
  const people = Array.from(profiles, ([distinctId, properties]) => ({ distinctId, properties }));
  return {
    table,
    people,
    leftOut,
    isUnnamed: isUnnamed && count > 0,
    countProperties: async (event) => countProperties(records, list, rows, event),
    readProperties: (row) => readProperties(rows[table.order[row] as number] as number),
  };
}

/** Numbers the strings of some rows, in order of first appearance. */
function renumber<Text>(codes: Uint32Array, strings: readonly Text[], rows: Uint32Array) {
  const numbers = new Int32Array(strings.length).fill(-1);
  const found: Text[] = [];
  const renumbered = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const code = codes[rows[at] as number] as number;
    if (numbers[code] === -1) numbers[code] = found.push(strings[code] as Text) - 1;
    renumbered[at] = numbers[code] as number;
  }
  return { codes: renumbered, strings: found };
}

/** Returns how many events have each property: all events, or those with a name. */
function countProperties(
  { length, properties, ownEventRows }: RecordColumns,
  { nameCodes, eventNames }: EventColumns,
  rows: Uint32Array,
  event: string | undefined,
): Map<string, number> {
  const wanted = new Uint8Array(length);
  const name = event === undefined ? undefined : eventNames.indexOf(event);
  for (let at = 0; at < rows.length; at++) {
    if (name === undefined || nameCodes[at] === name) wanted[rows[at] as number] = 1;
  }
  const counts = new Map<string, number>();
  for (const [property, column] of properties) {
    let count = 0;
    for (const row of property === EVENT_PROPERTY ? ownEventRows : column.rows) count += wanted[row] as number;
    if (count > 0) counts.set(property, count);
  }
  return counts;
}
