import {
  choosePromoted,
  getPromotedColumnName,
  MAX_COLUMNS,
  type PromotedProperty,
  type PropertyType,
} from '../promoted.ts';
import type { RecordKind } from '../store.ts';
import { countKinds, type Documents, findFrequentNames } from './census.ts';
import type { DuckDbConnection } from './database.ts';
import { lowerExtraction } from './extraction.ts';
import { addColumns, forgetPromoted, notePromoted, readPromoted } from './promoted-table.ts';
import { quoteSqlString } from './quote-sql.ts';
import { addTypes, countTypes } from './record-table.ts';
import { dropRollups } from './rollups.ts';

/** The number of records that show which properties are frequent. */
const SAMPLE = 50_000;

/** The rows of a vector of DuckDB, which are read together. */
const VECTOR = 2_048;

/** The rows of a part: those of a row group. Flushes wait for a part. */
const PART = 122_880;

/** The column of rows whose new columns are filled: true or NULL. Rows of later flushes have NULL. */
const FILLED = 'promoting';

/**
 * Gives columns to properties that have become frequent, in parts. Each part is a transaction, and flushes and reads go
 * on between them. Reads use the columns once all rows have them. After a kill, the next promotion begins again.
 */
export class Promotion {
  private isRecorded = false;

  private constructor(
    private readonly kind: RecordKind,
    private properties: readonly PromotedProperty[],
  ) {}

  /**
   * Chooses the properties by a sample of the records, and removes columns of rarer ones if there would be too many.
   * Returns undefined if none is chosen.
   */
  static async begin(connection: DuckDbConnection, schema: string, kind: RecordKind): Promise<Promotion | undefined> {
    const { [kind]: known } = await readPromoted(connection, schema);
    await removeUnfinished(connection, schema, kind, known);
    const table = `${schema}.${kind}`;
    const count = await connection.number(`SELECT count(*) FROM ${table}`);
    const stride = Math.max(1, Math.floor(count / SAMPLE));
    const sample = `(SELECT properties FROM ${table} WHERE (rowid // ${VECTOR}) % ${stride} = 0)`;
    const documents: Documents = { from: sample, json: 'properties', pointer: '' };
    const sampled = await connection.number(`SELECT count(*) FROM ${sample}`);
    const names = await findFrequentNames(connection, documents, sampled);
    const census = new Map(
      [...(await countKinds(connection, documents, names))].map(([name, kinds]) => [name, countTypes(kinds)]),
    );
    const chosen = choosePromoted(census, sampled);
    const added = chosen.filter((name) => !known.some((property) => property.name === name));
    if (added.length === 0) return undefined;
    // The next ones have the new properties.
    if (kind === 'events') await dropRollups(connection, schema);
    const columns = added.reduce((sum, name) => sum + Object.keys(census.get(name) ?? {}).length, 0);
    const rare = known.filter(({ name }) => !chosen.includes(name));
    await removeSurplus(connection, schema, kind, { known, rare, room: MAX_COLUMNS - columns });
    await connection.run(`ALTER TABLE ${table} ADD COLUMN ${FILLED} BOOLEAN`);
    const last = Math.max(0, ...known.map(({ number }) => number));
    return new Promotion(
      kind,
      added.map((name, index) => ({ name, number: last + index + 1, types: [] })),
    );
  }

  /**
   * Fills the columns of the next rows. With the last ones, records the properties, so that reads use the columns.
   * Returns whether that was done before, and nothing is left.
   */
  async fillNext(connection: DuckDbConnection, schema: string): Promise<boolean> {
    const { kind } = this;
    const table = `${schema}.${kind}`;
    const findFirst = async () =>
      (await connection.rows(`SELECT min(rowid) FROM ${table} WHERE ${FILLED} IS NULL`))[0]?.[0] ?? undefined;
    const first = this.isRecorded ? undefined : await findFirst();
    if (first === undefined) {
      // A transaction cannot remove a column from rows that it has updated.
      await connection.run(`ALTER TABLE ${table} DROP COLUMN ${FILLED}`);
      return true;
    }
    const part = `(SELECT rowid AS "row", properties FROM ${table}
      WHERE ${FILLED} IS NULL AND rowid >= ${first} AND rowid < ${Number(first) + PART})`;
    const names = this.properties.map(({ name }) => name);
    const kinds = await countKinds(connection, { from: part, json: 'properties', pointer: '' }, names);
    const properties = this.properties.map((property) => addTypes(property, kinds));
    for (const [index, property] of properties.entries()) {
      const isNew = (type: PropertyType) => this.properties[index]?.types.includes(type) === false;
      await addColumns(connection, schema, kind, property, property.types.filter(isNew));
    }
    const { columns, extracted } = lowerExtraction(part, properties, kinds, []);
    const values = columns.map(([name, sql]) => `${sql} AS ${name}`);
    const changes = [`${FILLED} = true`, ...columns.map(([name]) => `${name} = part.${name}`)];
    await connection.run(
      `UPDATE ${table} SET ${changes.join(', ')} FROM (SELECT ${['"row"', ...values].join(', ')} FROM ${extracted}) AS part
      WHERE ${kind}.rowid = part."row"`,
    );
    this.properties = properties;
    // In the same transaction: flushes may add rows before the next part.
    this.isRecorded = (await findFirst()) === undefined;
    if (this.isRecorded) for (const property of properties) await notePromoted(connection, schema, kind, property);
    return false;
  }
}

/** Removes the columns of a promotion that was not finished. */
async function removeUnfinished(
  connection: DuckDbConnection,
  schema: string,
  kind: RecordKind,
  known: readonly PromotedProperty[],
): Promise<void> {
  const used = new Set(
    known.flatMap((property) => property.types.map((type) => getPromotedColumnName(property, type))),
  );
  const rows = await connection.rows(`SELECT name FROM pragma_table_info(${quoteSqlString(`${schema}.${kind}`)})`);
  const isUnfinished = (name: string) => name === FILLED || (/^p\d+_/.test(name) && !used.has(name));
  const unfinished = rows.map(([name]) => String(name)).filter(isUnfinished);
  for (const name of unfinished) await connection.run(`ALTER TABLE ${schema}.${kind} DROP COLUMN ${name}`);
}

/** Removes the columns of rare properties, those promoted last first, until all others fit into the room. */
async function removeSurplus(
  connection: DuckDbConnection,
  schema: string,
  kind: RecordKind,
  {
    known,
    rare,
    room,
  }: { readonly known: readonly PromotedProperty[]; readonly rare: readonly PromotedProperty[]; readonly room: number },
): Promise<void> {
  let columns = known.reduce((sum, { types }) => sum + types.length, 0);
  for (const property of rare.toReversed()) {
    if (columns <= room) return;
    await forgetPromoted(connection, schema, kind, property);
    for (const type of property.types)
      await connection.run(`ALTER TABLE ${schema}.${kind} DROP COLUMN ${getPromotedColumnName(property, type)}`);
    columns -= property.types.length;
  }
}
