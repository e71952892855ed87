import { EVENT_PROPERTY, type FieldReading, type MappedField, ROLES, type Role } from '../../data/field-mapping.ts';
import { NUMERIC_TIME, TIME_SPELLINGS, TINY_TIMES } from '../../data/time-text.ts';
import type { PropertyColumns, PropertySource, SqlSource } from '../../lang/engines/sql/sql-source.ts';
import type { SqlChannels } from '../../lang/engines/sql/to-statement.ts';
import { MAX_SECONDS } from '../../lang/operators/time.ts';
import { quoteSqlString } from '../../service/store/duckdb/quote-sql.ts';
import { lowerColumn, lowerEntry, lowerField, lowerObjectJson, nullIfNotFinite } from './column-values.ts';
import type { ColumnType, FileColumn } from './file-database.ts';
import { JSON_TYPE, openColumns, type PropertyOfTable, toPointer } from './flatten-columns.ts';

/** Events in DuckDB: the SELECT of a view, and its columns of properties. */
export interface EventTable {
  /** Where the view has the properties. */
  readonly source: SqlSource;
  /**
   * Besides the properties, it has the columns `event` and `user` (strings), `time` (Unix seconds) and `record` (the
   * text to print), each NULL if a record has none.
   */
  readonly view: string;
}

/** The name of the view. */
export const VIEW = 'events';

/** The location of properties in a table. */
interface Place {
  /** The columns to select in the view. */
  readonly selected: readonly string[];
  readonly source: PropertySource;
  /** Returns the SQL of a property. */
  channels(name: string): SqlChannels;
  /** Returns the SQL that is NULL for records without a property. */
  raw(name: string): string;
}

/** How to read a table, and the properties that expressions read. */
export interface TableReading extends FieldReading {
  readonly names: readonly string[];
}

const NOWHERE: PropertySource = {};

/** The properties for the user and the time of an event. */
const OWN_NAMES = ['distinct_id', 'time'] as const;

const CHANNEL_NAMES = ['number', 'string', 'boolean', 'null', 'list'] as const;

/**
 * Maps the columns of a table to events, in the shapes of records in files: `event` and `properties`, `$distinct_id`
 * and `$properties`, or a column for each property. Reads only the named properties from a map.
 */
export function createEventTable(relation: string, columns: readonly FileColumn[], reading: TableReading): EventTable {
  const find = (name: string) => columns.findIndex((column) => column.name === name && holdsProperties(column.type));
  const [properties, profile] = [find('properties'), find('$properties')];
  const nested = properties === -1 ? profile : properties;
  const outside = createPlace(listProperties(columns, getColumnName, reading));
  const record = lowerObjectJson(columns, getColumnName);
  const numbered = numberColumnsOf(relation, columns.length);
  const column = columns[nested];
  if (column === undefined) return createFlatTable(numbered, outside, record, reading);
  const place = createNestedPlace(getColumnName(nested), column.type, reading);
  if (nested === profile) {
    const own = { event: 'NULL', user: lowerUser(outside, ['$distinct_id']), time: 'NULL' };
    return createTable(numbered, [place, outside], own, record, reading, true);
  }
  const own = { event: lowerEvent(outside), user: lowerUser(place, ['distinct_id']), time: lowerTime(place) };
  return createTable(numbered, [place, outside], own, record, reading);
}

/** Names columns by position for {@link getColumnName}, because DuckDB renames some columns of files. */
export function numberColumnsOf(relation: string, width: number): string {
  return `${relation} AS file(${Array.from({ length: width }, (_, index) => getColumnName(index)).join(', ')})`;
}

/** Returns the name of a column by its position. */
export function getColumnName(index: number): string {
  return `"${index + 1}"`;
}

/** Creates a table from the SQL of each property. Its records cannot be printed. */
export function createPropertyTable(
  relation: string,
  properties: readonly PropertyOfTable[],
  reading: TableReading,
): EventTable {
  return createFlatTable(relation, createPlace(properties), 'NULL', reading);
}

