import type { PropertyColumns, PropertySource, SqlSource } from '../../../../src/lang/engines/sql/sql-source.ts';
import { getTypeName, type Properties, readProperty, type Value } from '../../../../src/lang/value.ts';
import type { Input } from '../../../engines.ts';
import type { Cell, Database, TableColumn } from './database.ts';

/** A way to store records in a table. */
export interface Layout {
  /** Returns the parts of a record that it can store. */
  keep(record: Input): Input;
  /** Creates a table of records, numbered by `id`, and returns its source. */
  create(database: Database, table: string, records: readonly Input[]): Promise<SqlSource>;
}

interface Part {
  readonly source: PropertySource;
  readonly columns: readonly TableColumn[];
  cells(record: Properties | undefined): readonly Cell[];
}

function createLayout(
  createPart: (records: readonly (Properties | undefined)[], prefix: string) => Part,
  keep: Layout['keep'] = (record) => record,
): Layout {
  return {
    keep,
    async create(database, table, records) {
      const properties = createPart(
        records.map((record) => record.properties),
        'p',
      );
      const user = createPart(
        records.map((record) => record.user),
        'u',
      );
      const columns: TableColumn[] = [{ name: 'id', type: 'integer' }, ...properties.columns, ...user.columns];
      const rows = records.map((record, id) => [
        id,
        ...properties.cells(record.properties),
        ...user.cells(record.user),
      ]);
      await database.createTable(table, columns, rows);
      return { table, properties: properties.source, user: user.source };
    },
  };
}

const CHANNELS = { number: 'double', string: 'text', boolean: 'boolean', null: 'boolean', list: 'json' } as const;

type ColumnName = keyof typeof CHANNELS;

/** Returns the cell of a value in a column of one type. A column of doubles may also hold infinities and NaN. */
function toCell(type: ColumnName, value: Value, raw: unknown): Cell {
  if (type === 'number' && typeof raw === 'number') return raw;
  if (value === undefined || getTypeName(value) !== type) return null;
  if (type === 'null') return true;
  return type === 'list' ? JSON.stringify(value) : (value as Cell);
}

/** Creates one column for each type of each property. The names of columns do not depend on those of properties. */
function createTypedColumns(records: readonly (Properties | undefined)[], prefix: string): Part {
  const names = [...new Set(records.flatMap((record) => Object.keys(record ?? {})))];
  const columns = names.flatMap((name, index) => {
    const types = new Set(records.map((record) => getTypeName(readProperty(record, name))));
    if (records.some((record) => typeof getRaw(record, name) === 'number')) types.add('number');
    const used = (Object.keys(CHANNELS) as ColumnName[]).filter((type) => types.has(type));
    return used.map((type) => ({ property: name, type, column: `${prefix}${index} "${type}"` }));
  });
  const byProperty = names.map((name): [string, PropertyColumns] => {
    const propertyColumns = columns.filter(({ property }) => property === name);
    return [name, Object.fromEntries(propertyColumns.map(({ type, column }) => [type, column]))];
  });
  return {
    source: { columns: Object.fromEntries(byProperty) },
    columns: columns.map(({ type, column }) => ({ name: column, type: CHANNELS[type] })),
    cells: (record) =>
      columns.map(({ property, type }) => toCell(type, readProperty(record, property), getRaw(record, property))),
  };
}

function getRaw(record: Properties | undefined, name: string): unknown {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

type Write = (value: unknown) => string;

function createJsonColumn(prefix: string, write: Write): Part {
  const column = `${prefix} json`;
  return {
    source: { rest: { kind: 'json', column } },
    columns: [{ name: column, type: 'json' }],
    cells: (record) => [record === undefined ? null : write(dropNonFinite(record))],
  };
}

function createMap(prefix: string, values: 'json' | 'text', write: Write): Part {
  const column = `${prefix} map`;
  return {
    source: { rest: { kind: 'map', column, values } },
    columns: [{ name: column, type: 'map' }],
    cells(record) {
      const entries = Object.entries(dropNonFinite(record ?? {}));
      return [Object.fromEntries(entries.map(([name, value]) => [name, write(value)]))];
    },
  };
}

function keepStrings(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => typeof value === 'string'));
}

/** All layouts that a source can describe. */
export const LAYOUTS = {
  json: createLayout((_, prefix) => createJsonColumn(prefix, JSON.stringify)),
  jsonRespelled: createLayout((_, prefix) => createJsonColumn(prefix, respell)),
  columns: createLayout(createTypedColumns),
  map: createLayout((_, prefix) => createMap(prefix, 'json', JSON.stringify)),
  mapRespelled: createLayout((_, prefix) => createMap(prefix, 'json', respell)),
  strings: createLayout(
    (_, prefix) => createMap(prefix, 'text', String),
    ({ properties, user, ...query }) => ({
      properties: keepStrings(properties),
      user: user && keepStrings(user),
      ...query,
    }),
  ),
} satisfies Record<string, Layout>;

/** Writes unusual JSON: white space wherever it is allowed, every character escaped, numbers with an exponent. */
function respell(value: unknown): string {
  return `\t${respellValue(value)} \n`;
}

function respellValue(value: unknown): string {
  if (typeof value === 'string') return `"${value.replace(/[\s\S]/g, escapeUnit)}"`;
  if (typeof value === 'number') return String(value).includes('e') ? String(value).toUpperCase() : `${value}e0`;
  if (Array.isArray(value)) return `[${value.map(respell).join(',')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{${Object.entries(value)
    .map((member) => member.map(respell).join(':'))
    .join(',')}}`;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Removes numbers that are not finite, which JSON would write as null. */
export function dropNonFinite(part: Properties): Properties {
  return Object.fromEntries(
    Object.entries(part).filter(([, value]) => typeof value !== 'number' || Number.isFinite(value)),
  );
}

/** Returns a record as a store keeps it: JSON values with well-formed strings. */
export function toStored({ properties, user, ...query }: Input, holdsNul: boolean): Input {
  return { properties: toStoredPart(properties, holdsNul) ?? {}, user: toStoredPart(user, holdsNul), ...query };
}

function toStoredPart(part: Properties | undefined, holdsNul: boolean): Properties | undefined {
  if (part === undefined) return undefined;
  const entries = Object.entries(part).map(([name, raw]) => [name, toStoredValue(raw, holdsNul)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function toStoredValue(raw: unknown, holdsNul: boolean): unknown {
  if (typeof raw === 'string') {
    const wellFormed = raw.replaceAll(/\p{Surrogate}/gu, '\ufffd');
    return holdsNul ? wellFormed : wellFormed.replaceAll('\u0000', '\u2400');
  }
  if (Array.isArray(raw)) return Array.from(raw, (element) => toStoredElement(element, holdsNul));
  if (typeof raw === 'number' || typeof raw === 'boolean' || raw === null) return raw;
  return typeof raw === 'object' ? {} : undefined;
}

function toStoredElement(raw: unknown, holdsNul: boolean): unknown {
  const value = typeof raw === 'number' && !Number.isFinite(raw) ? undefined : toStoredValue(raw, holdsNul);
  return value === undefined ? {} : value;
}
