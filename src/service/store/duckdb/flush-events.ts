import type { LogFile } from '../../storage/log-files.ts';
import { addEvents } from './add-events.ts';
import type { DuckDbConnection } from './database.ts';
import { quoteFile } from './quote-sql.ts';

const COLUMNS = { event: 'VARCHAR', time: 'BIGINT', distinct_id: 'VARCHAR', insert_id: 'VARCHAR', properties: 'JSON' };

/**
 * Adds the events of log files to the table of a version, sorted by time. Skips those whose insert ID occurred before.
 */
export async function flushEvents(
  connection: DuckDbConnection,
  schema: string,
  files: readonly LogFile[],
): Promise<void> {
  const paths = `[${files.map(({ path }) => quoteFile(path)).join(', ')}]`;
  const lines = readLog(paths, Object.keys(COLUMNS));
  const [facts] = await connection.rows(
    `SELECT count(*), count(*) FILTER ("time" < earlier), count(insert_id)
    FROM (SELECT *, lag("time") OVER () AS earlier FROM ${readLog(paths, ['event', 'time', 'insert_id'])})`,
  );
  const [count = 0, unsorted = 0, ids = 0] = (facts ?? []).map(Number);
  if (count === 0) return;
  await addEvents(connection, schema, {
    from: lines,
    documents: { from: `read_ndjson_objects(${paths})`, json: 'json', pointer: '/properties' },
    count,
    isSorted: unsorted === 0,
    ...(ids > 0 && { ids: readLog(paths, ['event', 'insert_id']) }),
  });
}

/** Returns SQL for columns of log files. Skips batch lines, which have none of the columns. */
function readLog(paths: string, names: readonly string[]): string {
  const types = names.map((name) => `"${name}": '${COLUMNS[name as keyof typeof COLUMNS]}'`).join(', ');
  return `(FROM read_json(${paths}, format = 'newline_delimited', columns = {${types}}) WHERE "event" IS NOT NULL)`;
}
