import type { PropertyColumns, PropertySource, SqlSource } from '../../lang/engines/sql/sql-source.ts';
import type { SqlChannels } from '../../lang/engines/sql/to-statement.ts';
import { MAX_SECONDS } from '../../lang/operators/time.ts';
import { quoteSqlString } from '../../service/store/duckdb/quote-sql.ts';
import { lowerColumn, lowerEntry, lowerField, lowerObjectJson, nullIfNotFinite } from './column-values.ts';
import type { ColumnType, FileColumn } from './file-database.ts';

/** Events in DuckDB: what a view of them selects, and where in it the properties are. */
export interface EventTable {
  /** Where the view has the properties. */
  readonly source: SqlSource;
  /**
   * Beside the columns of the properties it has `event` and `user` (texts), `time` (Unix seconds) and `record` (the text that is
   * printed), each NULL where a record has none.
   */
  readonly view: string;
}

/** What the view is called. */
export const VIEW = 'events';

/** Where the properties are in a table. */
interface Place {
  /** The columns that the view has for them. */
  readonly selected: readonly string[];
  readonly source: PropertySource;
  /** A property by its name. */
  channels(name: string): SqlChannels;
}

const NOWHERE: PropertySource = {};

/** The properties that say who did something, and when. */
const OWN_NAMES = ['distinct_id', 'time'] as const;

const CHANNEL_NAMES = ['number', 'string', 'boolean', 'null', 'list'] as const;

/**
 * The columns of a table as events, in the shapes that records have in files: `event` beside `properties`, `$distinct_id` beside
 * `$properties`, or a column for each property. Of a map, it has the properties that are named.
 */
export function createEventTable(
  relation: string,
  columns: readonly FileColumn[],
  names: readonly string[],
): EventTable {
  const find = (name: string) => columns.findIndex((column) => column.name === name && holdsProperties(column.type));
  const [properties, profile] = [find('properties'), find('$properties')];
  const nested = properties === -1 ? profile : properties;
  const outside = placeOf(channelsOfColumns(columns, getColumnName));
  const record = lowerObjectJson(columns, getColumnName);
  const numbered = numberColumnsOf(relation, columns.length);
  const column = columns[nested];
  if (column === undefined) return flatTable(numbered, outside, record);
  const place = placeIn(getColumnName(nested), column.type, names);
  if (nested === profile) {
    const own = { event: 'NULL', user: userOf(outside, ['$distinct_id']), time: 'NULL', record };
    return tableOf(numbered, place, own, place.source);
  }
  const own = { event: eventOf(outside), user: userOf(place, ['distinct_id']), time: timeOf(place), record };
  return tableOf(numbered, place, own);
}

/** A relation whose columns are addressed by {@link selectRows}: DuckDB's names of them are not always those of the file. */
export function numberColumnsOf(relation: string, width: number): string {
  return `${relation} AS file(${Array.from({ length: width }, (_, index) => getColumnName(index)).join(', ')})`;
}

/** A column of a relation by its position. */
export function getColumnName(index: number): string {
  return `"${index + 1}"`;
}

/** A table with what each property has in it, by its name. Its records are not printed. */
export function createPropertyTable(relation: string, properties: ReadonlyMap<string, SqlChannels>): EventTable {
  return flatTable(relation, placeOf([...properties]), 'NULL');
}

function flatTable(relation: string, place: Place, record: string): EventTable {
  const user = userOf(place, ['distinct_id', '$distinct_id']);
  return tableOf(relation, place, { event: eventOf(place), user, time: timeOf(place), record });
}

function tableOf(
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

function placeIn(column: string, type: ColumnType, names: readonly string[]): Place {
  const { fields, element } = type;
  if (type.name === 'STRUCT' && fields !== undefined) {
    return placeOf(channelsOfColumns(fields, (index) => lowerField(column, index)));
  }
  if (type.name === 'MAP' && element !== undefined) {
    const properties = new Set([...names, ...OWN_NAMES]);
    return placeOf(
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

function channelsOfColumns(columns: readonly FileColumn[], sqlOf: (index: number) => string) {
  return columns.map(({ name, type }, index) => [name, lowerColumn(sqlOf(index), type)] as const);
}

/** Columns for each property; their names are numbered, since those of the channels must not meet them. */
function placeOf(properties: readonly (readonly [name: string, channels: SqlChannels])[]): Place {
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

function eventOf(place: Place): string {
  return place.channels('event').string ?? 'NULL';
}

function userOf(place: Place, ids: readonly string[]): string {
  return firstOf(ids.flatMap((id) => idTexts(place.channels(id))));
}

function timeOf(place: Place): string {
  return secondsOf(place.channels('time').number);
}

/** A user is a text, or a number as text. */
function idTexts({ string, number }: SqlChannels): string[] {
  return [
    ...(string === undefined ? [] : [string]),
    ...(number === undefined ? [] : [`onwhere_text(${nullIfNotFinite(number)})`]),
  ];
}

function firstOf(texts: readonly string[]): string {
  return `coalesce(${['NULL', ...texts].join(', ')})`;
}

/** As records of files are read: seconds from 1 on, or milliseconds. */
function secondsOf(time: string | undefined): string {
  if (time === undefined) return 'NULL';
  const seconds = `(CASE WHEN ${time} > ${MAX_SECONDS} THEN floor(${time} / 1000) ELSE ${time} END)`;
  return `CASE WHEN ${seconds} BETWEEN 1 AND ${MAX_SECONDS} THEN ${seconds} END`;
}
