import type { DuckDbConnection } from './database.ts';
import { type RecordRows, RecordTable } from './record-table.ts';

/** Events to add to a version. */
export interface EventRows extends Omit<RecordRows, 'replaced' | 'order'> {
  /** SQL after `FROM` with the `insert_id` of each row, in the same order. Absent if no row has one. */
  readonly ids?: string;
  readonly isSorted: boolean;
}

/** Adds events to the table of a version, sorted by time. Skips those whose insert ID occurred before. */
export async function addEvents(connection: DuckDbConnection, schema: string, events: EventRows): Promise<void> {
  const { ids, isSorted, ...rows } = events;
  const duplicates = ids === undefined ? 0 : await listDuplicates(connection, schema, ids);
  await new RecordTable(connection, schema, 'events').add({
    ...rows,
    ...(duplicates > 0 && { from: `(FROM ${numberRows(rows.from)} ANTI JOIN temp.duplicates USING (position))` }),
    ...(!isSorted && { order: '"time"' }),
  });
}

/** Returns SQL for rows with their positions, which identify a row when it is read again. */
function numberRows(rows: string): string {
  return `(SELECT *, row_number() OVER () AS position FROM ${rows})`;
}

/** Creates a temporary table of the positions of rows that must not be added, and returns their number. */
async function listDuplicates(connection: DuckDbConnection, schema: string, rows: string): Promise<number> {
  await connection.run(
    `CREATE TEMP TABLE sent AS SELECT insert_id, position FROM ${numberRows(rows)} WHERE insert_id IS NOT NULL`,
  );
  await connection.run(
    `CREATE TEMP TABLE duplicates AS
    SELECT position FROM sent SEMI JOIN ${schema}.events USING (insert_id)
    UNION
    SELECT position FROM sent JOIN
      (SELECT insert_id, min(position) AS first FROM sent GROUP BY insert_id HAVING count(*) > 1) USING (insert_id)
    WHERE position > first`,
  );
  return connection.number('SELECT count(*) FROM temp.duplicates');
}
