import {
  choosePromoted,
  PROPERTY_TYPES,
  type PromotedProperty,
  type PropertyType,
  type TypeCounts,
} from '../promoted.ts';
import type { RecordKind } from '../store.ts';
import { countKinds, type Documents, findFrequentNames, type KindCounts } from './census.ts';
import type { DuckDbConnection } from './database.ts';
import { lowerExtraction } from './extraction.ts';
import { addColumns, notePromoted, readPromoted } from './promoted-table.ts';
import { widenRollup } from './rollups.ts';

/** Records to write. */
export interface RecordRows {
  /** SQL after `FROM` for rows with the columns of the table, including `properties`. */
  readonly from: string;
  /** Columns that the rows lack, with the properties from which they are read. */
  readonly own?: Readonly<Record<string, string>>;
  /** The same properties, for counting. */
  readonly documents: Documents;
  /** The values of all frequent properties, if they are known. */
  readonly kinds?: ReadonlyMap<string, KindCounts>;
  readonly count: number;
  /** A SQL condition for the rows of the table that they replace. */
  readonly replaced?: string;
  /** The column to sort by. Absent if the rows are sorted. */
  readonly order?: string;
}

/** The columns that every table of a kind has. */
const OWN_COLUMNS: Readonly<Record<RecordKind, Readonly<Record<string, string>>>> = {
  events: {
    '"event"': 'VARCHAR',
    '"time"': 'BIGINT',
    distinct_id: 'VARCHAR',
    insert_id: 'VARCHAR',
    properties: 'JSON',
  },
  people: { distinct_id: 'VARCHAR', properties: 'JSON' },
};

/** The table of the records of one kind in a version. */
export class RecordTable {
  readonly name: string;

  constructor(
    private readonly connection: DuckDbConnection,
    private readonly schema: string,
    readonly kind: RecordKind,
  ) {
    this.name = `${schema}.${kind}`;
  }

  /** Counts the records in the table. */
  async count(): Promise<number> {
    return this.connection.number(`SELECT count(*) FROM ${this.name}`);
  }

  /**
   * Adds rows. The first rows decide which properties are promoted. Later rows only add columns for further types of
   * these properties; a {@link Promotion} adds columns for others.
   */
  async add(rows: RecordRows): Promise<void> {
    const { [this.kind]: known } = await readPromoted(this.connection, this.schema);
    const isFirst = known.length === 0 && (await this.count()) === 0;
    const names = isFirst
      ? [...(rows.kinds?.keys() ?? (await findFrequentNames(this.connection, rows.documents, rows.count)))]
      : known.map(({ name }) => name);
    const counted = rows.kinds;
    const kinds =
      counted !== undefined && names.every((name) => counted.has(name))
        ? counted
        : await countKinds(this.connection, rows.documents, names);
    const promoted = isFirst ? this.choose(kinds, rows.count) : known.map((property) => addTypes(property, kinds));
    await this.promote(promoted, known);
    // Only after `promote`: a transaction cannot alter a table from which it has deleted rows.
    if (rows.replaced !== undefined) await this.connection.run(`DELETE FROM ${this.name} WHERE ${rows.replaced}`);
    const own = OWN_COLUMNS[this.kind];
    const lacking = Object.entries(rows.own ?? {}).map(([column, property]) => ({
      column,
      property,
      type: own[column] as string,
    }));
    const { columns, extracted } = lowerExtraction(rows.from, promoted, kinds, lacking);
    const values = Object.entries(own).map(([name, type]) => `CAST(${name} AS ${type}) AS ${name}`);
    const order = rows.order === undefined ? '' : `ORDER BY ${rows.order}`;
    await this.connection.run(
      `INSERT INTO ${this.name} (${[...Object.keys(own), ...columns.map(([name]) => name)].join(', ')})
      SELECT ${[...values, ...columns.map(([, sql]) => sql)].join(', ')} FROM ${extracted} ${order}`,
    );
  }

  private choose(kinds: ReadonlyMap<string, KindCounts>, count: number): PromotedProperty[] {
    const census = new Map([...kinds].map(([name, counts]) => [name, countTypes(counts)]));
    return choosePromoted(census, count).map((name, index) => addTypes({ name, number: index + 1, types: [] }, kinds));
  }

  /** Creates missing columns. */
  private async promote(promoted: readonly PromotedProperty[], known: readonly PromotedProperty[]): Promise<void> {
    for (const [index, property] of promoted.entries()) {
      const missing = property.types.filter((type) => !known[index]?.types.includes(type));
      if (missing.length === 0) continue;
      await addColumns(this.connection, this.schema, this.kind, property, missing);
      if (this.kind === 'events') await widenRollup(this.connection, this.schema, property, missing);
      await notePromoted(this.connection, this.schema, this.kind, property);
    }
  }
}

/** Returns a property with the types that it has in new rows added. */
export function addTypes(property: PromotedProperty, kinds: ReadonlyMap<string, KindCounts>): PromotedProperty {
  const found = kinds.get(property.name);
  const has = (type: PropertyType) => property.types.includes(type) || found?.has(type) === true;
  return { ...property, types: PROPERTY_TYPES.filter(has) };
}

/** Returns the counts of values that can have columns. */
export function countTypes(counts: KindCounts): TypeCounts {
  return Object.fromEntries([...counts].filter(([kind]) => kind !== 'object'));
}
