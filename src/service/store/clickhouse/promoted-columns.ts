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

/** How many records are looked at to choose properties, how many names of them at most, and how many counts are of interest. */
const SAMPLE = 100_000;
const FIRST_NAMES = `SETTINGS max_rows_to_group_by = ${SAMPLE}, group_by_overflow_mode = 'any'`;
const MAX_COUNTS = 1_000;

/**
 * The names of an object's properties and the JSON of their values. An object that the parser drops, for one number that is too large
 * for it, is read once that is made readable; over an array that is empty for most objects, `arrayMap` has nothing to do.
 */
const PAIRS = `JSONExtractKeysAndValuesRaw(properties) AS direct,
  arrayConcat(direct, arrayMap(json -> JSONExtractKeysAndValuesRaw(onwhere_readable(json)),
    if(empty(direct) AND NOT isValidJSON(if(empty(direct), properties, '{}')), [properties], []))[1]) AS pairs`;

/** The type of a value, as its JSON begins; objects are of none. */
const TYPE_OF_VALUE =
  "transform(substring(pair.2, 1, 1), ['\"', 't', 'f', 'n', '[', '{'], ['string', 'boolean', 'boolean', 'null', 'list', ''], 'number')";

/** What a column holds for the JSON of a value, or for the empty text where there is none: exactly what an expression reads of JSON. */
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

/** The columns that the properties of a version's records have of their own. */
export class PromotedColumns {
  constructor(
    private readonly database: ClickHouseDatabase,
    private readonly topology: Topology,
    private readonly tables: VersionTables,
    private readonly kind: RecordKind,
  ) {}

  /** Columns for what is to be flushed: chosen at first; later each property gets those that it turns out to need. */
  async extend(): Promise<void> {
    if ((await this.names()).length === 0) await this.choose();
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
    await this.show();
  }

  /** Makes what queries read have the columns that the table has. */
  async show(): Promise<void> {
    const types = (await this.columns()).map(({ name, type }): ClickHouseColumn => [name, CHANNELS[type][0]]);
    await this.database.commands(this.tables.createViews(this.kind, types));
  }

  /** The rows of a flush, from what is being flushed: of events those whose insert id is new. */
  selection(columns: readonly PromotedColumn[]): string {
    const { tables, kind } = this;
    const { global } = this.topology;
    const incoming = tables.incoming(kind).name;
    const values = columns.map(({ number, type }) => CHANNELS[type][1](`json${number}`));
    const known = `SELECT insert_id FROM ${tables.view(kind)} WHERE insert_id ${global}IN (SELECT insert_id FROM ${incoming})`;
    const isNew = `insert_id IS NULL OR NOT (insert_id ${global}IN (${known}))`;
    const from = kind === 'events' ? `${incoming} FINAL WHERE ${isNew}` : incoming;
    return `${this.readings(columns)}SELECT {settle:UInt64}, ${[...tables.recordColumns(kind), ...values].join(', ')}\nFROM ${from}`;
  }

  /** `json1`, `json2`, …: what a record has of each promoted property. */
  private readings(columns: readonly PromotedColumn[]): string {
    const numbers = [...new Set(columns.map(({ number }) => number))];
    if (numbers.length === 0) return '';
    const json = numbers.map((number) => `values[indexOf(names, promoted[${number}])] AS json${number}`);
    return `WITH ${[`${this.promoted} AS promoted`, PAIRS, 'pairs.1 AS names', 'pairs.2 AS values', ...json].join(',\n  ')}\n`;
  }

  /** The columns of each property that has some. */
  async byProperty(): Promise<Readonly<Record<string, PropertyColumns>>> {
    const columns = await this.columns();
    const promoted = (await this.names()).map((name, index) => {
      const types = columns.filter(({ number }) => number === index + 1).map(({ type }) => type);
      return { name, number: index + 1, types };
    });
    return getPromotedColumns(promoted.filter(({ types }) => types.length > 0));
  }

  /** The columns that the table has. */
  async columns(): Promise<PromotedColumn[]> {
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
    const [flushed] = await database.rows<{ records: string | number }>(`SELECT count() AS records FROM ${incoming}`);
    const counted = await database.rows<{ name: string; type: PropertyType; values: string | number }>(
      `WITH ${PAIRS} SELECT pair.1 AS name, ${TYPE_OF_VALUE} AS type, count() AS values
FROM (SELECT arrayJoin(pairs) AS pair FROM (SELECT properties FROM ${incoming} LIMIT ${SAMPLE}))
GROUP BY name, type HAVING type != '' ORDER BY values DESC, name LIMIT ${MAX_COUNTS} ${FIRST_NAMES}`,
    );
    const census = new Map<string, TypeCounts>();
    for (const { name, type, values } of counted) {
      if (NOT_PROMOTED.includes(name)) continue;
      census.set(name, { ...census.get(name), [type]: Number(values) });
    }
    const names = choosePromoted(census, Math.min(SAMPLE, Number(flushed?.records ?? 0)));
    const lines = names.map((name, index) => JSON.stringify({ kind, number: index + 1, name }));
    if (lines.length === 0) return;
    const text = Buffer.from(`${lines.join('\n')}\n`);
    await this.database.insert(this.tables.promoted.name, ['kind', 'number', 'name'], text);
    await this.database.commands(this.topology.sync(this.tables.promoted));
  }

  /** The names of promoted properties: that of the first has the number 1. */
  private async names(): Promise<readonly string[]> {
    const [found] = await this.database.rows<{ names: string[] }>(`SELECT ${this.promoted} AS names`);
    return found?.names ?? [];
  }

  /** The names of promoted properties, as an array in SQL. */
  private get promoted(): string {
    const { name } = this.tables.promoted;
    return `(SELECT arrayMap(row -> row.2, arraySort(groupArray((number, name)))) FROM ${name} WHERE kind = '${this.kind}')`;
  }
}