function createFlatTable(relation: string, place: Place, record: string, reading: TableReading): EventTable {
  const user = lowerUser(place, ['distinct_id', '$distinct_id']);
  return createTable(relation, [place], { event: lowerEvent(place), user, time: lowerTime(place) }, record, reading);
}

/** Creates a table from the places where its records can have a field. The first has their properties. */
function createTable(
  relation: string,
  places: readonly [Place, ...Place[]],
  standard: Readonly<Record<Role, string>>,
  record: string,
  { fields = {}, withEvent }: TableReading,
  isProfile = false,
): EventTable {
  const own = {
    event: lowerMapped(places, fields.event, standard.event, lowerEventName, isProfile),
    user: lowerMapped(places, fields.user, standard.user, lowerId, isProfile),
    time: lowerMapped(places, fields.time, standard.time, lowerTimeValue, isProfile),
    record,
  };
  const { selected, source } = withEvent ? addEventProperty(places[0], own.event) : places[0];
  const columns = Object.entries(own).map(([name, sql]) => `${sql} AS "${name}"`);
  return {
    view: `SELECT ${[...columns, ...selected].join(', ')} FROM ${relation}`,
    source: { table: VIEW, properties: source, user: isProfile ? source : NOWHERE },
  };
}

/** Returns the SQL of a field with the rules of {@link createFieldReader}: a guess only fills in for events. */
function lowerMapped(
  places: readonly Place[],
  field: MappedField | undefined,
  standard: string,
  read: (channels: SqlChannels) => string,
  isProfile: boolean,
): string {
  if (field === undefined) return standard;
  const { column, isSet } = field;
  if (!isSet)
    return isProfile || column === undefined
      ? standard
      : coalesce([standard, read(places.at(-1)?.channels(column) ?? {})]);
  return column === undefined ? 'NULL' : coalesce(places.map((place) => read(place.channels(column))));
}

/** Adds the name of the event as a property of records without a property of this name. */
function addEventProperty(place: Place, event: string): Place {
  const own = place.channels(EVENT_PROPERTY);
  const string = `CASE WHEN ${place.raw(EVENT_PROPERTY)} IS NULL THEN ${event} ELSE ${own.string ?? 'NULL'} END`;
  const added = createPlace([{ name: EVENT_PROPERTY, channels: { ...own, string }, raw: 'NULL' }], 'event');
  const { columns, ...rest } = place.source;
  return {
    ...place,
    selected: [...place.selected, ...added.selected],
    source: { ...rest, columns: { ...columns, ...added.source.columns } },
  };
}

function holdsProperties({ name, isJson, fields }: ColumnType): boolean {
  return isJson || name === 'MAP' || (name === 'STRUCT' && fields !== undefined);
}

function createNestedPlace(column: string, type: ColumnType, reading: TableReading): Place {
  const { fields, element } = type;
  if (type.name === 'STRUCT' && fields !== undefined) {
    return createPlace(listProperties(fields, (index) => lowerField(column, index), reading));
  }
  const names = listNames(reading);
  if (type.name === 'MAP' && element !== undefined)
    return createPlace(names.map((name) => toProperty(name, lowerEntry(column, type, name), element)));
  const raw = (property: string) => `json_extract(${column}, ${quoteSqlString(toPointer([property]))})`;
  return {
    selected: [`${column} AS "properties"`],
    source: { rest: { kind: 'json', column: 'properties' } },
    channels: (property) => lowerColumn(raw(property), JSON_TYPE),
    raw,
  };
}

/** Returns the names of all properties to read. */
function listNames({ names, fields = {} }: TableReading): string[] {
  const columns = ROLES.flatMap((role) => fields[role]?.column ?? []);
  return [...new Set([...names, ...OWN_NAMES, ...columns])];
}

function toProperty(name: string, raw: string, type: ColumnType): PropertyOfTable {
  return { name, raw, channels: lowerColumn(raw, type) };
}

