import { MAX_SECONDS } from '../../../lang/operators/time.ts';
import { NOT_PROMOTED } from '../promoted.ts';
import { type JsonKind, KINDS, type KindCounts, lowerPointers } from './census.ts';
import type { DuckDbConnection } from './database.ts';
import { quoteSqlString } from './quote-sql.ts';

/** The properties in the first lines of a file: their names, and the results of `json_type` for their values. */
export type ExpectedProperties = ReadonlyMap<string, readonly string[]>;

/** The result of examining all lines of a file. */
export interface LineSurvey {
  readonly count: number;
  /** Whether each line has an event, a `distinct_id`, a time and no or one `$insert_id`, all of them valid. */
  readonly isValid: boolean;
  /** The number of lines with an `$insert_id`. */
  readonly ids: number;
  /** The values of the expected properties in clear lines, which have no others. */
  readonly kinds: ReadonlyMap<string, KindCounts>;
  /** The number of lines that are not clear: those with other names or types, and those that are doubtful. */
  readonly unclear: number;
  /** SQL for these lines, in a column `json`. */
  readonly unclearLines: string;
}

/** The number of lines that show what to expect. */
const FIRST_LINES = 2_000;

/** The maximum number of names to expect, because each is looked up in every line. */
const MAX_EXPECTED = 256;

export const MAX_RECORD_BYTES = 2 ** 20;

/**
 * Matches lines that DuckDB may read differently from `JSON.parse` or from an import: words such as NaN, very large
 * numbers, trailing commas, nested lists, and a third object, which may repeat a key. Also matches inside strings.
 */
const DOUBTFUL = String.raw`[:,\[]\s*-?([iI]|[nN][aA]|[0-9.]+[eE][+]?[0-9]{3}|[0-9]{64})|,\s*[}\]]|[\[,]\s*\[|[{].*[{].*[{]`;

export const IS_DOUBTFUL = `(regexp_matches(json, ${quoteSqlString(DOUBTFUL)}) OR strlen(json) > ${MAX_RECORD_BYTES})`;

/** The only doubt about lines without nested values and with finite numbers. It is found in a sixth of the time. */
const IS_FLAT_DOUBTFUL = String.raw`(regexp_matches(json, ',\s*[}\]]') OR strlen(json) > ${MAX_RECORD_BYTES})`;

const WHOLE = ['UBIGINT', 'BIGINT'];
const NESTED = ['ARRAY', 'OBJECT'];

