import { getOwnValue } from '../base/json.ts';
import { MAX_SECONDS } from '../lang/operators/time.ts';
import { compareStrings } from '../lang/value.ts';
import { type EventRecord, readId } from './event-record.ts';
import { createFieldReader, type FieldMapping, type MappedField, ROLES, type Role } from './field-mapping.ts';
import { listColumns, type OriginName, recognizeOrigin } from './origins.ts';
import { readTimeValue } from './time-text.ts';

/** A column is guessed if at least this share of the flat records has it. */
const MIN_PRESENT = 0.5;

/** A column is guessed if at least this share of its values fits. */
const MIN_FITTING = 0.8;

/** Numbers are guessed to be times from 1985 on, so that durations and dates such as 20250601 are not. */
const MIN_GUESSED_SECONDS = 473_385_600;

/** A column with a name as general as `type` is guessed to hold events if it has at most this many values. */
const MAX_GENERAL_EVENTS = 30;

/** Names of columns, most telling first, as {@link normalizeName} returns them. */
const TIME_NAMES =
  'time eventtime timestamp eventtimestamp ts datetime occurredat createdat created creationdate date submittedat ' +
  'startedat starttime startdate loggedat receivedat sentat updatedat';
const USER_NAMES =
  'distinctid userid useruuid uid user username customerid customer clientid accountid account memberid visitorid ' +
  'personid playerid deviceid anonymousid actorid author useremail customeremail email emailaddress respondentid ' +
  'userpseudoid domainuserid ip clientip cip ipaddress remoteip remoteaddr';
const EVENT_NAMES = 'event eventname eventtype eventaction';
const GENERAL_EVENT_NAMES = 'action activity type name';

/** Other names that say that a column is a time. */
const TIME_ENDING = /(?:time|date|timestamp|[a-z]at)$/;

/** Matches dates with dots, which have the day first. */
const DOTTED_DATE = /^\d{1,2}\.\d{1,2}\.\d{4}\b/;

/** Matches dates whose day and month could be either way round. */
const AMBIGUOUS_DATE = /^(\d{1,2})[/.-](\d{1,2})[/.-]\d{2,4}\b/;

/** A date that does not begin with the year, and what the dates of its column have first if they show it. */
export interface AmbiguousDate {
  readonly column: string;
  readonly date: string;
  readonly first: 'day' | 'month' | undefined;
}

/** The columns of the records of a sample, and what was found in them. */
interface Sampled {
  readonly records: readonly EventRecord[];
  /** The values of each column that are not null. */
  readonly columns: ReadonlyMap<string, readonly unknown[]>;
}

/** The first records of a file as they are read, and what was guessed of them. */
export interface OpenedSample {
  readonly records: readonly EventRecord[];
  readonly fields: FieldMapping;
}

/** Recognizes the tool that wrote the records of a sample, or else guesses their columns. */
export function openSample(sample: readonly EventRecord[], flatten: boolean | undefined): OpenedSample {
  const origin = recognizeOrigin(sample);
  const records = sample.map(createFieldReader({ fields: { origin }, flatten }));
  return { records, fields: origin === undefined ? guessFields(records) : listOriginFields(records, origin) };
}

/** Returns the columns of a tool that the records have, and a guess where they differ from file to file. */
function listOriginFields(records: readonly EventRecord[], origin: OriginName): FieldMapping {
  const guessed = guessFields(records);
  const fields = ROLES.flatMap((role): [Role, MappedField][] => {
    const columns = listColumns(origin, role);
    if (columns === undefined) return guessed[role] === undefined ? [] : [[role, guessed[role]]];
    const column = columns.find((name) => records.some(({ whole }) => Object.hasOwn(whole, name)));
    return column === undefined ? [] : [[role, { column, isSet: false }]];
  });
  return { origin, ...Object.fromEntries(fields) };
}

/**
 * Guesses the columns of flat records for the fields that none of them has in its standard place. If all records are
 * events with properties, guesses among the fields beside them. Else returns no column. The order of columns does not
 * matter.
 */
export function guessFields(records: readonly EventRecord[]): FieldMapping {
  const sampled = sampleColumns(records);
  if (sampled === undefined) return {};
  const guessed = ROLES.flatMap((role): [Role, MappedField][] => {
    const column = isStandard(records, role) ? undefined : GUESSES[role](sampled);
    return column === undefined ? [] : [[role, { column, isSet: false }]];
  });
  return Object.fromEntries(guessed);
}

/** Returns whether records have a field in its standard place. */
export function isStandard(records: readonly EventRecord[], role: Role): boolean {
  const key = ({ time: 'time', user: 'distinctId', event: 'event' } as const)[role];
  return records.some((record) => record[key] !== undefined);
}

