import { escapeUnprintable, formatProperty, truncate } from '../base/strings.ts';
import { suggest } from '../base/suggest.ts';
import { areFieldsUnusual, describeFields, findNested } from '../data/describe-fields.ts';
import type { EventRecord } from '../data/event-record.ts';
import { type FieldMapping, type MappedField, NO_COLUMN, ROLES, type Role } from '../data/field-mapping.ts';
import { isStandard, openSample } from '../data/guess-fields.ts';
import { listRecordPaths } from '../data/inner-lists.ts';
import { ORIGINS } from '../data/origins.ts';
import { UsageError } from './exit.ts';
import type { Io } from './io.ts';
import { quoteForShell } from './shell-quotes.ts';

/** The options that say how to read the columns of a file. A column called `none` turns a field off. */
export interface FieldOptions {
  readonly time?: string;
  readonly user?: string;
  readonly eventColumn?: string;
  /** Replace nested objects by properties with dotted names. */
  readonly flatten?: boolean;
  /** Add the name of the event as a property. No option sets it. */
  readonly withEvent?: boolean;
}

const OPTIONS = { time: 'time', user: 'user', event: 'eventColumn' } as const satisfies Record<
  Role,
  keyof FieldOptions
>;

/** How the options are written. */
const FLAGS: Readonly<Record<Role, string>> = { time: '--time', user: '--user', event: '--event-column' };

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
  const opened = openSample(records, options.flatten);
  const fields = { ...opened.fields, ...readFieldOptions(opened.records, options) };
  if (areFieldsUnusual(opened.records, fields))
    io.err.write(`${escapeUnprintable(listFields(opened.records, fields))}\n`);
  return fields;
}

function readFieldOptions(records: readonly EventRecord[], options: FieldOptions): FieldMapping {
  const columns = new Set(
    records.flatMap(({ properties, whole }) => [...Object.keys(properties), ...Object.keys(whole)]),
  );
  const set = ROLES.flatMap((role): [Role, MappedField][] => {
    const column = options[OPTIONS[role]];
    if (column === undefined) return [];
    if (column === NO_COLUMN) return [[role, { column: undefined, isSet: true }]];
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

function listFields(records: readonly EventRecord[], fields: FieldMapping): string {
  const listed = describeFields(records, fields, `choose with ${FLAGS.time}`).map(
    ({ role, column, note }) => `${role}: ${column ?? NO_COLUMN}${note === '' ? '' : ` (${note})`}`,
  );
  const title = fields.origin === undefined ? '' : `${ORIGINS[fields.origin].title}, `;
  return `${title}${listed.join(', ')}`;
}

/** Returns a note about lists of objects in records that are no events, which may be what the user wants to read. */
export function describeInnerLists(records: readonly EventRecord[]): string | undefined {
  const flags = listRecordPaths(records).map((path) => `--records ${quoteForShell(path)}`);
  if (flags.length === 0) return undefined;
  const what = records.length === 1 ? 'The only record holds' : 'The records hold';
  return `${what} lists of objects. To read one of them, pass ${truncate(flags.join(' or '), 200)}.`;
}

/**
 * Returns a note about properties with dots in their names, such as `geo.country`, that the records only have in nested
 * objects. Without `names`, about all nested objects.
 */
export function describeNested(
  records: readonly EventRecord[],
  names: readonly string[] | undefined,
): string | undefined {
  const found = findNested(records, names);
  if (found === undefined) return undefined;
  const property = formatProperty('properties', found.dotted);
  return `${JSON.stringify(found.name)} holds an object. Pass --flatten to read it as ${property}.`;
}
