import { duckdb } from '../../engines/sql/dialects/duckdb.ts';
import type { PropertyColumns, PropertySource, SqlSource } from '../../engines/sql/sql-source.ts';
import type { SqlChannels } from '../../engines/sql/to-statement.ts';
import { MAX_SECONDS } from '../../operators/time.ts';
import { quoteText } from '../../store/duckdb/quote-sql.ts';
import { channelsOf, fieldOf, finite, objectText } from './column-values.ts';
import type { Column, ColumnType } from './engine.ts';

/** Events in DuckDB: what a view of them selects, and where in it the properties are. */
export interface EventTable extends SqlSource {
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

const CHANNEL_NAMES = ['number', 'string', 'boolean', 'null', 'list'] as const;

/**
 * The columns of a table as events, in the shapes that records have in files: `event` beside `properties`, `$distinct_id` beside
 * `$properties`, or a column for each property.
 */
export function eventTable(relation: string, columns: readonly Column[]): EventTable {
  const find = (name: string) => columns.find((column) => column.name === name && holdsProperties(column.type));
  const [properties, profile] = [find('properties'), find('$properties')];
  const nested = properties ?? profile;
  const outside = placeOf(channelsOfColumns(columns, ({ name }) => nameOf(name)));
  const record = objectText(columns, ({ name }) => nameOf(name));
  if (nested === undefined) return flatTable(relation, outside, record);
  const place = placeIn(nested);
  if (nested === profile) {
    const own = { event: 'NULL', user: userOf(outside, ['$distinct_id']), time: 'NULL', record };
    return tableOf(relation, place, own, place.source);
  }
  const own = { event: eventOf(outside), user: userOf(place, ['distinct_id']), time: timeOf(place), record };
  return tableOf(relation, place, own);
}

/** A table with what each property has in it, by its name. Its records are not printed. */
export function tableOfProperties(relation: string, properties: ReadonlyMap<string, SqlChannels>): EventTable {
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
    table: VIEW,
    properties: source,
    user,
  };
}

function holdsProperties({ name, isJson, fields }: ColumnType): boolean {
  return isJson || name === 'MAP' || (name === 'STRUCT' && fields !== undefined);
}

function placeIn({ name, type }: Column): Place {
  const column = nameOf(name);
  const { fields, element } = type;
  if (type.name === 'STRUCT' && fields !== undefined) {
    return placeOf(channelsOfColumns(fields, (field) => fieldOf(column, field.name)));
  }
  if (type.name === 'MAP' && element?.name === 'VARCHAR') {
    const values = element.isJson ? 'json' : 'text';
    return {
      selected: [`${column} AS "properties"`],
      source: { rest: { kind: 'map', column: 'properties', values } },
      channels: (property) => channelsOf(`${column}[${quoteText(property)}]`, element),
    };
  }
  const json = type.isJson ? column : `to_json(${column})`;
  return {
    selected: [`${json} AS "properties"`],
    source: { rest: { kind: 'json', column: 'properties' } },
    channels: (property) => channelsOf(`json_extract(${json}, ${quoteText(`/${property}`)})`, JSON_TYPE),
  };
}

const JSON_TYPE: ColumnType = { name: 'VARCHAR', isJson: true };

function channelsOfColumns(columns: readonly Column[], sqlOf: (column: Column) => string) {
  return columns.map((column) => [column.name, channelsOf(sqlOf(column), column.type)] as const);
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
    ...(number === undefined ? [] : [`onwhere_text(${finite(number)})`]),
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

function nameOf(column: string): string {
  return duckdb.quoteName(column);
}
