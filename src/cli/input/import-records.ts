import { getOwnValue } from '../../base/json.ts';
import type { EventRecord } from '../../data/event-record.ts';
import { createFieldReader, type FieldMapping, ROLES, type Role, UNNAMED_EVENT } from '../../data/field-mapping.ts';
import { describeJson } from '../../service/datasets/imports/quote-for-message.ts';
import { toEventLine, toPersonLine } from '../../service/datasets/imports/record-lines.ts';
import type { EventLine, PersonLine } from '../../service/store/log-line.ts';
import { areFieldsSet, chooseFields, describeNested, type FieldOptions } from '../choose-fields.ts';
import type { Io } from '../io.ts';
import { printMessage } from '../messages.ts';

/** The line of a record in the log of its kind, or why it cannot be stored. */
type ImportLine = readonly ['events', EventLine | string] | readonly ['people', PersonLine | string];

/** Converts the records of a file for import. */
export interface ImportReader {
  (record: EventRecord): ImportLine;
  /** The columns for time, user and event that are not in their standard places. */
  readonly fields: FieldMapping;
}

/** The properties in which events keep the time and the user. */
const KEPT_IN = { time: 'time', user: 'distinct_id' } as const;

/**
 * Returns the function that converts the records of a file for import. The columns for time, user and event come from
 * the options or, by the first records, from a guess. Prints what was guessed, and what an event does not keep.
 *
 * @throws {UsageError} if an option names a column that none of the records has.
 */
export function createImportReader(io: Io, sample: readonly EventRecord[], options: FieldOptions): ImportReader {
  const fields = chooseFields(io, sample, options);
  const records = sample.map(createFieldReader({ fields: { origin: fields.origin } }));
  const isFlat =
    records.length > 0 && records.every((record) => record.whole === record.properties && !isPerson(record));
  const isNamed = records.some(({ event }) => event !== undefined);
  const isMapped = areFieldsSet(options) || ROLES.some((role) => fields[role] !== undefined);
  const { flatten, withEvent = false } = options;
  if (!isMapped && (!isFlat || isNamed)) {
    const read = createFieldReader({ withEvent });
    return Object.assign((record: EventRecord) => toPublishedLine(read(record)), { fields });
  }
  const isUnnamed = fields.event?.column === undefined && !isNamed;
  for (const note of listNotes(records, fields, options, isUnnamed)) printMessage(io, 'note', note);
  const read = createFieldReader({ fields, flatten, withEvent });
  const convert = (record: EventRecord): ImportLine => {
    const found = read(record);
    return isPerson(record) ? toPublishedLine(found) : ['events', toMappedLine(found, fields, isUnnamed)];
  };
  return Object.assign(convert, { fields });
}

/** Returns whether a record is a profile, or an update of one. */
export function isPerson({ user, event, properties }: EventRecord): boolean {
  return user !== undefined || (event === undefined && Object.hasOwn(properties, '$distinct_id'));
}

/** Profiles and updates of profiles are people; all other records are events. */
function toPublishedLine(record: EventRecord): ImportLine {
  const { user, event, properties, distinctId } = record;
  if (!isPerson(record)) return ['events', toEventLine({ event, properties })];
  return ['people', toPersonLine(user === undefined ? properties : { $distinct_id: distinctId, $set: user })];
}

function toMappedLine(record: EventRecord, fields: FieldMapping, isUnnamed: boolean): EventLine | string {
  const { time, distinctId, event = isUnnamed ? UNNAMED_EVENT : undefined } = record;
  if (time === undefined) return describeMissing(record, fields, 'time');
  if (distinctId === undefined || distinctId === '') return describeMissing(record, fields, 'user');
  if (event === undefined || event === '') return describeMissing(record, fields, 'event');
  const properties = { ...record.properties, time: Math.floor(time), distinct_id: distinctId };
  return toEventLine({ event, properties });
}

const MISSING: Readonly<Record<Role, readonly [what: string, flag: string]>> = {
  time: ['time', '--time'],
  user: ['user', '--user'],
  event: ['name of an event', '--event-column'],
};

function describeMissing({ properties, whole }: EventRecord, fields: FieldMapping, role: Role): string {
  const [what, flag] = MISSING[role];
  const column = fields[role]?.column;
  if (column === undefined) return `no ${what}. Name its column with ${flag}.`;
  const value = getOwnValue(whole, column) ?? getOwnValue(properties, column);
  if (value === undefined) return `no ${what}: ${column} is empty.`;
  const advice = role === 'time' ? ' Write dates as 2025-06-01 or 2025-06-01T12:00:00Z, or Unix time.' : '';
  return `${column} is ${describeJson(value)}, which is no ${what}.${advice}`;
}

/** Lists what a user may not expect of the converted records. */
function* listNotes(
  sample: readonly EventRecord[],
  fields: FieldMapping,
  { flatten }: FieldOptions,
  isUnnamed: boolean,
): Generator<string> {
  if (isUnnamed) yield `No column names the events, so all are called ${JSON.stringify(UNNAMED_EVENT)}`;
  for (const role of ['time', 'user'] as const) {
    const [column, kept] = [fields[role]?.column, KEPT_IN[role]];
    if (column === undefined || column === kept) continue;
    if (sample.some(({ properties }) => Object.hasOwn(properties, kept)))
      yield `${JSON.stringify(kept)} is replaced by the ${role} in ${JSON.stringify(column)}`;
  }
  const beside = new Set(
    sample.flatMap(({ whole, properties, user }) =>
      whole === properties || user !== undefined ? [] : Object.keys(whole),
    ),
  );
  const kept = ['properties', 'event', ...ROLES.map((role) => fields[role]?.column)];
  const dropped = [...beside].filter((name) => !kept.includes(name) && !name.startsWith('properties.'));
  if (dropped.length > 0) yield `Left out, because only properties are kept: ${dropped.join(', ')}`;
  const nested = flatten ? undefined : describeNested(sample, undefined);
  if (nested !== undefined) yield nested.replace(/\.$/, '');
}
