import type { EventRecord } from '../data/event-record.ts';
import { createFieldReader, type FieldMapping, type MappedField, ROLES, type Role } from '../data/field-mapping.ts';
import { describeTimes, findAmbiguousDate, findRivalTimes, guessFields, isStandard } from '../data/guess-fields.ts';
import { readTimeValue } from '../data/time-text.ts';
import { getOwnValue, isJsonObject } from '../lang/util/json.ts';
import { escapeUnprintable, formatProperty, truncate } from '../lang/util/strings.ts';
import { suggest } from '../lang/util/suggest.ts';
import { UsageError } from './exit.ts';
import type { Io } from './io.ts';

/** The options that say how to read the columns of a file. A column called `none` turns a field off. */
export interface FieldOptions {
  readonly time?: string;
  readonly user?: string;
  readonly eventColumn?: string;
  /** Replace nested objects by properties with dotted names. */
  readonly flatten?: boolean;
}

const OPTIONS = { time: 'time', user: 'user', event: 'eventColumn' } as const satisfies Record<
  Role,
  keyof FieldOptions
>;

/** How the options are written. */
const FLAGS: Readonly<Record<Role, string>> = { time: '--time', user: '--user', event: '--event-column' };

const STANDARD: Readonly<Record<Role, string>> = { time: 'time', user: 'distinct_id', event: 'event' };

/** The value of an option that turns a field off. */
const NONE = 'none';

/** A date and a list of columns in a message. */
const MAX_DATE_LENGTH = 24;
const MAX_LIST_LENGTH = 80;

/** Returns whether an option sets a field or opens objects. */
export function areFieldsSet(options: FieldOptions): boolean {
  return options.flatten === true || ROLES.some((role) => options[OPTIONS[role]] !== undefined);
}

/** Returns whether more records would not change the guess: none is made if all fields are in place, nor for people. */
export function isShapeKnown(records: readonly EventRecord[]): boolean {
  return records.some(({ user }) => user !== undefined) || ROLES.every((role) => isStandard(records, role));
}

/**
 * Returns the columns for time, user and event: those of the options, and for the others a guess from the first records
 * of a file. Prints them in a line on standard error unless all are in their standard places.
 *
 * @throws {UsageError} if an option names a column that none of the records has.
 */
export function chooseFields(io: Io, records: readonly EventRecord[], options: FieldOptions): FieldMapping {
  const opened = records.map(createFieldReader({ flatten: options.flatten }));
  const fields = { ...guessFields(opened), ...readFieldOptions(opened, options) };
  const isGuessed = ROLES.some((role) => fields[role] !== undefined);
  if (isGuessed || findAmbiguousDate(opened) !== undefined || findRivalTimes(opened).length > 0)
    io.err.write(`${escapeUnprintable(describeFields(opened, fields))}\n`);
  return fields;
}

function readFieldOptions(records: readonly EventRecord[], options: FieldOptions): FieldMapping {
  const columns = new Set(
    records.flatMap(({ properties, whole }) => [...Object.keys(properties), ...Object.keys(whole)]),
  );
  const set = ROLES.flatMap((role): [Role, MappedField][] => {
    const column = options[OPTIONS[role]];
    if (column === undefined) return [];
    if (column === NONE) return [[role, { column: undefined, isSet: true }]];
    if (records.length > 0 && !columns.has(column)) throw new UsageError(describeUnknown(FLAGS[role], column, columns));
    return [[role, { column, isSet: true }]];
  });
  return Object.fromEntries(set);
}

function describeUnknown(flag: string, column: string, columns: ReadonlySet<string>): string {
  const nearest = suggest(column, columns);
  const found = `${flag}: the first records have no column ${JSON.stringify(column)}`;
  if (nearest !== undefined) return `${found}. Did you mean ${JSON.stringify(nearest)}?`;
  return `${found}. They have: ${truncate([...columns].join(', '), 200)}`;
}

function describeFields(records: readonly EventRecord[], fields: FieldMapping): string {
  return ROLES.map((role) => {
    const field = fields[role];
    const isThere = field === undefined && isStandard(records, role);
    const column = isThere ? STANDARD[role] : field?.column;
    const note = role === 'time' ? describeTime(records, column, field?.isSet === true) : '';
    return `${role}: ${column ?? NONE}${note}`;
  }).join(', ');
}

/** Describes the unit of the times, or why there are none. */
function describeTime(records: readonly EventRecord[], column: string | undefined, isSet: boolean): string {
  if (column === undefined) {
    if (isSet) return '';
    const rivals = findRivalTimes(records);
    if (rivals.length > 0) return ` (${truncate(rivals.join(' or '), MAX_LIST_LENGTH)}: choose with ${FLAGS.time})`;
    const ambiguous = findAmbiguousDate(records);
    if (ambiguous === undefined) return '';
    const date = truncate(ambiguous.date, MAX_DATE_LENGTH);
    return ` (${date} in ${ambiguous.column} could be day or month first; write dates as 2025-06-01)`;
  }
  const values = records.map(
    ({ properties, whole }) => getOwnValue(properties, column) ?? getOwnValue(whole, column) ?? null,
  );
  const readable = values.filter((value) => readTimeValue(value) !== undefined);
  if (readable.length > 0) return ` (${describeTimes(readable)})`;
  const example = values.find((value) => value !== null && value !== '');
  return ` (unreadable: ${truncate(JSON.stringify(example ?? null), MAX_DATE_LENGTH)})`;
}

/**
 * Returns a note about properties with dots in their names, such as `geo.country`, that the records only have in nested
 * objects. Without `names`, about all nested objects.
 */
export function describeNested(
  records: readonly EventRecord[],
  names: readonly string[] | undefined,
): string | undefined {
  for (const { properties } of records) {
    for (const [name, value] of Object.entries(properties)) {
      if (!isJsonObject(value)) continue;
      const [inner = ''] = Object.keys(value);
      const asked =
        names === undefined
          ? `${name}.${inner}`
          : names.find((dotted) => dotted.startsWith(`${name}.`) && !Object.hasOwn(properties, dotted));
      if (asked === undefined) continue;
      return `${JSON.stringify(name)} holds an object. Pass --flatten to read it as ${formatProperty('properties', asked)}.`;
    }
  }
  return undefined;
}
