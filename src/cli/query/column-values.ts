import type { SqlChannels } from '../../lang/engines/sql/to-statement.ts';
import { quoteSqlString } from '../../service/store/duckdb/quote-sql.ts';
import type { ColumnType, FileColumn } from './file-database.ts';

/**
 * Returns the SQL of the values of a column. SQL NULL and types that the language does not have are undefined. Wide
 * integers and decimals become the nearest double, dates and timestamps Unix seconds.
 */
export function lowerColumn(sql: string, type: ColumnType): SqlChannels {
  if (type.isJson) return jsonChannels(sql);
  switch (type.name) {
    case 'BOOLEAN':
      return { boolean: sql };
    case 'VARCHAR':
    case 'ENUM':
    case 'UUID':
      return { string: `CAST(${sql} AS VARCHAR)` };
    case 'LIST':
    case 'ARRAY':
      return listChannels(sql, type);
    default: {
      const number = lowerNumber(sql, type);
      return number === undefined ? {} : { number };
    }
  }
}

function lowerNumber(sql: string, { name }: ColumnType): string | undefined {
  switch (name) {
    case 'TINYINT':
    case 'SMALLINT':
    case 'INTEGER':
    case 'BIGINT':
    case 'UTINYINT':
    case 'USMALLINT':
    case 'UINTEGER':
    case 'UBIGINT':
    case 'FLOAT':
    case 'DOUBLE':
      return `CAST(${sql} AS DOUBLE)`;
    case 'HUGEINT':
    case 'UHUGEINT':
    case 'BIGNUM':
    case 'DECIMAL':
      // Through its text, so that it is rounded only once.
      return `CAST(CAST(${sql} AS VARCHAR) AS DOUBLE)`;
    case 'DATE':
    case 'TIMESTAMP':
    case 'TIMESTAMP_S':
    case 'TIMESTAMP_MS':
    case 'TIMESTAMP_TZ':
      return `(epoch_us(${sql}) / 1e6)`;
    case 'TIMESTAMP_NS':
      return `(epoch_ns(${sql}) / 1e9)`;
    default:
      return undefined;
  }
}

function jsonChannels(sql: string): SqlChannels {
  // Normalized: without white space.
  const text = `CAST(json(${sql}) AS VARCHAR)`;
  return {
    number: `TRY_CAST(${text} AS DOUBLE)`,
    string: `CASE WHEN ${text} LIKE '"%' THEN ${sql} ->> '$' END`,
    boolean: `CASE ${text} WHEN 'true' THEN true WHEN 'false' THEN false END`,
    null: `(${text} = 'null')`,
    list: `CASE WHEN ${text} LIKE '[%' THEN json(${sql}) END`,
  };
}

/** Omits null elements, as for Arrow tables. JSON elements stay unchanged. */
function listChannels(sql: string, { element }: ColumnType): SqlChannels {
  if (element === undefined) return {};
  if (element.isJson) return { list: `CAST(${lowerListJson(sql, { element })} AS JSON)` };
  const { number, string, boolean } = lowerColumn('element', element);
  const value = number === undefined ? (string ?? boolean) : nullIfNotFinite(number);
  if (value === undefined) return { list: `CASE WHEN ${sql} IS NOT NULL THEN CAST('[]' AS JSON) END` };
  const values = `list_transform(${sql}, lambda element: ${value})`;
  return { list: `to_json(list_filter(${values}, lambda element: element IS NOT NULL))` };
}

/** Returns SQL for a number that is NULL unless finite. */
export function nullIfNotFinite(number: string): string {
  return `CASE WHEN isfinite(${number}) THEN ${number} END`;
}

/** Returns SQL for the JSON text of a list. */
type ListText = (sql: string, type: ColumnType) => string | undefined;

/**
 * Returns SQL for the JSON text of an object with the columns. Omits columns without a value, so that expressions give
 * the same result on the text as on the columns; `listText` decides how lists are written.
 */
export function lowerObjectJson(
  columns: readonly FileColumn[],
  sqlOf: (index: number) => string,
  listText: ListText = readListText,
): string {
  const parts = columns.flatMap(({ name, type }, index) => {
    const value = lowerValueText(sqlOf(index), type, listText);
    return value === undefined ? [] : [`${quoteSqlString(`${JSON.stringify(name)}:`)} || ${value}`];
  });
  return `'{' || concat_ws(',', ${['NULL', ...parts].join(', ')}) || '}'`;
}