/** Lists the properties of the columns, or of their nested columns too if they are flattened. */
function listProperties(
  columns: readonly FileColumn[],
  sqlOf: (index: number) => string,
  reading: TableReading,
): PropertyOfTable[] {
  if (reading.flatten) return openColumns(columns, sqlOf);
  return columns.map(({ name, type }, index) => toProperty(name, sqlOf(index), type));
}

/** Creates columns for each property, with numbered names that cannot collide. */
function createPlace(properties: readonly PropertyOfTable[], prefix = ''): Place {
  const selected: string[] = [];
  const entries = properties.map(({ name: property, channels }, index): [string, PropertyColumns] => {
    const named = CHANNEL_NAMES.flatMap((channel) => {
      const sql = channels[channel];
      if (sql === undefined) return [];
      const name = `${prefix}${channel} ${index + 1}`;
      selected.push(`${sql} AS "${name}"`);
      return [[channel, name] as const];
    });
    return [property, Object.fromEntries(named)];
  });
  const find = (wanted: string) => properties.find(({ name }) => name === wanted);
  return {
    selected,
    source: { columns: Object.fromEntries(entries) },
    channels: (name) => find(name)?.channels ?? {},
    raw: (name) => find(name)?.raw ?? 'NULL',
  };
}

function lowerEvent(place: Place): string {
  return place.channels('event').string ?? 'NULL';
}

function lowerUser(place: Place, ids: readonly string[]): string {
  return coalesce(ids.map((id) => lowerId(place.channels(id))));
}

function lowerTime(place: Place): string {
  return lowerSeconds(place.channels('time').number);
}

/** Returns SQL for a user id: a string, or a number as a string. */
function lowerId({ string, number }: SqlChannels): string {
  const text = number === undefined ? [] : [`onwhere_text(${nullIfNotFinite(number)})`];
  return coalesce([...(string === undefined ? [] : [string]), ...text]);
}

/** Events have names like ids: codes are names too. */
const lowerEventName = lowerId;

/** Returns SQL for the time of a column, which reads the same values as `readTimeValue`. */
function lowerTimeValue({ number, string }: SqlChannels): string {
  if (string === undefined) return lowerColumnSeconds(number);
  const isNumber = `regexp_full_match(${string}, ${quoteSqlString(NUMERIC_TIME)})`;
  const text = TIME_SPELLINGS.reduce((sql, [pattern, replacement]) => {
    return `regexp_replace(${sql}, ${quoteSqlString(pattern)}, ${quoteSqlString(replacement.replaceAll('$', '\\'))})`;
  }, string);
  const seconds = `list_transform([${text}], lambda text: onwhere_time(text))[1]`;
  return coalesce([
    lowerColumnSeconds(number),
    lowerColumnSeconds(`CASE WHEN ${isNumber} THEN TRY_CAST(${string} AS DOUBLE) END`),
    `list_transform([${seconds}], lambda s: CASE WHEN s BETWEEN 1 AND ${MAX_SECONDS} THEN s END)[1]`,
  ]);
}

function coalesce(texts: readonly string[]): string {
  return `coalesce(${['NULL', ...texts].join(', ')})`;
}

/** Returns SQL for the Unix seconds of a column, as `readTimeValue` reads numbers. */
function lowerColumnSeconds(time: string | undefined): string {
  if (time === undefined) return 'NULL';
  const tiny = `CASE WHEN ${time} > ${MAX_SECONDS} THEN floor(${time} / ${TINY_TIMES}) END`;
  return coalesce([lowerSeconds(time), lowerSeconds(tiny)]);
}

/** Returns SQL for Unix seconds: numbers from 1, where larger ones are milliseconds, as for records of files. */
function lowerSeconds(time: string | undefined): string {
  if (time === undefined) return 'NULL';
  const seconds = `(CASE WHEN ${time} > ${MAX_SECONDS} THEN floor(${time} / 1000) ELSE ${time} END)`;
  return `CASE WHEN ${seconds} BETWEEN 1 AND ${MAX_SECONDS} THEN ${seconds} END`;
}
