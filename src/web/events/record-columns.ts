import type { EventRecord } from '../../data/event-record.ts';
import { EVENT_PROPERTY } from '../../data/field-mapping.ts';
import type { PropertyRead } from '../../lang/check/check.ts';
import { inferSchema } from '../../lang/check/infer-schema.ts';
import type { Schema } from '../../lang/check/schema.ts';
import { ColumnBuilder } from '../../lang/engines/columnar/column-builder.ts';
import type { Batch } from '../../lang/plan/batch.ts';
import { type BatchColumn, getValue } from '../../lang/plan/batch-column.ts';
import { type Properties, readProperty, readValue } from '../../lang/value.ts';
import { sortByUser } from '../../queries/in-memory/event-table.ts';
import { GrowingColumn } from '../../queries/in-memory/growing-column.ts';
import type { PropertyScope } from '../shared/property-catalog.ts';
import { PropertyColumn } from './property-column.ts';

/** The users of records. */
interface RecordUsers {
  readonly count: number;
  /** The number of the user of each record, -1 if it has none. */
  readonly codes: Int32Array;
  /** The records with a user, in order of user. */
  readonly order: Uint32Array;
}

/** The fields of records besides properties, in columns. Code 0 is that of a record without the field. */
interface RecordFields {
  readonly eventCodes: Uint32Array;
  readonly eventNames: readonly (string | undefined)[];
  readonly userCodes: Uint32Array;
  readonly userIds: readonly (string | undefined)[];
  /** Unix seconds, NaN if a record has none. */
  readonly times: Float64Array;
}

/** The columns that are made of those of the records when they are first read. */
interface MadeColumns {
  readonly properties: Map<string, BatchColumn>;
  fields?: RecordFields;
  users?: RecordUsers;
}

/** The part of a record that expressions read. */
type RecordPart = Pick<EventRecord, 'properties' | 'user'>;

/**
 * The records of a file in columns, in the order of the file. They are filled while the file is read, so that no
 * question waits for them. The name of an event is a property too, as for commands that read files.
 */
export class RecordColumns {
  /** The properties of the records by name, in order of first appearance. */
  readonly properties = new Map<string, PropertyColumn>();
  /** The profiles by row, for records that have one. */
  readonly profiles = new Map<number, Properties>();
  /** The rows of the records with a property that is called like that of the event name. */
  readonly ownEventRows = new Set<number>();
  private readonly events = new GrowingColumn();
  private readonly users = new GrowingColumn();
  private readonly times = new GrowingColumn();
  private added = 0;
  /** Undefined until a column is read after the last record. */
  private made: MadeColumns | undefined;

  get length(): number {
    return this.added;
  }

  add({ properties, user, event, distinctId, time }: EventRecord): void {
    const row = this.added++;
    this.made = undefined;
    this.events.reserve(row);
    this.events.set(row, event);
    this.users.reserve(row);
    this.users.set(row, distinctId);
    this.times.reserve(row);
    this.times.set(row, time);
    if (user !== undefined) this.profiles.set(row, user);
    for (const name of Object.keys(properties)) this.find(name).add(row, readValue(properties[name]));
    if (Object.hasOwn(properties, EVENT_PROPERTY)) this.ownEventRows.add(row);
    else if (event !== undefined) this.find(EVENT_PROPERTY).add(row, event);
  }

  /** Returns the properties that an expression reads. */
  createBatch(reads: readonly PropertyRead[]): Batch {
    const columns = { properties: new Map<string, BatchColumn>(), user: new Map<string, BatchColumn>() };
    for (const read of reads) columns[read.scope].set(read.name, this.getColumn(read));
    return { length: this.length, ...columns };
  }

  getColumn(read: PropertyRead): BatchColumn {
    const { properties } = this.readColumns();
    const key = `${read.scope} ${read.name}`;
    const column = properties.get(key) ?? this.makeColumn(read);
    properties.set(key, column);
    return column;
  }