/** Returns a date of a column that could be a time, but whose day and month could be either way round. */
export function findAmbiguousDate(records: readonly EventRecord[]): AmbiguousDate | undefined {
  const columns = [...(sampleColumns(records)?.columns ?? [])].sort(([left], [right]) => compareStrings(left, right));
  for (const [column, values] of columns) {
    const found = isTimeName(normalizeName(column)) ? readAmbiguousDates(column, values) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the first date among the values of a column whose day and month could be either way round. */
export function readAmbiguousDates(column: string, values: readonly unknown[]): AmbiguousDate | undefined {
  const dates = values.flatMap((value) => (typeof value === 'string' ? [AMBIGUOUS_DATE.exec(value)] : []));
  const found = dates.filter((date) => date !== null);
  const date = found[0]?.input;
  if (date === undefined) return undefined;
  // No month is above 12.
  const isDay = [1, 2].map((place) => found.some((parts) => Number(parts[place]) > 12));
  return { column, date, first: isDay[0] === isDay[1] ? undefined : isDay[0] ? 'day' : 'month' };
}

function isTimeName(name: string): boolean {
  return TIME_ENDING.test(name) || TIME_NAMES.split(' ').includes(name);
}

/** Returns the columns that could be the time if there are several of them and none is more telling than the others. */
export function findRivalTimes(records: readonly EventRecord[]): readonly string[] {
  const sampled = isStandard(records, 'time') ? undefined : sampleColumns(records);
  const columns = sampled === undefined ? [] : listTimes(sampled);
  return columns.length > 1 ? columns.toSorted(compareStrings) : [];
}

/** The spellings of times, each with its test. The size of a number shows its unit. */
const TIME_UNITS: readonly (readonly [name: string, isOf: (value: unknown) => boolean])[] = [
  ['day.month.year', (value) => DOTTED_DATE.test(String(value))],
  ['ISO', (value) => Number.isNaN(Number(value))],
  ...['seconds', 'milliseconds', 'microseconds', 'nanoseconds'].map((name, index) => {
    return [name, (value: unknown) => Number(value) <= MAX_SECONDS * 1000 ** index] as const;
  }),
];

/** Returns the spelling of times that most values of a column have. */
export function describeTimes(values: readonly unknown[]): string {
  const names = values.map((value) => TIME_UNITS.find(([, isOf]) => isOf(value))?.[0] ?? '');
  const counts = TIME_UNITS.map(([name]) => names.filter((each) => each === name).length);
  return TIME_UNITS[counts.indexOf(Math.max(...counts))]?.[0] ?? '';
}

/** Collects the columns, beside the properties if there are any; undefined for people and for mixed shapes. */
function sampleColumns(records: readonly EventRecord[]): Sampled | undefined {
  const flat = records.filter(({ whole, properties }) => whole === properties).length;
  if (records.length === 0 || (flat > 0 && flat < records.length)) return undefined;
  if (records.some(({ user }) => user !== undefined)) return undefined;
  const columns = new Map<string, unknown[]>();
  for (const { whole, properties } of records) {
    const names = Object.keys(whole);
    // Opened objects have their properties beside them, under longer names.
    for (const name of whole === properties ? names : names.filter((each) => !/^properties(?:\.|$)/.test(each))) {
      const value = getOwnValue(whole, name);
      if (value === null || value === '') continue;
      const values = columns.get(name);
      if (values === undefined) columns.set(name, [value]);
      else values.push(value);
    }
  }
  return { records, columns };
}

const GUESSES: Readonly<Record<Role, (sampled: Sampled) => string | undefined>> = {
  time(sampled) {
    const [column, ...others] = listTimes(sampled);
    return others.length === 0 ? column : undefined;
  },
  user: (sampled) => findNamed(sampled, USER_NAMES, (value) => readId(value) !== undefined),
  event(sampled) {
    const isName = (value: unknown) => typeof value === 'string';
    return (
      findNamed(sampled, EVENT_NAMES, isName) ??
      findNamed({ ...sampled, columns: withFewValues(sampled.columns) }, GENERAL_EVENT_NAMES, isName)
    );
  },
};

/** Returns the columns that are most likely the time: by a telling name, by the end of the name or else by dates. */
function listTimes(sampled: Sampled): string[] {
  const named = findNamed(sampled, TIME_NAMES, isGuessedTime);
  if (named !== undefined) return [named];
  const times = [...sampled.columns.keys()].filter((name) => fits(sampled, name, isGuessedTime));
  const ending = times.filter((name) => TIME_ENDING.test(normalizeName(name)));
  return ending.length > 0 ? ending : times.filter((name) => fits(sampled, name, isDate));
}

/** Returns whether a value is written as a date. A number could be anything. */
function isDate(value: unknown): boolean {
  return typeof value === 'string' && (/^\d{4}-/.test(value) || DOTTED_DATE.test(value));
}

function isGuessedTime(value: unknown): boolean {
  return (readTimeValue(value) ?? 0) >= MIN_GUESSED_SECONDS;
}

/** Returns the columns whose values repeat: few values, each twice on average. */
function withFewValues(columns: Sampled['columns']): Sampled['columns'] {
  return new Map(
    [...columns].filter(([, values]) => {
      const distinct = new Set(values).size;
      return distinct <= MAX_GENERAL_EVENTS && 2 * distinct <= values.length;
    }),
  );
}

/** Returns the column with the first of the names whose values fit. Of names that differ in spelling only, the first. */
function findNamed(sampled: Sampled, names: string, isFitting: (value: unknown) => boolean): string | undefined {
  const columns = [...sampled.columns.keys()].sort(compareStrings);
  for (const wanted of names.split(' ')) {
    const found = columns.find((name) => normalizeName(name) === wanted && fits(sampled, name, isFitting));
    if (found !== undefined) return found;
  }
  return undefined;
}

function fits({ records, columns }: Sampled, name: string, isFitting: (value: unknown) => boolean): boolean {
  const values = columns.get(name) ?? [];
  if (values.length < MIN_PRESENT * records.length) return false;
  return values.filter(isFitting).length >= MIN_FITTING * values.length;
}

/** Removes case, separators and a zone: `Created (UTC)`, `created_at` and `@timestamp` become `created` and so on. */
function normalizeName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\((?:utc|gmt)\)$/, '')
    .replace(/[^\p{L}\p{N}]/gu, '');
}
