import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { StoreError } from '../store-error.ts';
import { addEvents } from './add-events.ts';
import { countKinds, type Documents, findFrequentInLists, type JsonKind, type KindCounts } from './census.ts';
import type { DuckDbConnection } from './database.ts';
import { isUnambiguousJson } from './is-unambiguous-json.ts';
import { quoteFile, quoteSqlString } from './quote-sql.ts';
import { IS_DOUBTFUL, IS_TOO_LONG, type LineSurvey, readFirstLines, surveyLines } from './survey-lines.ts';

/** An NDJSON file of events, `{"event": …, "properties": {…}}` per line, that DuckDB reads as an import does. */
export interface EventFile {
  /** SQL for its lines, in a column `json`. */
  readonly lines: string;
  /** SQL for its columns `event` and `properties`. */
  readonly events: string;
  /** SQL for the `insert_id` of each event; absent if none has one. */
  readonly ids?: string;
  /** The values of frequent properties, which may get columns, most frequent first. */
  readonly kinds: ReadonlyMap<string, KindCounts>;
  readonly count: number;
  /** Whether the first lines are sorted by time, as the others then usually are. */
  readonly beginsSorted: boolean;
}

/** Thrown if a file whose first lines are sorted by time turns out to be unsorted. */
export class UnsortedFileError extends StoreError {}

/** Errors that are not caused by the file. */
const NOT_FILE_ERROR = /^DuckDB: (?:Parser|Binder|Catalog|INTERNAL|Out of Memory|Not implemented) /;

/** Returns a file if all its records can certainly be imported; undefined otherwise. */
export async function detectEventFile(connection: DuckDbConnection, path: string): Promise<EventFile | undefined> {
  // The file is read several times, so it cannot be a pipe.
  if (!(await stat(path)).isFile()) return undefined;
  const compression = (await isGzipped(path)) ? 'gzip' : 'uncompressed';
  const file = `${quoteFile(resolve(path))}, compression = '${compression}'`;
  const lines = `read_ndjson_objects(${file})`;
  const read = (columns: string) => `read_json(${file}, format = 'newline_delimited', columns = {${columns}})`;
  try {
    const { expected, isSorted } = await readFirstLines(connection, lines);
    // Most files that cannot be loaded show it at once.
    if (!(await surveyLines(connection, 'temp.first_lines', expected)).isValid) return undefined;
    const survey = await surveyLines(connection, lines, expected);
    if (!survey.isValid || !(await areImportable(connection, survey))) return undefined;
    return {
      lines,
      events: read(`'event': 'VARCHAR', 'properties': 'JSON'`),
      ...(survey.ids > 0 && {
        ids: `(SELECT properties."$insert_id" AS insert_id FROM ${read(`'properties': 'STRUCT("$insert_id" VARCHAR)'`)})`,
      }),
      kinds: await countFrequent(connection, survey),
      count: survey.count,
      beginsSorted: isSorted,
    };
  } catch (error) {
    // The ordinary import reports the error with its line.
    if (error instanceof StoreError && !NOT_FILE_ERROR.test(error.message)) return undefined;
    throw error;
  }
}

async function isGzipped(path: string): Promise<boolean> {
  const handle = await open(path);
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.readUInt16BE() === 0x1f8b;
  } finally {
    await handle.close();
  }
}