function readListText(sql: string, type: ColumnType): string | undefined {
  const { list } = lowerColumn(sql, type);
  return list && `CAST(to_json(${list}) AS VARCHAR)`;
}

/** Returns SQL for the JSON text of a list with all its elements; null for those without a value. */
export function lowerListJson(sql: string, { element }: Pick<ColumnType, 'element'>): string | undefined {
  const value = element && lowerValueText('element', element, lowerListJson);
  const texts = `list_transform(${sql}, lambda element: coalesce(${value ?? 'NULL'}, 'null'))`;
  return `CASE WHEN ${sql} IS NOT NULL THEN '[' || coalesce(array_to_string(${texts}, ','), '') || ']' END`;
}

/** Returns SQL for the JSON text of a value, NULL if it has none; undefined for types that the language does not have. */
function lowerValueText(sql: string, type: ColumnType, listText: ListText = readListText): string | undefined {
  if (type.isJson) return lowerJsonText(sql);
  if (type.fields !== undefined && type.name === 'STRUCT') {
    const fields = lowerObjectJson(type.fields, (index) => lowerField(sql, index), listText);
    return `CASE WHEN ${sql} IS NOT NULL THEN ${fields} END`;
  }
  if (type.name === 'MAP')
    return lowerMapText(sql, type.element && lowerValueText('entry.value', type.element, listText));
  if (type.name === 'LIST' || type.name === 'ARRAY') return listText(sql, type);
  const { number, string, boolean } = lowerColumn(sql, type);
  if (number !== undefined) return lowerNumberText(sql, number, type);
  const value = string ?? boolean;
  return value && `CAST(to_json(${value}) AS VARCHAR)`;
}

function lowerJsonText(sql: string): string {
  const members = `CAST(${sql} AS MAP(VARCHAR, JSON))`;
  return `CASE WHEN list_unique(json_keys(${sql})) < len(json_keys(${sql}))
    THEN ${lowerMapText(members, `coalesce(CAST(entry.value AS VARCHAR), 'null')`)}
    ELSE CAST(json(${sql}) AS VARCHAR) END`;
}

/** Returns SQL for the JSON text of a map. Keeps the first entry of a repeated key, as reading does. */
function lowerMapText(sql: string, value: string | undefined): string {
  const keys = `map_keys(${sql})`;
  const entries = `CASE WHEN list_unique(${keys}) < len(${keys})
    THEN list_filter(map_entries(${sql}), lambda other, place: list_position(${keys}, other.key) = place)
    ELSE map_entries(${sql}) END`;
  const member = `CAST(to_json(CAST(entry.key AS VARCHAR)) AS VARCHAR) || ':' || ${value ?? 'NULL'}`;
  const members = `array_to_string(list_transform(${entries}, lambda entry: ${member}), ',')`;
  return `CASE WHEN ${sql} IS NOT NULL THEN '{' || coalesce(${members}, '') || '}' END`;
}

/** Writes whole numbers without a fraction, as other JSON does. */
function lowerNumberText(sql: string, number: string, { name }: ColumnType): string {
  if (name.endsWith('INT') || name === 'INTEGER' || name === 'UINTEGER') return `CAST(${sql} AS VARCHAR)`;
  return `CASE
    WHEN isfinite(${number}) AND ${number} = trunc(${number}) AND abs(${number}) < 1e15 THEN CAST(CAST(${number} AS BIGINT) AS VARCHAR)
    WHEN isfinite(${number}) THEN CAST(to_json(${number}) AS VARCHAR)
  END`;
}

/** Returns SQL for a struct field by position, because DuckDB renames some fields of files. */
export function lowerField(struct: string, index: number): string {
  return `struct_extract_at(${struct}, ${index + 1})`;
}

/** Returns SQL for the map value of a key. Compares keys that are not strings by their text. */
export function lowerEntry(map: string, { key }: ColumnType, name: string): string {
  const texts = key?.name === 'VARCHAR' ? map : `map(CAST(map_keys(${map}) AS VARCHAR[]), map_values(${map}))`;
  return `${texts}[${quoteSqlString(name)}]`;
}
