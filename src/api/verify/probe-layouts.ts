import type { DialectName } from '../../lang/engines/sql/dialect.ts';
import type { PropertyColumns, PropertySource } from '../../lang/engines/sql/sql-source.ts';
import { getTypeName, type Properties, readProperty } from '../../lang/value.ts';
import type { Cell, CellType, InlineColumn } from './inline-table.ts';

/** The properties of one scope as columns. */
interface TableColumns {
  readonly source: PropertySource;
  readonly columns: readonly InlineColumn[];
  /** Returns the cells of a record, in the order of the columns. */
  cells(record: Properties): readonly Cell[];
}

/** A way to store properties in a table. */
export interface ProbeLayout {
  readonly name: LayoutName;
  readonly isMap: boolean;
  /** Returns the properties that the layout can store. */
  toStored(record: Properties): Properties;
  /** @param prefix The prefix of the column names. */
  layOut(records: readonly Properties[], prefix: string): TableColumns;
}

/** The way a table stores properties. */
export type LayoutName = 'JSON column' | 'typed columns' | 'map of JSON' | 'map of strings';

const CELL_TYPES = { number: 'double', string: 'text', boolean: 'boolean', null: 'boolean', list: 'json' } as const;

type ColumnType = keyof typeof CELL_TYPES;

const JSON_COLUMN: ProbeLayout = {
  name: 'JSON column',
  isMap: false,
  toStored: pickFinite,
  layOut: (_, prefix) => {
    const column = `${prefix} json`;
    return {
      source: { rest: { kind: 'json', column } },
      columns: [{ name: column, type: 'json' }],
      cells: (record) => [JSON.stringify(record)],
    };
  },
};

const TYPED_COLUMNS: ProbeLayout = {
  name: 'typed columns',
  isMap: false,
  toStored: (record) => record,
  layOut: (records, prefix) => {
    const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
    const columns = names.flatMap((property, index) =>
      getColumnTypes(records, property).map((type) => ({ property, type, name: `${prefix} ${index} ${type}` })),
    );
    const columnsOf = (name: string): PropertyColumns =>
      Object.fromEntries(
        columns.filter(({ property }) => property === name).map(({ type, name: column }) => [type, column]),
      );
    return {
      source: { columns: Object.fromEntries(names.map((name) => [name, columnsOf(name)])) },
      columns: columns.map(({ name, type }): { name: string; type: CellType } => ({ name, type: CELL_TYPES[type] })),
      cells: (record) => columns.map(({ property, type }) => toCell(record, property, type)),
    };
  },
};

function createMapLayout(name: LayoutName, values: 'json' | 'text', toStored: ProbeLayout['toStored']): ProbeLayout {
  const write = (value: unknown) => (values === 'json' ? JSON.stringify(value) : String(value));
  return {
    name,
    isMap: true,
    toStored,
    layOut: (_, prefix) => {
      const column = `${prefix} map`;
      return {
        source: { rest: { kind: 'map', column, values } },
        columns: [{ name: column, type: 'map' }],
        cells: (record) => [JSON.stringify(Object.entries(record).map(([k, value]) => ({ k, v: write(value) })))],
      };
    },
  };
}

const MAP_OF_JSON = createMapLayout('map of JSON', 'json', pickFinite);

const MAP_OF_STRINGS = createMapLayout('map of strings', 'text', (record) =>
  pickProperties(record, (raw) => typeof raw === 'string'),
);

/** The layouts that the SQL of a dialect reads. */
export const PROBE_LAYOUTS: Readonly<Record<DialectName, readonly ProbeLayout[]>> = {
  DuckDB: [JSON_COLUMN, TYPED_COLUMNS, MAP_OF_JSON, MAP_OF_STRINGS],
  ClickHouse: [JSON_COLUMN, TYPED_COLUMNS, MAP_OF_JSON, MAP_OF_STRINGS],
  PostgreSQL: [JSON_COLUMN, TYPED_COLUMNS],
  SQLite: [JSON_COLUMN, TYPED_COLUMNS],
};

/** Drops numbers that are not finite: JSON would write them as null. */
function pickFinite(record: Properties): Properties {
  return pickProperties(record, (raw) => typeof raw !== 'number' || Number.isFinite(raw));
}

function pickProperties(record: Properties, isKept: (raw: unknown) => boolean): Properties {
  return Object.fromEntries(Object.entries(record).filter(([, raw]) => isKept(raw)));
}

/** Returns the type of the column for a property. A column of doubles also stores numbers that are not finite. */
function getColumnType(record: Properties, name: string): ColumnType | undefined {
  if (Object.hasOwn(record, name) && typeof record[name] === 'number') return 'number';
  const type = getTypeName(readProperty(record, name));
  return type === 'undefined' ? undefined : type;
}

function getColumnTypes(records: readonly Properties[], name: string): ColumnType[] {
  const found = new Set(records.map((record) => getColumnType(record, name)));
  return (Object.keys(CELL_TYPES) as ColumnType[]).filter((type) => found.has(type));
}

function toCell(record: Properties, name: string, type: ColumnType): Cell {
  if (getColumnType(record, name) !== type) return null;
  const raw = record[name];
  if (type === 'null') return 'true';
  if (type === 'list') return JSON.stringify(raw);
  return Object.is(raw, -0) ? '-0' : String(raw);
}