/** Lists the names of unclear lines in `temp.lists`, and returns whether these lines can be imported after all. */
async function areImportable(connection: DuckDbConnection, { unclear, unclearLines }: LineSurvey): Promise<boolean> {
  const lines = unclear === 0 ? `(SELECT '' AS json WHERE false)` : unclearLines;
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE lists AS
    SELECT json_keys(json) AS keys, json_keys(json, '/properties') AS names, count(*) AS records,
      count(*) FILTER (${IS_DOUBTFUL}) AS doubtful
    FROM ${lines} GROUP BY keys, names`,
  );
  // Each line must have exactly the keys `event` and `properties`, no repeated property name, and no token.
  const [row = []] = await connection.rows(
    `SELECT bool_and(coalesce(list_sort(keys) = ['event', 'properties']
        AND len(list_distinct(names)) = len(names) AND NOT list_contains(names, 'token'), false)),
      coalesce(sum(doubtful), 0)
    FROM temp.lists`,
  );
  return row[0] !== false && (Number(row[1]) === 0 || (await areUnambiguous(connection, lines)));
}

/** Returns whether all doubtful lines are unambiguous after all. */
async function areUnambiguous(connection: DuckDbConnection, lines: string): Promise<boolean> {
  const found = connection.stream(`SELECT CAST(json AS VARCHAR), ${IS_TOO_LONG} FROM ${lines} WHERE ${IS_DOUBTFUL}`);
  for await (const rows of found) {
    if (!rows.every(([json, isTooLong]) => isTooLong === false && isUnambiguousJson(json as string))) return false;
  }
  return true;
}

/** Counts the values of the frequent properties in all lines, most frequent first. */
async function countFrequent(connection: DuckDbConnection, survey: LineSurvey): Promise<Map<string, KindCounts>> {
  const clear = [...survey.kinds].map(([name, kinds]) => `([${quoteSqlString(name)}], ${sumCounts(kinds)})`);
  if (clear.length > 0)
    await connection.run(`INSERT INTO temp.lists (names, records) SELECT * FROM (VALUES ${clear.join(', ')})`);
  const names = await findFrequentInLists(connection, 'temp.lists', survey.count);
  const documents: Documents = { from: survey.unclearLines, json: 'json', pointer: '/properties' };
  const unclear = await countKinds(connection, documents, survey.unclear === 0 ? [] : names);
  return new Map(names.map((name) => [name, addCounts(survey.kinds.get(name), unclear.get(name))]));
}

function sumCounts(kinds: KindCounts): number {
  return [...kinds.values()].reduce((sum, count) => sum + count, 0);
}

function addCounts(left: KindCounts = new Map(), right: KindCounts = new Map()): KindCounts {
  const kinds = new Set<JsonKind>([...left.keys(), ...right.keys()]);
  return new Map([...kinds].map((kind) => [kind, (left.get(kind) ?? 0) + (right.get(kind) ?? 0)]));
}

/**
 * Adds the events of a file to the table of a version.
 *
 * @throws {UnsortedFileError} if the file is not sorted although `isSorted` says so
 */
export async function loadEvents(
  connection: DuckDbConnection,
  schema: string,
  file: EventFile,
  isSorted: boolean,
): Promise<void> {
  const hasIds = file.ids !== undefined;
  const rows = {
    from: hasIds ? file.events : `(SELECT *, NULL AS insert_id FROM ${file.events})`,
    own: { '"time"': 'time', distinct_id: 'distinct_id', ...(hasIds && { insert_id: '$insert_id' }) },
    documents: { from: file.lines, json: 'json', pointer: '/properties' },
    kinds: file.kinds,
    count: file.count,
  };
  if (!isSorted) {
    await addEvents(connection, schema, { ...rows, ...(file.ids !== undefined && { ids: file.ids }), isSorted });
    return;
  }
  const before = await connection.number(`SELECT count(*) FROM ${schema}.events`);
  await addEvents(connection, schema, { ...rows, isSorted });
  // Comparing what is written takes a fraction of a second. A scan of the file in its order would use one thread.
  const unsorted = await connection.number(
    `SELECT count(*) FILTER ("time" < earlier)
    FROM (SELECT "time", lag("time") OVER () AS earlier FROM ${schema}.events WHERE rowid >= ${before})`,
  );
  if (unsorted > 0) throw new UnsortedFileError('the file is not sorted by time');
  if (hasIds) await removeRepeated(connection, schema);
}

/** Removes events whose insert ID occurs in an earlier row. */
async function removeRepeated(connection: DuckDbConnection, schema: string): Promise<void> {
  // Equal IDs have equal hashes, which take less memory, and usually none is repeated.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE repeated AS
    SELECT hash(insert_id) AS id FROM ${schema}.events WHERE insert_id IS NOT NULL GROUP BY id HAVING count(*) > 1`,
  );
  if ((await connection.number('SELECT count(*) FROM temp.repeated')) === 0) return;
  await connection.run(
    `DELETE FROM ${schema}.events WHERE rowid IN (
      SELECT "row" FROM (
        SELECT rowid AS "row", min(rowid) OVER (PARTITION BY insert_id) AS first_row FROM ${schema}.events
        WHERE insert_id IS NOT NULL AND hash(insert_id) IN (FROM temp.repeated))
      WHERE "row" > first_row)`,
  );
}
