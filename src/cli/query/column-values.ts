import type { SqlChannels } from '../../lang/engines/sql/to-statement.ts';
import { quoteSqlString } from '../../service/store/duckdb/quote-sql.ts';
import type { ColumnType, FileColumn } from './file-database.ts';

/**
 * What a column means in the language: SQL NULL is undefined, and so is each value of a kind that the language has not. Wide integers
 * and decimals become the nearest double, dates and timestamps Unix seconds.
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
      const number = numberOf(sql, type);
      return number === undefined ? {} : { number };
    }
  }
}

function numberOf(sql: string, { name }: ColumnType): string | undefined {
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
      // Written out and read, so that it is rounded once.
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
  // Without the white space that the text may have.
  const text = `CAST(json(${sql}) AS VARCHAR)`;
  return {
    number: `TRY_CAST(${text} AS DOUBLE)`,
    string: `CASE WHEN ${text} LIKE '"%' THEN ${sql} ->> '$' END`,
    boolean: `CASE ${text} WHEN 'true' THEN true WHEN 'false' THEN false END`,
    null: `(${text} = 'null')`,
    list: `CASE WHEN ${text} LIKE '[%' THEN json(${sql}) END`,
  };
}

/** Null elements are left out, as in Arrow tables; those in JSON are what they are there. */
function listChannels(sql: string, { element }: ColumnType): SqlChannels {
  if (element === undefined) return {};
  if (element.isJson) return { list: `CAST(${lowerListJson(sql, { element })} AS JSON)` };
  const { number, string, boolean } = lowerColumn('element', element);
  const value = number === undefined ? (string ?? boolean) : nullIfNotFinite(number);
  if (value === undefined) return { list: `CASE WHEN ${sql} IS NOT NULL THEN CAST('[]' AS JSON) END` };
  const values = `list_transform(${sql}, lambda element: ${value})`;
  return { list: `to_json(list_filter(${values}, lambda element: element IS NOT NULL))` };
}

/** The number, NULL where it is not finite. */
export function nullIfNotFinite(number: string): string {
  return `CASE WHEN isfinite(${number}) THEN ${number} END`;
}

/** The JSON text of a list, or what of it is to be shown. */
type ListText = (sql: string, type: ColumnType) => string | undefined;

/**
 * The JSON text of an object with what is in the columns; those without a value are left out, so that it reads as the columns do. So
 * do its lists, unless another text of them is asked for.
 */
export function lowerObjectJson(
  columns: readonly FileColumn[],
  sqlOf: (index: number) => string,
  listText: ListText = readListText,
): string {
  const parts = columns.flatMap(({ name, type }, index) => {
    const value = valueText(sqlOf(index), type, listText);
    return value === undefined ? [] : [`${quoteSqlString(`${JSON.stringify(name)}:`)} || ${value}`];
  });
  return `'{' || concat_ws(',', ${['NULL', ...parts].join(', ')}) || '}'`;
}

function readListText(sql: string, type: ColumnType): string | undefined {
  const { list } = lowerColumn(sql, type);
  return list && `CAST(to_json(${list}) AS VARCHAR)`;
}

/** All elements of a list, whatever they are; null for those without a value. */
export function lowerListJson(sql: string, { element }: Pick<ColumnType, 'element'>): string | undefined {
  const value = element && valueText('element', element, lowerListJson);
  const texts = `list_transform(${sql}, lambda element: coalesce(${value ?? 'NULL'}, 'null'))`;
  return `CASE WHEN ${sql} IS NOT NULL THEN '[' || coalesce(array_to_string(${texts}, ','), '') || ']' END`;
}

function valueText(sql: string, type: ColumnType, listText: ListText): string | undefined {
  if (type.isJson) return jsonText(sql);
  if (type.fields !== undefined && type.name === 'STRUCT') {
    const fields = lowerObjectJson(type.fields, (index) => lowerField(sql, index), listText);
    return `CASE WHEN ${sql} IS NOT NULL THEN ${fields} END`;
  }
  if (type.name === 'MAP') return mapText(sql, type.element && valueText('entry.value', type.element, listText));
  if (type.name === 'LIST' || type.name === 'ARRAY') return listText(sql, type);
  const { number, string, boolean } = lowerColumn(sql, type);
  if (number !== undefined) return numberText(sql, number, type);
  const value = string ?? boolean;
  return value && `CAST(to_json(${value}) AS VARCHAR)`;
}

function jsonText(sql: string): string {
  const members = `CAST(${sql} AS MAP(VARCHAR, JSON))`;
  return `CASE WHEN list_unique(json_keys(${sql})) < len(json_keys(${sql}))
    THEN ${mapText(members, `coalesce(CAST(entry.value AS VARCHAR), 'null')`)}
    ELSE CAST(json(${sql}) AS VARCHAR) END`;
}

/** The JSON text of a map with the texts of the values of its entries. Of several with one key there is the first, which is the one that is read. */
function mapText(sql: string, value: string | undefined): string {
  const keys = `map_keys(${sql})`;
  const entries = `CASE WHEN list_unique(${keys}) < len(${keys})
    THEN list_filter(map_entries(${sql}), lambda other, place: list_position(${keys}, other.key) = place)
    ELSE map_entries(${sql}) END`;
  const member = `CAST(to_json(CAST(entry.key AS VARCHAR)) AS VARCHAR) || ':' || ${value ?? 'NULL'}`;
  const members = `array_to_string(list_transform(${entries}, lambda entry: ${member}), ',')`;
  return `CASE WHEN ${sql} IS NOT NULL THEN '{' || coalesce(${members}, '') || '}' END`;
}

/** Whole numbers without a fraction, as in other JSON. */
function numberText(sql: string, number: string, { name }: ColumnType): string {
  if (name.endsWith('INT') || name === 'INTEGER' || name === 'UINTEGER') return `CAST(${sql} AS VARCHAR)`;
  return `CASE
    WHEN isfinite(${number}) AND ${number} = trunc(${number}) AND abs(${number}) < 1e15 THEN CAST(CAST(${number} AS BIGINT) AS VARCHAR)
    WHEN isfinite(${number}) THEN CAST(to_json(${number}) AS VARCHAR)
  END`;
}

/** A field of a struct by its position: DuckDB's names of fields are not always those of the file. */
export function lowerField(struct: string, index: number): string {
  return `struct_extract_at(${struct}, ${index + 1})`;
}

/** The value of a map for a name; keys that are no texts are compared as they are written. */
export function lowerEntry(map: string, { key }: ColumnType, name: string): string {
  const texts = key?.name === 'VARCHAR' ? map : `map(CAST(map_keys(${map}) AS VARCHAR[]), map_values(${map}))`;
  return `${texts}[${quoteSqlString(name)}]`;
}
