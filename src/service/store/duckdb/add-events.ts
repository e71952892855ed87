import type { DuckDbConnection } from './database.ts';
import { type RecordRows, RecordTable } from './record-table.ts';

/** Events to be added. */
export interface EventRows extends Omit<RecordRows, 'replaced' | 'order'> {
  /** What stands behind `FROM`: the `insert_id` of each of the rows, in their order. Left out where none has one. */
  readonly ids?: string;
  readonly isSorted: boolean;
}

/** Adds events to the table of a version, sorted by time, without those whose insert id is flushed or comes twice. */
export async function addEvents(connection: DuckDbConnection, schema: string, events: EventRows): Promise<void> {
  const { ids, isSorted, ...rows } = events;
  const repeated = ids === undefined ? 0 : await findRepeated(connection, schema, ids);
  await new RecordTable(connection, schema, 'events').add({
    ...rows,
    ...(repeated > 0 && { from: `(FROM ${numbered(rows.from)} ANTI JOIN temp.repeated USING (position))` }),
    ...(!isSorted && { order: '"time"' }),
  });
}

/** The rows with their places, by which those read now and later are known to be the same. */
function numbered(rows: string): string {
  return `(SELECT *, row_number() OVER () AS position FROM ${rows})`;
}

/** Lists the places of rows that must not be added in a temporary table, and says how many they are. */
async function findRepeated(connection: DuckDbConnection, schema: string, rows: string): Promise<number> {
  await connection.run(
    `CREATE TEMP TABLE sent AS SELECT insert_id, position FROM ${numbered(rows)} WHERE insert_id IS NOT NULL`,
  );
  await connection.run(
    `CREATE TEMP TABLE repeated AS
    SELECT position FROM sent SEMI JOIN ${schema}.events USING (insert_id)
    UNION
    SELECT position FROM sent JOIN
      (SELECT insert_id, min(position) AS first FROM sent GROUP BY insert_id HAVING count(*) > 1) USING (insert_id)
    WHERE position > first`,
  );
  return connection.number('SELECT count(*) FROM temp.repeated');
}
