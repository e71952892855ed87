import { getPromotionThreshold, MAX_COLUMNS, NOT_PROMOTED, type PropertyType } from '../promoted.ts';
import type { DuckDbConnection } from './database.ts';
import { quoteSqlString } from './quote-sql.ts';

/** JSON that has properties in it. */
export interface Documents {
  /** What stands behind `FROM`. */
  readonly from: string;
  /** The column with the JSON. */
  readonly json: string;
  /** The way to the properties in it: empty where it is the properties. */
  readonly pointer: string;
}

/** What a value is: what types of properties there are, and objects, which are none. */
export type JsonKind = PropertyType | 'object';

/** How many values of each kind a property has. */
export type KindCounts = ReadonlyMap<JsonKind, number>;

/** What `json_type` calls them: https://duckdb.org/docs/stable/data/json/json_functions */
const KINDS: ReadonlyMap<unknown, JsonKind> = new Map([
  ['DOUBLE', 'number'],
  ['UBIGINT', 'number'],
  ['BIGINT', 'number'],
  ['VARCHAR', 'string'],
  ['BOOLEAN', 'boolean'],
  ['NULL', 'null'],
  ['ARRAY', 'list'],
  ['OBJECT', 'object'],
]);

/** The names of the properties that are in enough documents to have columns, the most frequent first. However many names there are, few are in memory here. */
export function findFrequentNames(
  connection: DuckDbConnection,
  documents: Documents,
  count: number,
): Promise<string[]> {
  const { from, json, pointer } = documents;
  const names = `(SELECT unnest(json_keys(${json}, ${quoteSqlString(pointer)})) AS "name", 1 AS records FROM ${from})`;
  return mostFrequent(connection, names, count);
}

/** As {@link findFrequentNames}, from a table of the lists of `names` that documents have, and how many `records` have each. */
export function findFrequentInLists(connection: DuckDbConnection, lists: string, count: number): Promise<string[]> {
  return mostFrequent(connection, `(SELECT unnest(names) AS "name", records FROM ${lists})`, count);
}

async function mostFrequent(connection: DuckDbConnection, names: string, count: number): Promise<string[]> {
  const rows = await connection.rows(
    `SELECT CAST(to_json("name") AS VARCHAR) FROM ${names}
    WHERE NOT contains("name", chr(0)) AND "name" NOT IN (${NOT_PROMOTED.map(quoteSqlString).join(', ')})
    GROUP BY "name" HAVING sum(records) >= ${getPromotionThreshold(count)}
    ORDER BY sum(records) DESC, "name" LIMIT ${MAX_COLUMNS}`,
  );
  return rows.map(([name]) => JSON.parse(name as string));
}

/** What the values of some properties are, in all documents. */
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
    const kind = KINDS.get(found);
    const own = counts.get(names[Number(place) - 1] ?? '');
    if (kind === undefined || own === undefined) throw new Error(`json_type answers ${found}`);
    own.set(kind, (own.get(kind) ?? 0) + Number(count));
  }
  return counts;
}

/** A list of the ways to properties. They take every name as it is. */
export function lowerPointers(names: readonly string[], pointer = ''): string {
  const pointers = names.map((name) => `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return `[${pointers.map(quoteSqlString).join(', ')}]`;
}
