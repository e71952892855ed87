import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MAX_SECONDS } from '../../../lang/operators/time.ts';
import { StoreError } from '../store-error.ts';
import { addEvents } from './add-events.ts';
import { findFrequentInLists } from './census.ts';
import type { DuckDbConnection } from './database.ts';
import { isUnambiguousJson } from './is-unambiguous-json.ts';
import { quoteFile, quoteSqlString } from './quote-sql.ts';

/** An NDJSON file of events, `{"event": …, "properties": {…}}` per line, that DuckDB reads as an import does. */
export interface EventFile {
  /** SQL for its lines, in a column `json`. */
  readonly lines: string;
  /** SQL for its columns `event` and `properties`. */
  readonly events: string;
  /** SQL for the `insert_id` of each event; absent if none has one. */
  readonly ids?: string;
  /** The names of frequent properties, which may get columns. */
  readonly names: readonly string[];
  readonly count: number;
  readonly isSorted: boolean;
}

const MAX_RECORD_BYTES = 2 ** 20;

/** Errors that are not caused by the file. */
const NOT_FILE_ERROR = /^DuckDB: (?:Parser|Binder|Catalog|INTERNAL|Out of Memory|Not implemented) /;

/**
 * Matches lines that DuckDB may read differently from `JSON.parse` or from an import: words such as NaN, very large
 * numbers, trailing commas, nested lists, and a third object, which may repeat a key. Also matches inside strings.
 */
const DOUBTFUL = String.raw`[:,\[]\s*-?([iI]|[nN][aA]|[0-9.]+[eE][+]?[0-9]{3}|[0-9]{64})|,\s*[}\]]|[\[,]\s*\[|[{].*[{].*[{]`;

const IS_DOUBTFUL = `regexp_matches(json, ${quoteSqlString(DOUBTFUL)}) OR strlen(json) > ${MAX_RECORD_BYTES}`;

/** Returns a file if all its records can certainly be imported; undefined otherwise. */
export async function detectEventFile(connection: DuckDbConnection, path: string): Promise<EventFile | undefined> {
  // The file is read several times, so it cannot be a pipe.
  if (!(await stat(path)).isFile()) return undefined;
  const compression = (await isGzipped(path)) ? 'gzip' : 'uncompressed';
  const file = `${quoteFile(resolve(path))}, compression = '${compression}'`;
  const lines = `read_ndjson_objects(${file})`;
  const read = (columns: string) => `read_json(${file}, format = 'newline_delimited', columns = {${columns}})`;
  try {
    const names = await readNames(connection, lines);
    if (names === undefined || (names.doubtful > 0 && !(await areUnambiguous(connection, lines)))) return undefined;
    const facts = await readFacts(connection, read);
    if (facts?.ids !== names.ids) return undefined;
    const properties = `'properties': 'STRUCT("$insert_id" VARCHAR)'`;
    return {
      lines,
      events: read(`'event': 'VARCHAR', 'properties': 'JSON'`),
      ...(names.ids > 0 && { ids: `(SELECT properties."$insert_id" AS insert_id FROM ${read(properties)})` }),
      names: names.frequent,
      count: facts.count,
      isSorted: facts.unsorted === 0,
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

/**
 * Reads the property names of a file once and returns the number of doubtful lines and of insert IDs, and the frequent
 * names. Returns undefined if a record cannot be imported.
 */
async function readNames(connection: DuckDbConnection, lines: string) {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE lists AS
    SELECT json_keys(json) AS keys, json_keys(json, '/properties') AS names, count(*) AS records,
      count(*) FILTER (${IS_DOUBTFUL}) AS doubtful
    FROM ${lines} GROUP BY keys, names`,
  );
  // Each line must have exactly the keys `event` and `properties`, no repeated property name, and no token.
  const [row] = await connection.rows(
    `SELECT bool_and(coalesce(list_sort(keys) = ['event', 'properties']
        AND len(list_distinct(names)) = len(names) AND NOT list_contains(names, 'token'), false)),
      coalesce(sum(records), 0), coalesce(sum(doubtful), 0),
      coalesce(sum(records) FILTER (list_contains(names, '$insert_id')), 0)
    FROM temp.lists`,
  );
  const [areValid, ...counts] = row ?? [];
  const [count = 0, doubtful = 0, ids = 0] = counts.map(Number);
  if (areValid !== true) return undefined;
  return { doubtful, ids, frequent: await findFrequentInLists(connection, 'temp.lists', count) };
}

/** Returns whether all doubtful lines are unambiguous after all. */
async function areUnambiguous(connection: DuckDbConnection, lines: string): Promise<boolean> {
  const found = connection.stream(`SELECT CAST(json AS VARCHAR), strlen(json) FROM ${lines} WHERE ${IS_DOUBTFUL}`);
  for await (const rows of found) {
    if (!rows.every(([json, size]) => Number(size) <= MAX_RECORD_BYTES && isUnambiguousJson(json as string)))
      return false;
  }
  return true;
}

/**
 * Counts the records of a file, their insert IDs and those out of order. Returns undefined if one cannot be imported.
 */
async function readFacts(connection: DuckDbConnection, read: (columns: string) => string) {
  const [row] = await connection.rows(
    `SELECT count(*), count(insert_id), count(*) FILTER ("time" < earlier), bool_and(coalesce(
      "event" LIKE '"_%"' AND distinct_id LIKE '"_%"' AND "time" BETWEEN 1 AND ${MAX_SECONDS}
      AND (insert_id IS NULL OR insert_id LIKE '"_%"'), false))
    FROM (
      SELECT *, lag("time") OVER () AS earlier FROM (
        SELECT "event", properties.distinct_id, properties."$insert_id" AS insert_id,
          CASE WHEN regexp_full_match(properties."time", '[0-9]{1,10}') THEN CAST(properties."time" AS BIGINT) END AS "time"
        FROM ${read(`'event': 'JSON', 'properties': 'STRUCT("time" JSON, distinct_id JSON, "$insert_id" JSON)'`)}))`,
  );
  const [count, ids, unsorted] = (row ?? []).map(Number);
  return row?.[3] === true ? { count: count as number, ids, unsorted } : undefined;
}

/** Adds the events of a file to the table of a version. */
export async function loadEvents(connection: DuckDbConnection, schema: string, file: EventFile): Promise<void> {
  await addEvents(connection, schema, {
    from: file.events,
    own: { '"time"': 'time', distinct_id: 'distinct_id', insert_id: '$insert_id' },
    documents: { from: file.lines, json: 'json', pointer: '/properties' },
    names: file.names,
    count: file.count,
    isSorted: file.isSorted,
    ...(file.ids !== undefined && { ids: file.ids }),
  });
}
