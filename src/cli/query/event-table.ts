import type { PropertyColumns, PropertySource, SqlSource } from '../../lang/engines/sql/sql-source.ts';
import type { SqlChannels } from '../../lang/engines/sql/to-statement.ts';
import { MAX_SECONDS } from '../../lang/operators/time.ts';
import { quoteSqlString } from '../../service/store/duckdb/quote-sql.ts';
import { lowerColumn, lowerEntry, lowerField, lowerObjectJson, nullIfNotFinite } from './column-values.ts';
import type { ColumnType, FileColumn } from './file-database.ts';

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
}

const NOWHERE: PropertySource = {};

/** The properties for the user and the time of an event. */
const OWN_NAMES = ['distinct_id', 'time'] as const;

const CHANNEL_NAMES = ['number', 'string', 'boolean', 'null', 'list'] as const;

/**
 * Maps the columns of a table to events, in the shapes of records in files: `event` and `properties`, `$distinct_id`
 * and `$properties`, or a column for each property. Reads only the properties in `names` from a map.
 */
export function createEventTable(
  relation: string,
  columns: readonly FileColumn[],
  names: readonly string[],
): EventTable {
  const find = (name: string) => columns.findIndex((column) => column.name === name && holdsProperties(column.type));
  const [properties, profile] = [find('properties'), find('$properties')];
  const nested = properties === -1 ? profile : properties;
  const outside = createPlace(lowerColumns(columns, getColumnName));
  const record = lowerObjectJson(columns, getColumnName);
  const numbered = numberColumnsOf(relation, columns.length);
  const column = columns[nested];
  if (column === undefined) return createFlatTable(numbered, outside, record);
  const place = createNestedPlace(getColumnName(nested), column.type, names);
  if (nested === profile) {
    const own = { event: 'NULL', user: lowerUser(outside, ['$distinct_id']), time: 'NULL', record };
    return createTable(numbered, place, own, place.source);
  }
  const own = { event: lowerEvent(outside), user: lowerUser(place, ['distinct_id']), time: lowerTime(place), record };
  return createTable(numbered, place, own);
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
export function createPropertyTable(relation: string, properties: ReadonlyMap<string, SqlChannels>): EventTable {
  return createFlatTable(relation, createPlace([...properties]), 'NULL');
}

function createFlatTable(relation: string, place: Place, record: string): EventTable {
  const user = lowerUser(place, ['distinct_id', '$distinct_id']);
  return createTable(relation, place, { event: lowerEvent(place), user, time: lowerTime(place), record });
}

function createTable(
  relation: string,
  { selected, source }: Place,
  own: Readonly<Record<'event' | 'user' | 'time' | 'record', string>>,
  user = NOWHERE,
): EventTable {
  const columns = Object.entries(own).map(([name, sql]) => `${sql} AS "${name}"`);
  return {
    view: `SELECT ${[...columns, ...selected].join(', ')} FROM ${relation}`,
    source: { table: VIEW, properties: source, user },
  };
}

function holdsProperties({ name, isJson, fields }: ColumnType): boolean {
  return isJson || name === 'MAP' || (name === 'STRUCT' && fields !== undefined);
}

function createNestedPlace(column: string, type: ColumnType, names: readonly string[]): Place {
  const { fields, element } = type;
  if (type.name === 'STRUCT' && fields !== undefined) {
    return createPlace(lowerColumns(fields, (index) => lowerField(column, index)));
  }
  if (type.name === 'MAP' && element !== undefined) {
    const properties = new Set([...names, ...OWN_NAMES]);
    return createPlace(
      [...properties].map((name) => [name, lowerColumn(lowerEntry(column, type, name), element)] as const),
    );
  }
  return {
    selected: [`${column} AS "properties"`],
    source: { rest: { kind: 'json', column: 'properties' } },
    channels: (property) => lowerColumn(`json_extract(${column}, ${quoteSqlString(`/${property}`)})`, JSON_TYPE),
  };
}

const JSON_TYPE: ColumnType = { name: 'VARCHAR', isJson: true };

function lowerColumns(columns: readonly FileColumn[], sqlOf: (index: number) => string) {
  return columns.map(({ name, type }, index) => [name, lowerColumn(sqlOf(index), type)] as const);
}

/** Creates columns for each property, with numbered names that cannot collide. */
function createPlace(properties: readonly (readonly [name: string, channels: SqlChannels])[]): Place {
  const selected: string[] = [];
  const entries = properties.map(([property, channels], index): [string, PropertyColumns] => {
    const named = CHANNEL_NAMES.flatMap((channel) => {
      const sql = channels[channel];
      if (sql === undefined) return [];
      const name = `${channel} ${index + 1}`;
      selected.push(`${sql} AS "${name}"`);
      return [[channel, name] as const];
    });
    return [property, Object.fromEntries(named)];
  });
  return {
    selected,
    source: { columns: Object.fromEntries(entries) },
    channels: (name) => properties.find(([property]) => property === name)?.[1] ?? {},
  };
}

function lowerEvent(place: Place): string {
  return place.channels('event').string ?? 'NULL';
}

function lowerUser(place: Place, ids: readonly string[]): string {
  return coalesce(ids.flatMap((id) => lowerIds(place.channels(id))));
}

function lowerTime(place: Place): string {
  return lowerSeconds(place.channels('time').number);
}

/** Returns SQL for a user id: a string, or a number as a string. */
function lowerIds({ string, number }: SqlChannels): string[] {
  return [
    ...(string === undefined ? [] : [string]),
    ...(number === undefined ? [] : [`onwhere_text(${nullIfNotFinite(number)})`]),
  ];
}

function coalesce(texts: readonly string[]): string {
  return `coalesce(${['NULL', ...texts].join(', ')})`;
}

/** Returns SQL for Unix seconds: numbers from 1, where larger ones are milliseconds, as for records of files. */
function lowerSeconds(time: string | undefined): string {
  if (time === undefined) return 'NULL';
  const seconds = `(CASE WHEN ${time} > ${MAX_SECONDS} THEN floor(${time} / 1000) ELSE ${time} END)`;
  return `CASE WHEN ${seconds} BETWEEN 1 AND ${MAX_SECONDS} THEN ${seconds} END`;
}
