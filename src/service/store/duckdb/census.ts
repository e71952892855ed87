import { getPromotionThreshold, MAX_COLUMNS, NOT_PROMOTED, type PropertyType } from '../promoted.ts';
import type { DuckDbConnection } from './database.ts';
import { quoteSqlString } from './quote-sql.ts';

/** Records as JSON documents that contain properties. */
export interface Documents {
  /** The SQL after `FROM`. */
  readonly from: string;
  /** The column that holds the JSON. */
  readonly json: string;
  /** The JSON pointer to the properties; empty if the document is the properties. */
  readonly pointer: string;
}

/** The kind of a JSON value: the type of a property, or an object. */
export type JsonKind = PropertyType | 'object';

/** The number of values of each kind that a property has. */
export type KindCounts = ReadonlyMap<JsonKind, number>;

/** The kinds by the results of `json_type`: https://duckdb.org/docs/stable/data/json/json_functions */
export const KINDS: ReadonlyMap<string, JsonKind> = new Map([
  ['DOUBLE', 'number'],
  ['UBIGINT', 'number'],
  ['BIGINT', 'number'],
  ['VARCHAR', 'string'],
  ['BOOLEAN', 'boolean'],
  ['NULL', 'null'],
  ['ARRAY', 'list'],
  ['OBJECT', 'object'],
]);

/**
 * Returns the names of the properties that are frequent enough to have columns, most frequent first. Only these names
 * are held in the memory of Node.js.
 *
 * @param count the number of documents
 */
export function findFrequentNames(
  connection: DuckDbConnection,
  documents: Documents,
  count: number,
): Promise<string[]> {
  const { from, json, pointer } = documents;
  const names = `(SELECT unnest(json_keys(${json}, ${quoteSqlString(pointer)})) AS "name", 1 AS records FROM ${from})`;
  return selectFrequent(connection, names, count);
}

/** Like {@link findFrequentNames}, for a table of lists of `names` and the number of `records` that have each list. */
export function findFrequentInLists(connection: DuckDbConnection, lists: string, count: number): Promise<string[]> {
  return selectFrequent(connection, `(SELECT unnest(names) AS "name", records FROM ${lists})`, count);
}

async function selectFrequent(connection: DuckDbConnection, names: string, count: number): Promise<string[]> {
  const rows = await connection.rows(
    `SELECT CAST(to_json("name") AS VARCHAR) FROM ${names}
    WHERE NOT contains("name", chr(0)) AND "name" NOT IN (${NOT_PROMOTED.map(quoteSqlString).join(', ')})
    GROUP BY "name" HAVING sum(records) >= ${getPromotionThreshold(count)}
    ORDER BY sum(records) DESC, "name" LIMIT ${MAX_COLUMNS}`,
  );
  return rows.map(([name]) => JSON.parse(name as string));
}

/** Counts the values of some properties by kind, in all documents. */
export async function countKinds(
  connection: DuckDbConnection,
  { from, json, pointer }: Documents,
  names: readonly string[],
): Promise<Map<string, KindCounts>> {
  const counts = new Map(names.map((name) => [name, new Map<JsonKind, number>()]));
  if (names.length === 0) return counts;
  const rows = await connection.rows(
    `SELECT place, found, count(*)
    FROM (SELECT unnest(types) AS found, generate_subscripts(types, 1) AS place
      FROM (SELECT json_type(${json}, ${lowerPointers(names, pointer)}) AS types FROM ${from}))
    WHERE found IS NOT NULL GROUP BY place, found`,
  );
  for (const [place, found, count] of rows) {
    const kind = KINDS.get(found as string);
    const propertyCounts = counts.get(names[Number(place) - 1] ?? '');
    if (kind === undefined || propertyCounts === undefined) throw new Error(`json_type returned ${found}`);
    propertyCounts.set(kind, (propertyCounts.get(kind) ?? 0) + Number(count));
  }
  return counts;
}

/** Returns a SQL list of JSON pointers to properties. Escapes any name. */
export function lowerPointers(names: readonly string[], pointer = ''): string {
  const pointers = names.map((name) => `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return `[${pointers.map(quoteSqlString).join(', ')}]`;
}
