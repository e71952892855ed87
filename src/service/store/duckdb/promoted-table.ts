import { getPromotedColumnName, type PromotedProperty, type PropertyType } from '../promoted.ts';
import type { RecordKind } from '../store.ts';
import type { DuckDbConnection } from './database.ts';
import { COLUMN_TYPES } from './extraction.ts';
import { quoteSqlString } from './quote-sql.ts';

/** Reads the promoted properties of a version, sorted by number. */
export async function readPromoted(
  connection: DuckDbConnection,
  schema: string,
): Promise<Readonly<Record<RecordKind, readonly PromotedProperty[]>>> {
  const rows = await connection.rows(
    `SELECT CAST(to_json({'kind': kind, 'name': property, 'number': number, 'types': types}) AS VARCHAR)
    FROM ${schema}.promoted`,
  );
  const all: (PromotedProperty & { readonly kind: RecordKind })[] = rows.map(([json]) => JSON.parse(json as string));
  // Sorting in DuckDB would cost each query a quarter of a millisecond.
  all.sort((left, right) => left.number - right.number);
  const select = (kind: RecordKind) =>
    all.filter((property) => property.kind === kind).map(({ name, number, types }) => ({ name, number, types }));
  return { events: select('events'), people: select('people') };
}

/** Records that a property is promoted, or with which types. Reads use its columns from then on. */
export async function notePromoted(
  connection: DuckDbConnection,
  schema: string,
  kind: RecordKind,
  property: PromotedProperty,
): Promise<void> {
  await forgetPromoted(connection, schema, kind, property);
  await connection.run(
    `INSERT INTO ${schema}.promoted VALUES (${quoteSqlString(kind)}, ${property.number},
    ${quoteSqlString(property.name)}, [${property.types.map(quoteSqlString).join(', ')}])`,
  );
}

/** Removes the record of a promoted property. Reads use the JSON from then on. */
export async function forgetPromoted(
  connection: DuckDbConnection,
  schema: string,
  kind: RecordKind,
  { number }: PromotedProperty,
): Promise<void> {
  await connection.run(`DELETE FROM ${schema}.promoted WHERE kind = ${quoteSqlString(kind)} AND number = ${number}`);
}

/** Creates the columns for some types of a property. */
export async function addColumns(
  connection: DuckDbConnection,
  schema: string,
  kind: RecordKind,
  property: PromotedProperty,
  types: readonly PropertyType[],
): Promise<void> {
  for (const type of types) {
    await connection.run(
      `ALTER TABLE ${schema}.${kind} ADD COLUMN ${getPromotedColumnName(property, type)} ${COLUMN_TYPES[type]}`,
    );
  }
}
