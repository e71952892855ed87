import type { LogSegment } from '../../storage/log-segment.ts';
import type { Connection } from './database.ts';
import { quoteFile } from './quote-sql.ts';
import { RecordTable } from './record-table.ts';

const COLUMNS = { event: 'VARCHAR', time: 'BIGINT', distinct_id: 'VARCHAR', insert_id: 'VARCHAR', properties: 'JSON' };

/** Adds the events of segments to the table of a version, sorted by time, without those whose insert id is settled or comes twice. */
export async function settleEvents(
  connection: Connection,
  schema: string,
  segments: readonly LogSegment[],
): Promise<void> {
  const files = `[${segments.map(({ path }) => quoteFile(path)).join(', ')}]`;
  const lines = linesOf(files, Object.keys(COLUMNS));
  const [facts] = await connection.rows(
    `SELECT count(*), count(*) FILTER ("time" < earlier), count(insert_id)
    FROM (SELECT *, lag("time") OVER () AS earlier FROM ${linesOf(files, ['event', 'time', 'insert_id'])})`,
  );
  const [count = 0, unsorted = 0, ids = 0] = (facts ?? []).map(Number);
  if (count === 0) return;
  const repeated = ids === 0 ? 0 : await findRepeated(connection, schema, linesOf(files, ['event', 'insert_id']));
  await new RecordTable(connection, schema, 'events').add({
    from: repeated === 0 ? lines : `(FROM ${numbered(lines)} ANTI JOIN temp.repeated USING (position))`,
    documents: { from: `read_ndjson_objects(${files})`, json: 'json', pointer: '/properties' },
    count,
    ...(unsorted > 0 && { order: '"time"' }),
  });
}

/** Some columns of the lines of logs. The lines that close batches have none of them. */
function linesOf(files: string, names: readonly string[]): string {
  const types = names.map((name) => `"${name}": '${COLUMNS[name as keyof typeof COLUMNS]}'`).join(', ');
  return `(FROM read_json(${files}, format = 'newline_delimited', columns = {${types}}) WHERE "event" IS NOT NULL)`;
}

/** The lines with their places, by which those read now and later are known to be the same. */
function numbered(lines: string): string {
  return `(SELECT *, row_number() OVER () AS position FROM ${lines})`;
}

/** Lists the places of lines that must not be added in a temporary table, and says how many they are. */
async function findRepeated(connection: Connection, schema: string, lines: string): Promise<number> {
  await connection.run(
    `CREATE TEMP TABLE sent AS SELECT insert_id, position FROM ${numbered(lines)} WHERE insert_id IS NOT NULL`,
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
