import type { LogSegment } from '../../storage/segment-folder.ts';
import { addEvents } from './add-events.ts';
import type { DuckDbConnection } from './database.ts';
import { quoteFile } from './quote-sql.ts';

const COLUMNS = { event: 'VARCHAR', time: 'BIGINT', distinct_id: 'VARCHAR', insert_id: 'VARCHAR', properties: 'JSON' };

/**
 * Adds the events of segments to the table of a version, sorted by time. Skips those whose insert ID occurred before.
 */
export async function flushEvents(
  connection: DuckDbConnection,
  schema: string,
  segments: readonly LogSegment[],
): Promise<void> {
  const files = `[${segments.map(({ path }) => quoteFile(path)).join(', ')}]`;
  const lines = readLog(files, Object.keys(COLUMNS));
  const [facts] = await connection.rows(
    `SELECT count(*), count(*) FILTER ("time" < earlier), count(insert_id)
    FROM (SELECT *, lag("time") OVER () AS earlier FROM ${readLog(files, ['event', 'time', 'insert_id'])})`,
  );
  const [count = 0, unsorted = 0, ids = 0] = (facts ?? []).map(Number);
  if (count === 0) return;
  await addEvents(connection, schema, {
    from: lines,
    documents: { from: `read_ndjson_objects(${files})`, json: 'json', pointer: '/properties' },
    count,
    isSorted: unsorted === 0,
    ...(ids > 0 && { ids: readLog(files, ['event', 'insert_id']) }),
  });
}

/** Returns SQL for columns of log files. Skips batch lines, which have none of the columns. */
function readLog(files: string, names: readonly string[]): string {
  const types = names.map((name) => `"${name}": '${COLUMNS[name as keyof typeof COLUMNS]}'`).join(', ');
  return `(FROM read_json(${files}, format = 'newline_delimited', columns = {${types}}) WHERE "event" IS NOT NULL)`;
}
