import type { DialectName } from '../../lang/engines/sql/dialect.ts';
import type { PropertyColumns, PropertySource } from '../../lang/engines/sql/sql-source.ts';
import { getTypeName, type Properties, readProperty } from '../../lang/value.ts';
import type { Cell, CellType, InlineColumn } from './inline-table.ts';

/** The properties of one scope in columns. */
interface LaidOut {
  readonly source: PropertySource;
  readonly columns: readonly InlineColumn[];
  /** The cells of a record, in the order of the columns. */
  cells(record: Properties): readonly Cell[];
}

/** A way to keep properties in a table. */
export interface ProbeLayout {
  readonly name: LayoutName;
  readonly isMap: boolean;
  /** What it can hold of a record. */
  kept(record: Properties): Properties;
  /** @param prefix What the names of the columns begin with. */
  layOut(records: readonly Properties[], prefix: string): LaidOut;
}

/** How properties are kept, as people call it. */
export type LayoutName = 'JSON column' | 'typed columns' | 'map of JSON' | 'map of strings';

const CELL_TYPES = { number: 'double', string: 'text', boolean: 'boolean', null: 'boolean', list: 'json' } as const;

type HeldType = keyof typeof CELL_TYPES;

const JSON_COLUMN: ProbeLayout = {
  name: 'JSON column',
  isMap: false,
  kept: finiteOnly,
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
  kept: (record) => record,
  layOut: (records, prefix) => {
    const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
    const columns = names.flatMap((property, index) =>
      heldTypes(records, property).map((type) => ({ property, type, name: `${prefix} ${index} ${type}` })),
    );
    const columnsOf = (name: string): PropertyColumns =>
      Object.fromEntries(
        columns.filter(({ property }) => property === name).map(({ type, name: column }) => [type, column]),
      );
    return {
      source: { columns: Object.fromEntries(names.map((name) => [name, columnsOf(name)])) },
      columns: columns.map(({ name, type }): { name: string; type: CellType } => ({ name, type: CELL_TYPES[type] })),
      cells: (record) => columns.map(({ property, type }) => cellOf(record, property, type)),
    };
  },
};

function mapOf(name: LayoutName, values: 'json' | 'text', kept: ProbeLayout['kept']): ProbeLayout {
  const write = (value: unknown) => (values === 'json' ? JSON.stringify(value) : String(value));
  return {
    name,
    isMap: true,
    kept,
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

const MAP_OF_JSON = mapOf('map of JSON', 'json', finiteOnly);

const MAP_OF_STRINGS = mapOf('map of strings', 'text', (record) => filtered(record, (raw) => typeof raw === 'string'));

/** The layouts that the SQL of a dialect reads. */
export const PROBE_LAYOUTS: Readonly<Record<DialectName, readonly ProbeLayout[]>> = {
  DuckDB: [JSON_COLUMN, TYPED_COLUMNS, MAP_OF_JSON, MAP_OF_STRINGS],
  ClickHouse: [JSON_COLUMN, TYPED_COLUMNS, MAP_OF_JSON, MAP_OF_STRINGS],
  PostgreSQL: [JSON_COLUMN, TYPED_COLUMNS],
};

/** JSON would write a number that is not finite as null. */
function finiteOnly(record: Properties): Properties {
  return filtered(record, (raw) => typeof raw !== 'number' || Number.isFinite(raw));
}

function filtered(record: Properties, isKept: (raw: unknown) => boolean): Properties {
  return Object.fromEntries(Object.entries(record).filter(([, raw]) => isKept(raw)));
}

/** A number that is not finite can be in a column of doubles, and reads as undefined. */
function heldType(record: Properties, name: string): HeldType | undefined {
  if (Object.hasOwn(record, name) && typeof record[name] === 'number') return 'number';
  const type = getTypeName(readProperty(record, name));
  return type === 'undefined' ? undefined : type;
}

function heldTypes(records: readonly Properties[], name: string): HeldType[] {
  const found = new Set(records.map((record) => heldType(record, name)));
  return (Object.keys(CELL_TYPES) as HeldType[]).filter((type) => found.has(type));
}

function cellOf(record: Properties, name: string, type: HeldType): Cell {
  if (heldType(record, name) !== type) return null;
  const raw = record[name];
  if (type === 'null') return 'true';
  if (type === 'list') return JSON.stringify(raw);
  return Object.is(raw, -0) ? '-0' : String(raw);
}
