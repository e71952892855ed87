import type { PromotedProperty } from '../promoted.ts';
import type { RecordKind } from '../store.ts';
import type { DuckDbConnection } from './database.ts';

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
