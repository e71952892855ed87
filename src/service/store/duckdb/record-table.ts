import {
  choosePromoted,
  getPromotedColumnName,
  PROPERTY_TYPES,
  type PromotedProperty,
  type PropertyType,
} from '../promoted.ts';
import type { RecordKind } from '../store.ts';
import { countKinds, type Documents, findFrequentNames, type KindCounts } from './census.ts';
import type { DuckDbConnection } from './database.ts';
import { COLUMN_TYPES, lowerExtraction } from './extraction.ts';
import { quoteSqlString } from './quote-sql.ts';
import { readPromoted } from './read-promoted.ts';

/** Records to be written. */
export interface RecordRows {
  /** What stands behind `FROM`: rows with the columns that each table of the kind has, `properties` among them. */
  readonly from: string;
  /** Columns that the rows have not, and the properties that they are read from. */
  readonly own?: Readonly<Record<string, string>>;
  /** Where the same properties are found to be counted. */
  readonly documents: Documents;
  /** The names of properties that are frequent in them, where that is known. */
  readonly names?: readonly string[];
  readonly count: number;
  /** Which rows of the table they stand for. */
  readonly replaced?: string;
  /** The column to sort by, where they are not sorted. */
  readonly order?: string;
}

/** The columns that each table of a kind has. */
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

/** The table of a version with the records of a kind. */
export class RecordTable {
  readonly name: string;

  constructor(
    private readonly connection: DuckDbConnection,
    private readonly schema: string,
    readonly kind: RecordKind,
  ) {
    this.name = `${schema}.${kind}`;
  }

  /** How many records it holds. */
  async count(): Promise<number> {
    return this.connection.number(`SELECT count(*) FROM ${this.name}`);
  }

  /** Adds rows. Which properties have columns of their own is chosen when the first come; later ones may bring columns for other types of these. */
  async add(rows: RecordRows): Promise<void> {
    const { [this.kind]: known } = await readPromoted(this.connection, this.schema);
    const isFirst = known.length === 0 && (await this.count()) === 0;
    const names = isFirst
      ? (rows.names ?? (await findFrequentNames(this.connection, rows.documents, rows.count)))
      : known.map(({ name }) => name);
    const kinds = await countKinds(this.connection, rows.documents, names);
    const promoted = isFirst ? this.chosen(kinds, rows.count) : known.map((property) => widened(property, kinds));
    await this.promote(promoted, known);
    // What a transaction has deleted from it cannot alter any more.
    if (rows.replaced !== undefined) await this.connection.run(`DELETE FROM ${this.name} WHERE ${rows.replaced}`);
    const { columns, extracted } = lowerExtraction(rows.from, promoted, kinds, rows.own);
    const own = OWN_COLUMNS[this.kind];
    const values = Object.entries(own).map(([name, type]) => `CAST(${name} AS ${type}) AS ${name}`);
    const order = rows.order === undefined ? '' : `ORDER BY ${rows.order}`;
    await this.connection.run(
      `INSERT INTO ${this.name} (${[...Object.keys(own), ...columns.map(([name]) => name)].join(', ')})
      SELECT ${[...values, ...columns.map(([, sql]) => sql)].join(', ')} FROM ${extracted} ${order}`,
    );
  }

  private chosen(kinds: ReadonlyMap<string, KindCounts>, count: number): PromotedProperty[] {
    const census = new Map([...kinds].map(([name, counts]) => [name, typeCounts(counts)]));
    return choosePromoted(census, count).map((name, index) => widened({ name, number: index + 1, types: [] }, kinds));
  }

  /** Makes the columns that are not there yet. */
  private async promote(promoted: readonly PromotedProperty[], known: readonly PromotedProperty[]): Promise<void> {
    for (const [index, property] of promoted.entries()) {
      const missing = property.types.filter((type) => !known[index]?.types.includes(type));
      if (missing.length === 0) continue;
      for (const type of missing) {
        await this.connection.run(
          `ALTER TABLE ${this.name} ADD COLUMN ${getPromotedColumnName(property, type)} ${COLUMN_TYPES[type]}`,
        );
      }
      const place = `kind = ${quoteSqlString(this.kind)} AND number = ${property.number}`;
      await this.connection.run(`DELETE FROM ${this.schema}.promoted WHERE ${place}`);
      await this.connection.run(
        `INSERT INTO ${this.schema}.promoted VALUES (${quoteSqlString(this.kind)}, ${property.number}, ${quoteSqlString(property.name)}, [${property.types.map(quoteSqlString).join(', ')}])`,
      );
    }
  }
}

/** The property with the types that it has in rows too. */
function widened(property: PromotedProperty, kinds: ReadonlyMap<string, KindCounts>): PromotedProperty {
  const found = kinds.get(property.name);
  const has = (type: PropertyType) => property.types.includes(type) || found?.has(type) === true;
  return { ...property, types: PROPERTY_TYPES.filter(has) };
}

function typeCounts(counts: KindCounts) {
  return Object.fromEntries([...counts].filter(([kind]) => kind !== 'object'));
}
