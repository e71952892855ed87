import { getOwnValue } from '../base/json.ts';
import { formatDecimal, type Properties } from '../lang/value.ts';
import { type EventRecord, readId } from './event-record.ts';
import { flatten } from './flatten.ts';
import { type OriginName, openRecord } from './origins.ts';
import { readTimeValue } from './time-text.ts';

/** The roles of columns that are not properties. */
export const ROLES = ['time', 'user', 'event'] as const;

export type Role = (typeof ROLES)[number];

/** The column of a role. */
export interface MappedField {
  /** Undefined if no column has the role. */
  readonly column: string | undefined;
  /**
   * True if the user chose it: it replaces the standard field of every record. A guess only fills in for events
   * without the standard field, from a column of flat records or beside the properties.
   */
  readonly isSet: boolean;
}

/**
 * The columns for time, user and event, as plain data, and the tool whose records have a shape of their own. A role
 * without an entry has its standard field.
 */
export type FieldMapping = Readonly<Partial<Record<Role, MappedField>> & { origin?: OriginName | undefined }>;

/** Written instead of a column to turn a field off. */
export const NO_COLUMN = 'none';

/** The name of the event as a property, for records without a property of this name. */
export const EVENT_PROPERTY = '$event';

/** The name of all events of a file in which none has a name. */
export const UNNAMED_EVENT = 'record';

/** How to read records besides their standard fields. */
export interface FieldReading {
  readonly fields?: FieldMapping | undefined;
  /** Replace nested objects by properties with dotted names. */
  readonly flatten?: boolean | undefined;
  /** Add {@link EVENT_PROPERTY} to the properties. */
  readonly withEvent?: boolean;
}

/** Returns the function that applies a mapping to records. */
export function createFieldReader({
  fields = {},
  flatten: isFlat = false,
  withEvent = false,
}: FieldReading): (record: EventRecord) => EventRecord {
  const { origin } = fields;
  if (!isFlat && !withEvent && origin === undefined && ROLES.every((role) => fields[role] === undefined))
    return (record) => record;
  return (record) => {
    const shaped = origin === undefined ? record : openRecord(record, origin);
    const opened = isFlat ? flattenRecord(shaped) : shaped;
    const read = {
      ...opened,
      time: readField(opened, fields.time, opened.time, readTimeValue),
      distinctId: readField(opened, fields.user, opened.distinctId, readId),
      event: readField(opened, fields.event, opened.event, readEventName),
    };
    return withEvent ? addEventProperty(read) : read;
  };
}

/** Returns whether properties are made of other parts of a record, so that a record can lack their names. */
export function makesProperties({ fields, flatten: isFlat }: FieldReading): boolean {
  return isFlat === true || fields?.origin !== undefined;
}

function flattenRecord(record: EventRecord): EventRecord {
  const { properties, whole, user } = record;
  const opened = flatten(properties);
  return {
    ...record,
    properties: opened,
    whole: whole === properties ? opened : flatten(whole),
    user: user === undefined ? undefined : opened,
  };
}

/** Reads the column among the properties or, in a nested record, beside them. */
function readField<Value>(
  { properties, whole, user }: EventRecord,
  field: MappedField | undefined,
  standard: Value | undefined,
  read: (value: unknown) => Value | undefined,
): Value | undefined {
  if (field === undefined) return standard;
  const { column, isSet } = field;
  if (!isSet && (standard !== undefined || user !== undefined)) return standard;
  if (column === undefined) return undefined;
  if (!isSet) return read(getOwnValue(whole, column));
  const value = read(getOwnValue(properties, column));
  return value === undefined && whole !== properties ? read(getOwnValue(whole, column)) : value;
}

/** Reads the name of an event. Codes are names too. */
function readEventName(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return formatDecimal(value);
  return typeof value === 'string' ? value : undefined;
}

function addEventProperty(record: EventRecord): EventRecord {
  const { event, properties } = record;
  if (event === undefined || Object.hasOwn(properties, EVENT_PROPERTY)) return record;
  const named: Properties = { ...properties, [EVENT_PROPERTY]: event };
  return { ...record, properties: named };
}
