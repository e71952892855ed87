import { duckdb } from '../../engines/sql/dialects/duckdb.ts';
import type { PropertyColumns, PropertySource, SqlSource } from '../../engines/sql/sql-source.ts';
import type { SqlChannels } from '../../engines/sql/to-statement.ts';
import { MAX_SECONDS } from '../../operators/time.ts';
import { channelsOf, fieldOf, finite, objectText } from './column-values.ts';
import type { Column, ColumnType } from './engine.ts';
import { quoteText } from './quote-sql.ts';

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
  const outside = placeOfColumns(columns, ({ name }) => nameOf(name));
  const place = nested === undefined ? outside : placeIn(nested);
  const isOfPeople = nested !== undefined && nested === profile;
  const ids = nested === undefined ? ['distinct_id', '$distinct_id'] : [isOfPeople ? '$distinct_id' : 'distinct_id'];
  const holder = isOfPeople ? outside : place;
  const selected = {
    event: isOfPeople ? 'NULL' : (outside.channels('event').string ?? 'NULL'),
    user: firstOf(ids.flatMap((id) => idTexts(holder.channels(id)))),
    time: isOfPeople ? 'NULL' : secondsOf(place.channels('time').number),
    record: objectText(columns, ({ name }) => nameOf(name)),
  };
  const own = Object.entries(selected).map(([name, sql]) => `${sql} AS "${name}"`);
  return {
    view: `SELECT ${[...own, ...place.selected].join(', ')} FROM ${relation}`,
    table: VIEW,
    properties: place.source,
    user: isOfPeople ? place.source : NOWHERE,
  };
}

function holdsProperties({ name, isJson, fields }: ColumnType): boolean {
  return isJson || name === 'MAP' || (name === 'STRUCT' && fields !== undefined);
}

function placeIn({ name, type }: Column): Place {
  const column = nameOf(name);
  const { fields, element } = type;
  if (type.name === 'STRUCT' && fields !== undefined) {
    return placeOfColumns(fields, (field) => fieldOf(column, field.name));
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

/** A property for each column; names are numbered, since those of the channels must not meet them. */
function placeOfColumns(columns: readonly Column[], sqlOf: (column: Column) => string): Place {
  const selected: string[] = [];
  const entries = columns.map((column, index): [string, PropertyColumns] => {
    const channels = channelsOf(sqlOf(column), column.type);
    const named = CHANNEL_NAMES.flatMap((channel) => {
      const sql = channels[channel];
      if (sql === undefined) return [];
      const name = `${channel} ${index + 1}`;
      selected.push(`${sql} AS "${name}"`);
      return [[channel, name] as const];
    });
    return [column.name, Object.fromEntries(named)];
  });
  return {
    selected,
    source: { columns: Object.fromEntries(entries) },
    channels(name) {
      const column = columns.find((column) => column.name === name);
      return column === undefined ? {} : channelsOf(sqlOf(column), column.type);
    },
  };
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
