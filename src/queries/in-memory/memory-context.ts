import type { Properties } from '../../lang/value.ts';
import type { EventTable } from './event-table.ts';

/** A profile. */
export interface MemoryPerson {
  readonly distinctId: string;
  readonly properties: Properties;
}

/** The records and the time that queries run on. */
export interface MemoryContext {
  readonly table: EventTable;
  readonly people: readonly MemoryPerson[];
  /** Returns how many events have each property: all events, or those with a name. */
  readonly countProperties: (event: string | undefined) => Promise<ReadonlyMap<string, number>>;
  /** The IANA name of the time zone of days, and of dates in expressions. */
  readonly timeZone: string;
  /** The current time, in Unix seconds. */
  readonly now: number;
  /** Whether the name of the event counts as a property. */
  readonly readsEventName?: boolean;
}
