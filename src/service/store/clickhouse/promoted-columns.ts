import type { PropertyColumns } from '../../../lang/engines/sql/sql-source.ts';
import {
  choosePromoted,
  getPromotedColumnName,
  getPromotedColumns,
  NOT_PROMOTED,
  type PropertyType,
  type TypeCounts,
} from '../promoted.ts';
import type { RecordKind } from '../store.ts';
import type { ClickHouseDatabase } from './database.ts';
import type { Topology } from './topology.ts';
import type { ClickHouseColumn, VersionTables } from './version-tables.ts';

/** The maximum number of records, and of property names, from which promoted properties are chosen. */
const SAMPLE = 100_000;
const SAMPLE_SETTINGS = `SETTINGS max_rows_to_group_by = ${SAMPLE}, group_by_overflow_mode = 'any'`;
/** The maximum number of counts of a property and type that are compared. */
const MAX_COUNTS = 1_000;

/**
 * SQL for the names of an object's properties and the JSON of their values. The parser returns nothing for an object
 * with a number that is too large. Such an object is parsed again after `onwhere_readable` has changed it. For all
 * others the array is empty, so that `arrayMap` costs nothing.
 */
const PAIRS = `JSONExtractKeysAndValuesRaw(properties) AS direct,
  arrayConcat(direct, arrayMap(json -> JSONExtractKeysAndValuesRaw(onwhere_readable(json)),
    if(empty(direct) AND NOT isValidJSON(if(empty(direct), properties, '{}')), [properties], []))[1]) AS pairs`;

/** SQL for the type of a value by the first character of its JSON; empty for objects. */
const TYPE_OF_VALUE =
  "transform(substring(pair.2, 1, 1), ['\"', 't', 'f', 'n', '[', '{'], " +
  "['string', 'boolean', 'boolean', 'null', 'list', ''], 'number')";

/**
 * The SQL type of a column and its value for the JSON of a property, empty if it is missing: exactly what an expression
 * reads from JSON.
 */
const CHANNELS: Readonly<Record<PropertyType, readonly [type: string, sql: (json: string) => string]>> = {
  number: ['Nullable(Float64)', (json) => `onwhere_decimal(${json})`],
  string: ['Nullable(String)', (json) => `if(startsWith(${json}, '"'), JSONExtractString(${json}), NULL)`],
  boolean: ['Nullable(Bool)', (json) => `multiIf(${json} = 'true', true, ${json} = 'false', false, NULL)`],
  null: ['Nullable(Bool)', (json) => `if(${json} = 'null', true, NULL)`],
  list: ['Nullable(String)', (json) => `if(startsWith(${json}, '['), ${json}, NULL)`],
};

/** A column that holds the values of one type of a property. */
export interface PromotedColumn {
  readonly name: string;
  readonly number: number;
  readonly type: PropertyType;
}

/** The columns of promoted properties in a table of a version. */
export class PromotedColumns {
  constructor(
    private readonly database: ClickHouseDatabase,
    private readonly topology: Topology,
    private readonly tables: VersionTables,
    private readonly kind: RecordKind,
  ) {}

  /**
   * Adds the columns that the incoming records need. The first flush chooses the promoted properties. Later ones add
   * columns for further types of them.
   */
  async extend(): Promise<void> {
    if ((await this.readNames()).length === 0) await this.choose();
    const needed = await this.database.rows<{ number: string | number; type: PropertyType }>(
      `WITH ${this.promoted} AS promoted, ${PAIRS}
SELECT DISTINCT transform(pair.1, promoted, arrayEnumerate(promoted), 0) AS number, ${TYPE_OF_VALUE} AS type
FROM (SELECT arrayJoin(pairs) AS pair FROM ${this.tables.incoming(this.kind).name})
WHERE number != 0 AND type != '' ORDER BY number, type`,
    );
    const columns = needed.map(
      ({ number, type }) => `${getPromotedColumnName({ number: Number(number) }, type)} ${CHANNELS[type][0]}`,
    );
    const { topology, tables, kind } = this;
    await this.database.commands(topology.addColumns(tables.rows(kind), columns));
    await this.updateViews();
  }

  /** Replaces the views that queries read, so that they have all columns of the table. */
  async updateViews(): Promise<void> {
    const types = (await this.readColumns()).map(({ name, type }): ClickHouseColumn => [name, CHANNELS[type][0]]);
    await this.database.commands(this.tables.createViews(this.kind, types));
  }