  get fields(): RecordFields {
    const made = this.readColumns();
    made.fields ??= this.finishFields();
    return made.fields;
  }

  /** Counts the users of the records, numbered in order of first appearance. */
  get numberedUsers(): RecordUsers {
    const made = this.readColumns();
    made.users ??= numberUsers(this.fields);
    return made.users;
  }

  /** Returns a function that returns the properties of a record, of those that an expression reads. Rows must ascend. */
  createReader(reads: readonly PropertyRead[]): (row: number) => RecordPart {
    const names = new Set(reads.flatMap(({ scope, name }) => (scope === 'properties' ? [name] : [])));
    const cursors = [...names].flatMap((name) => {
      const column = this.properties.get(name);
      return column === undefined ? [] : [{ name, rows: column.rows, values: column.values, next: 0 }];
    });
    return (row) => {
      const properties: Record<string, unknown> = {};
      for (const cursor of cursors) {
        const { name, rows, values } = cursor;
        while ((rows[cursor.next] as number) < row) cursor.next++;
        if (rows[cursor.next] === row) setProperty(properties, name, getValue(values, cursor.next));
      }
      return { properties, user: this.profiles.get(row) };
    };
  }

  /** Counts the records with each property. */
  countNames(scope: PropertyScope): Map<string, number> {
    if (scope === 'properties') return new Map(Array.from(this.properties, ([name, { count }]) => [name, count]));
    const counts = new Map<string, number>();
    for (const profile of this.profiles.values())
      for (const name of Object.keys(profile)) counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts;
  }

  /** Counts the events with each name. */
  countEvents(): Map<string, number> {
    const { eventCodes, eventNames } = this.fields;
    const counts = new Uint32Array(eventNames.length);
    for (const code of eventCodes) (counts[code] as number)++;
    return new Map(eventNames.flatMap((name, code) => (name === undefined ? [] : [[name, counts[code] as number]])));
  }

  inferSchema(): Schema {
    const properties = Array.from(this.properties, ([name, column]) => [name, column.toSchema()] as const);
    const users = Array.from(this.profiles.values(), (profile) => ({ properties: profile }));
    return {
      properties: Object.fromEntries(properties),
      ...(users.length > 0 && { user: inferSchema(users).properties }),
    };
  }

  private readColumns(): MadeColumns {
    this.made ??= { properties: new Map() };
    return this.made;
  }

  private find(name: string): PropertyColumn {
    const known = this.properties.get(name);
    if (known !== undefined) return known;
    const column = new PropertyColumn();
    this.properties.set(name, column);
    return column;
  }

  private makeColumn({ scope, name }: PropertyRead): BatchColumn {
    if (scope === 'properties') return (this.properties.get(name) ?? new PropertyColumn()).toColumn(this.length);
    const builder = new ColumnBuilder(this.length);
    for (const [row, profile] of this.profiles) builder.set(row, readProperty(profile, name));
    return builder.finish();
  }

  private finishFields(): RecordFields {
    const [events, users] = [this.events.finish(), this.users.finish()];
    const { length } = this;
    return {
      eventCodes: events.codes ?? new Uint32Array(length),
      eventNames: events.dictionary as readonly (string | undefined)[],
      userCodes: users.codes ?? new Uint32Array(length),
      userIds: users.dictionary as readonly (string | undefined)[],
      times: this.times.finish().numbers ?? new Float64Array(length).fill(Number.NaN),
    };
  }
}

/** Sets an own property, also one that is called `__proto__`. */
function setProperty(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true });
  else object[name] = value;
}

function numberUsers({ userCodes, userIds }: RecordFields): RecordUsers {
  const { order, ends } = sortByUser(userCodes, userIds.length);
  return {
    count: userIds.length - 1,
    codes: Int32Array.from(userCodes, (code) => code - 1),
    order: order.subarray(ends[1]),
  };
}
