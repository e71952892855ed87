import type { PropertyColumns, PropertySource, SqlSource } from '../../../../src/lang/engines/sql/sql-source.ts';
import { getTypeName, type Properties, readProperty, type Value } from '../../../../src/lang/value.ts';
import type { Input } from '../../../engines.ts';
import type { Cell, Database, TableColumn } from './database.ts';

/** A way to keep records in a table. */
export interface Layout {
  /** What it can keep of a record. */
  kept(record: Input): Input;
  /** Makes a table of records, numbered by `id`, and says where in it the properties are. */
  create(database: Database, table: string, records: readonly Input[]): Promise<SqlSource>;
}

interface Part {
  readonly source: PropertySource;
  readonly columns: readonly TableColumn[];
  cells(record: Properties | undefined): readonly Cell[];
}

function layout(
  part: (records: readonly (Properties | undefined)[], prefix: string) => Part,
  kept: Layout['kept'] = (record) => record,
): Layout {
  return {
    kept,
    async create(database, table, records) {
      const properties = part(
        records.map((record) => record.properties),
        'p',
      );
      const user = part(
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

/** What a column of one type holds for a value. Numbers that are not finite can be in a column of doubles, and read as undefined. */
function cellOf(type: ColumnName, value: Value, raw: unknown): Cell {
  if (type === 'number' && typeof raw === 'number') return raw;
  if (value === undefined || getTypeName(value) !== type) return null;
  if (type === 'null') return true;
  return type === 'list' ? JSON.stringify(value) : (value as Cell);
}

/** The columns of each property: one for each type that occurs. A name of a column says nothing of the property. */
function typedColumns(records: readonly (Properties | undefined)[], prefix: string): Part {
  const names = [...new Set(records.flatMap((record) => Object.keys(record ?? {})))];
  const columns = names.flatMap((name, index) => {
    const types = new Set(records.map((record) => getTypeName(readProperty(record, name))));
    if (records.some((record) => typeof rawOf(record, name) === 'number')) types.add('number');
    const used = (Object.keys(CHANNELS) as ColumnName[]).filter((type) => types.has(type));
    return used.map((type) => ({ property: name, type, column: `${prefix}${index} "${type}"` }));
  });
  const byProperty = names.map((name): [string, PropertyColumns] => {
    const own = columns.filter(({ property }) => property === name);
    return [name, Object.fromEntries(own.map(({ type, column }) => [type, column]))];
  });
  return {
    source: { columns: Object.fromEntries(byProperty) },
    columns: columns.map(({ type, column }) => ({ name: column, type: CHANNELS[type] })),
    cells: (record) =>
      columns.map(({ property, type }) => cellOf(type, readProperty(record, property), rawOf(record, property))),
  };
}

function rawOf(record: Properties | undefined, name: string): unknown {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

type Write = (value: unknown) => string;

function jsonColumn(prefix: string, write: Write): Part {
  const column = `${prefix} json`;
  return {
    source: { rest: { kind: 'json', column } },
    columns: [{ name: column, type: 'json' }],
    cells: (record) => [record === undefined ? null : write(jsonPart(record))],
  };
}

function mapPart(prefix: string, values: 'json' | 'text', write: Write): Part {
  const column = `${prefix} map`;
  return {
    source: { rest: { kind: 'map', column, values } },
    columns: [{ name: column, type: 'map' }],
    cells(record) {
      const entries = Object.entries(jsonPart(record ?? {}));
      return [Object.fromEntries(entries.map(([name, value]) => [name, write(value)]))];
    },
  };
}

function textsOf(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => typeof value === 'string'));
}

/** Every way to keep records that a source can describe. */
export const LAYOUTS = {
  json: layout((_, prefix) => jsonColumn(prefix, JSON.stringify)),
  jsonRespelled: layout((_, prefix) => jsonColumn(prefix, respelled)),
  columns: layout(typedColumns),
  map: layout((_, prefix) => mapPart(prefix, 'json', JSON.stringify)),
  mapRespelled: layout((_, prefix) => mapPart(prefix, 'json', respelled)),
  texts: layout(
    (_, prefix) => mapPart(prefix, 'text', String),
    ({ properties, user, now }) => ({ properties: textsOf(properties), user: user && textsOf(user), now }),
  ),
} satisfies Record<string, Layout>;

/** The value in JSON as no writer spells it: white space wherever it may be, every character escaped, a power of ten behind numbers. */
function respelled(value: unknown): string {
  return `\t${spelling(value)} \n`;
}

function spelling(value: unknown): string {
  if (typeof value === 'string') return `"${value.replace(/[\s\S]/g, escaped)}"`;
  if (typeof value === 'number') return String(value).includes('e') ? String(value).toUpperCase() : `${value}e0`;
  if (Array.isArray(value)) return `[${value.map(respelled).join(',')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{${Object.entries(value)
    .map((member) => member.map(respelled).join(':'))
    .join(',')}}`;
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The properties that JSON can hold; it would write a number that is not finite as null. */
export function jsonPart(part: Properties): Properties {
  return Object.fromEntries(
    Object.entries(part).filter(([, value]) => typeof value !== 'number' || Number.isFinite(value)),
  );
}

/** The record as a store keeps it: what JSON has, in well-formed texts. */
export function stored({ properties, user, now }: Input, holdsNul: boolean): Input {
  return { properties: storedPart(properties, holdsNul) ?? {}, user: storedPart(user, holdsNul), now };
}

function storedPart(part: Properties | undefined, holdsNul: boolean): Properties | undefined {
  if (part === undefined) return undefined;
  const entries = Object.entries(part).map(([name, raw]) => [name, storedValue(raw, holdsNul)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function storedValue(raw: unknown, holdsNul: boolean): unknown {
  if (typeof raw === 'string') {
    const wellFormed = raw.replaceAll(/\p{Surrogate}/gu, '\ufffd');
    return holdsNul ? wellFormed : wellFormed.replaceAll('\u0000', '\u2400');
  }
  if (Array.isArray(raw)) return Array.from(raw, (element) => storedElement(element, holdsNul));
  if (typeof raw === 'number' || typeof raw === 'boolean' || raw === null) return raw;
  return typeof raw === 'object' ? {} : undefined;
}

function storedElement(raw: unknown, holdsNul: boolean): unknown {
  const value = typeof raw === 'number' && !Number.isFinite(raw) ? undefined : storedValue(raw, holdsNul);
  return value === undefined ? {} : value;
}
