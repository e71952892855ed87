import { getOwnValue, isJsonObject } from '../base/json.ts';
import { truncate } from '../base/strings.ts';
import type { EventRecord } from './event-record.ts';
import { type FieldMapping, ROLES, type Role } from './field-mapping.ts';
import { flatten } from './flatten.ts';
import {
  type AmbiguousDate,
  describeTimes,
  findAmbiguousDate,
  findRivalTimes,
  isStandard,
  readAmbiguousDates,
} from './guess-fields.ts';
import { listColumns } from './origins.ts';
import { readTimeValue } from './time-text.ts';

const STANDARD: Readonly<Record<Role, string>> = { time: 'time', user: 'distinct_id', event: 'event' };

/** A date and a list of columns in a note. */
const MAX_DATE_LENGTH = 24;
const MAX_LIST_LENGTH = 80;

/** Where a role is read from. */
export interface DescribedField {
  readonly role: Role;
  /** The column, or the standard field; undefined if the records have none. */
  readonly column: string | undefined;
  /** The unit of times, or why there are none; else empty. */
  readonly note: string;
}

/**
 * Describes where the first records of a file have their time, user and event.
 *
 * @param howToChoose How the user chooses the time, as in “choose with --time”.
 */
export function describeFields(
  records: readonly EventRecord[],
  fields: FieldMapping,
  howToChoose: string,
): DescribedField[] {
  return ROLES.map((role) => {
    const field = fields[role];
    const isThere = field === undefined && isStandard(records, role);
    const column = isThere ? STANDARD[role] : field?.column;
    if (role !== 'time' && field?.isSet === false) return { role, column, note: describeOthers(records, fields, role) };
    if (role !== 'time' || (column === undefined && field?.isSet === true)) return { role, column, note: '' };
    const note = column === undefined ? explainNoTime(records, howToChoose) : describeUnit(records, column);
    return { role, column, note };
  });
}

/** Returns whether the fields of records are worth telling: not all of them are in their standard places. */
export function areFieldsUnusual(records: readonly EventRecord[], fields: FieldMapping): boolean {
  if (ROLES.some((role) => fields[role] !== undefined)) return true;
  return findAmbiguousDate(records) !== undefined || findRivalTimes(records).length > 0;
}

/** Returns the columns of a role that records of a tool have where they lack the first, as in “else anonymousId”. */
function describeOthers(records: readonly EventRecord[], { origin, ...fields }: FieldMapping, role: Role): string {
  const columns = origin === undefined ? undefined : listColumns(origin, role);
  const others = (columns ?? []).filter(
    (name) => name !== fields[role]?.column && records.some(({ whole }) => Object.hasOwn(whole, name)),
  );
  return others.map((name) => `else ${name}`).join(', ');
}

function explainNoTime(records: readonly EventRecord[], howToChoose: string): string {
  const rivals = findRivalTimes(records);
  if (rivals.length > 0) return `${truncate(rivals.join(' or '), MAX_LIST_LENGTH)}: ${howToChoose}`;
  const ambiguous = findAmbiguousDate(records);
  return ambiguous === undefined ? '' : describeAmbiguous(ambiguous);
}

function describeAmbiguous({ column, date, first }: AmbiguousDate): string {
  const order = first === undefined ? 'could be day or month first' : `has the ${first} first`;
  return `${truncate(date, MAX_DATE_LENGTH)} in ${column} ${order}; write dates as 2025-06-01`;
}

function describeUnit(records: readonly EventRecord[], column: string): string {
  const values = records.map(
    ({ properties, whole }) => getOwnValue(properties, column) ?? getOwnValue(whole, column) ?? null,
  );
  const readable = values.filter((value) => readTimeValue(value) !== undefined);
  if (readable.length > 0) return describeTimes(readable);
  const ambiguous = readAmbiguousDates(column, values);
  if (ambiguous !== undefined) return describeAmbiguous(ambiguous);
  const example = values.find((value) => value !== null && value !== '');
  return `unreadable: ${truncate(JSON.stringify(example ?? null), MAX_DATE_LENGTH)}`;
}

/** A property with an object, and the dotted name of a property in it. */
export interface NestedProperty {
  readonly name: string;
  readonly dotted: string;
}

/** Returns a nested property of the records: the first one or, with `names`, one of these that no record has itself. */
export function findNested(
  records: readonly EventRecord[],
  names?: readonly string[] | undefined,
): NestedProperty | undefined {
  for (const { properties } of records) {
    for (const [name, value] of Object.entries(properties)) {
      if (!isJsonObject(value)) continue;
      const dotted =
        names === undefined
          ? Object.keys(flatten({ [name]: value })).find((inner) => inner !== name)
          : names.find((asked) => asked.startsWith(`${name}.`) && !Object.hasOwn(properties, asked));
      if (dotted !== undefined) return { name, dotted };
    }
  }
  return undefined;
}