/** Reads from the first lines of a file what to expect, and whether they are sorted by time. */
export async function readFirstLines(
  connection: DuckDbConnection,
  lines: string,
): Promise<{ readonly expected: ExpectedProperties; readonly isSorted: boolean }> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE first_lines AS SELECT json, row_number() OVER () AS line FROM ${lines} LIMIT ${FIRST_LINES}`,
  );
  const unsorted = await connection.number(
    `SELECT count(*) FILTER ("time" < earlier) FROM (
      SELECT "time", lag("time") OVER (ORDER BY line) AS earlier
      FROM (SELECT TRY_CAST(json_extract_string(json, '/properties/time') AS BIGINT) AS "time", line FROM temp.first_lines))`,
  );
  const rows = await connection.rows(
    `SELECT CAST(to_json("name") AS VARCHAR), string_agg(DISTINCT found) FROM (
      SELECT "name", json_type(json, '/properties/' || replace(replace("name", '~', '~0'), '/', '~1')) AS found
      FROM (SELECT json, unnest(json_keys(json, '/properties')) AS "name" FROM temp.first_lines)
      WHERE NOT contains("name", chr(0)) AND "name" NOT IN (${['token', ...NOT_PROMOTED].map(quoteSqlString).join(', ')}))
    GROUP BY "name" ORDER BY count(*) DESC, "name" LIMIT ${MAX_EXPECTED}`,
  );
  const expected = new Map(
    rows.map(([name, found]) => [JSON.parse(name as string) as string, String(found ?? '').split(',')] as const),
  );
  return { expected, isSorted: unsorted === 0 };
}

/**
 * Examines all lines in one scan.
 *
 * A line is clear if it has only expected properties with expected types, no key twice, and nothing that DuckDB may
 * read differently. As many properties with expected names as keys means that no key is repeated or unexpected.
 *
 * @param lines SQL after `FROM` for lines in a column `json`
 */
export async function surveyLines(
  connection: DuckDbConnection,
  lines: string,
  expected: ExpectedProperties,
): Promise<LineSurvey> {
  const examined = lowerExamined(lines, expected);
  const columns = [...expected].flatMap(([, types], index) => {
    const type = getTypeColumn(index);
    const others = listKinds(types).slice(1);
    return [
      `count(${type}) FILTER (is_clear)`,
      ...others.map((kind) => `count(*) FILTER (is_clear AND ${type} IN (${quoteAll(getTypesOf(kind))}))`),
    ];
  });
  const [row = []] = await connection.rows(
    `SELECT count(*), bool_and(is_valid), count(insert_id), count(*) FILTER (NOT is_clear)${columns.map((sql) => `, ${sql}`).join('')}
    FROM ${examined}`,
  );
  const [count = 0, , ids = 0, unclear = 0, ...counts] = row.map(Number);
  const kinds = [...expected].map(([name, types]) => {
    const [first, ...others] = listKinds(types);
    const all = counts.shift() ?? 0;
    const found = others.map((kind) => [kind, counts.shift() ?? 0] as const);
    const rest = found.reduce((left, [, records]) => left - records, all);
    return [
      name,
      new Map([[first as JsonKind, rest] as const, ...found].filter(([, records]) => records > 0)),
    ] as const;
  });
  return {
    count,
    isValid: row[1] === true,
    ids,
    kinds: new Map(kinds),
    unclear,
    unclearLines: `(SELECT json FROM ${examined} WHERE NOT is_clear)`,
  };
}

/** Returns SQL for lines with `is_valid`, `is_clear`, `insert_id`, and the type of each expected property. */
function lowerExamined(lines: string, expected: ExpectedProperties): string {
  const names = [...expected.keys()];
  const fractions = names.filter((name) => expected.get(name)?.includes('DOUBLE'));
  const own = ['/properties/distinct_id', '/properties/time', '/properties/$insert_id'];
  const pointers = (found: readonly string[]) =>
    `['/event', ${own.map(quoteSqlString).join(', ')}]${found.length === 0 ? '' : ` || ${lowerPointers(found, '/properties')}`}`;
  const start = own.length + 2;
  const read = `SELECT json, json_keys(json, ['', '/properties']) AS keys, json_type(json, ${pointers(names)}) AS types,
      json_extract_string(json, ${pointers(fractions)}) AS texts
    FROM ${lines}`;
  const typed = `SELECT *, texts[4] AS insert_id${names.map((_, index) => `, types[${start + index}] AS ${getTypeColumn(index)}`).join('')} FROM (${read})`;
  const isValid = [
    `types[1] = 'VARCHAR' AND texts[1] <> ''`,
    `types[2] = 'VARCHAR' AND texts[2] <> ''`,
    `types[3] = 'UBIGINT' AND TRY_CAST(texts[3] AS BIGINT) BETWEEN 1 AND ${MAX_SECONDS}`,
    `(types[4] IS NULL OR (types[4] = 'VARCHAR' AND insert_id <> ''))`,
  ];
  const nested = [...expected].flatMap(([, types], index) =>
    types.some((type) => NESTED.includes(type)) ? [`${getTypeColumn(index)} IN (${quoteAll(NESTED)})`] : [],
  );
  const isDoubtful =
    nested.length === 0
      ? IS_FLAT_DOUBTFUL
      : `CASE WHEN ${nested.join(' OR ')} THEN ${IS_DOUBTFUL} ELSE ${IS_FLAT_DOUBTFUL} END`;
  const isClear = [
    `len(keys[1]) = 2 AND len(keys[2]) + 1 = list_count(types) AND NOT ${isDoubtful}`,
    ...[...expected].map(([, types], index) => {
      const type = getTypeColumn(index);
      return `(${type} IS NULL OR ${type} IN (${quoteAll(listKinds(types).flatMap((kind) => (kind === 'number' && !types.includes('DOUBLE') ? WHOLE : getTypesOf(kind))))}))`;
    }),
    ...fractions.map((name, index) => {
      const number = `TRY_CAST(texts[${start + index}] AS DOUBLE)`;
      return `(${getTypeColumn(names.indexOf(name))} IS DISTINCT FROM 'DOUBLE' OR isfinite(${number}))`;
    }),
  ];
  return `(SELECT *, coalesce(${isValid.join(' AND ')}, false) AS is_valid, coalesce(${isClear.join(' AND ')}, false) AS is_clear
    FROM (${typed}))`;
}

/** Returns the kinds that an expected property may have. Any may be null. */
function listKinds(types: readonly string[]): readonly JsonKind[] {
  return [...new Set([...types.map((type) => KINDS.get(type) as JsonKind), 'null' as const])];
}

function getTypesOf(kind: JsonKind): string[] {
  return [...KINDS].flatMap(([type, one]) => (one === kind ? [type] : []));
}

function getTypeColumn(index: number): string {
  return `type_${index}`;
}

function quoteAll(texts: readonly string[]): string {
  return texts.map(quoteSqlString).join(', ');
}