  /** Returns SQL for the rows of a flush from the incoming records. Skips events whose insert ID is not new. */
  lowerRows(columns: readonly PromotedColumn[]): string {
    const { tables, kind } = this;
    const { global } = this.topology;
    const incoming = tables.incoming(kind).name;
    const values = columns.map(({ number, type }) => CHANNELS[type][1](`json${number}`));
    const sent = `SELECT insert_id FROM ${incoming}`;
    const known = `SELECT insert_id FROM ${tables.view(kind)} WHERE insert_id ${global}IN (${sent})`;
    const isNew = `insert_id IS NULL OR NOT (insert_id ${global}IN (${known}))`;
    const from = kind === 'events' ? `${incoming} FINAL WHERE ${isNew}` : incoming;
    const selected = [...tables.recordColumns(kind), ...values].join(', ');
    return `${this.lowerReads(columns)}SELECT {flush:UInt64}, ${selected}\nFROM ${from}`;
  }

  /** Returns a WITH clause that defines `json1`, `json2`, …: the JSON of each promoted property of a record. */
  private lowerReads(columns: readonly PromotedColumn[]): string {
    const numbers = [...new Set(columns.map(({ number }) => number))];
    if (numbers.length === 0) return '';
    const json = numbers.map((number) => `values[indexOf(names, promoted[${number}])] AS json${number}`);
    const aliases = [`${this.promoted} AS promoted`, PAIRS, 'pairs.1 AS names', 'pairs.2 AS values', ...json];
    return `WITH ${aliases.join(',\n  ')}\n`;
  }

  /** Returns the columns of each promoted property by type. */
  async readByProperty(): Promise<Readonly<Record<string, PropertyColumns>>> {
    const columns = await this.readColumns();
    const promoted = (await this.readNames()).map((name, index) => {
      const types = columns.filter(({ number }) => number === index + 1).map(({ type }) => type);
      return { name, number: index + 1, types };
    });
    return getPromotedColumns(promoted.filter(({ types }) => types.length > 0));
  }

  /** Reads the columns of the table. */
  async readColumns(): Promise<PromotedColumn[]> {
    const found = await this.database.rows<{ name: string }>(
      `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table:String} ORDER BY position`,
      { table: this.tables.rows(this.kind).name },
    );
    return found.flatMap(({ name }) => {
      const [, number, type] = /^p(\d+)_(\w+)$/.exec(name) ?? [];
      return number === undefined ? [] : [{ name, number: Number(number), type: type as PropertyType }];
    });
  }

  private async choose(): Promise<void> {
    const { database, tables, kind } = this;
    const incoming = tables.incoming(kind).name;
    const [counted] = await database.rows<{ records: string | number }>(`SELECT count() AS records FROM ${incoming}`);
    const counts = await database.rows<{ name: string; type: PropertyType; values: string | number }>(
      `WITH ${PAIRS} SELECT pair.1 AS name, ${TYPE_OF_VALUE} AS type, count() AS values
FROM (SELECT arrayJoin(pairs) AS pair FROM (SELECT properties FROM ${incoming} LIMIT ${SAMPLE}))
GROUP BY name, type HAVING type != '' ORDER BY values DESC, name LIMIT ${MAX_COUNTS} ${SAMPLE_SETTINGS}`,
    );
    const census = new Map<string, TypeCounts>();
    for (const { name, type, values } of counts) {
      if (NOT_PROMOTED.includes(name)) continue;
      census.set(name, { ...census.get(name), [type]: Number(values) });
    }
    const names = choosePromoted(census, Math.min(SAMPLE, Number(counted?.records ?? 0)));
    const lines = names.map((name, index) => JSON.stringify({ kind, number: index + 1, name }));
    if (lines.length === 0) return;
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    await this.database.insert(this.tables.promoted.name, ['kind', 'number', 'name'], bytes);
    await this.database.commands(this.topology.sync(this.tables.promoted));
  }

  /** Reads the names of the promoted properties by number, from 1. */
  private async readNames(): Promise<readonly string[]> {
    const [found] = await this.database.rows<{ names: string[] }>(`SELECT ${this.promoted} AS names`);
    return found?.names ?? [];
  }

  /** SQL for the array of the names of promoted properties. */
  private get promoted(): string {
    const { name } = this.tables.promoted;
    const sorted = 'arrayMap(row -> row.2, arraySort(groupArray((number, name))))';
    return `(SELECT ${sorted} FROM ${name} WHERE kind = '${this.kind}')`;
  }
}
