import { MAX_SECONDS } from '../../../lang/operators/time.ts';
import { NOT_PROMOTED } from '../promoted.ts';
import { type JsonKind, KINDS, type KindCounts, lowerPointers } from './census.ts';
import type { DuckDbConnection } from './database.ts';
import { quoteSqlString } from './quote-sql.ts';

/** The properties in the first lines of a file: their names, and the kinds of their values. */
export type ExpectedProperties = ReadonlyMap<string, readonly JsonKind[]>;

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

/** SQL for whether a line is longer than a record may be. */
export const IS_TOO_LONG = `strlen(json) > ${2 ** 20}`;

/**
 * Matches lines that DuckDB may read differently from `JSON.parse` or from an import: words such as NaN, very large
 * numbers, trailing commas, nested lists, and a third object, which may repeat a key. Also matches inside strings.
 */
const DOUBTFUL = String.raw`[:,\[]\s*-?([iI]|[nN][aA]|[0-9.]+[eE][+]?[0-9]{3}|[0-9]{64})|,\s*[}\]]|[\[,]\s*\[|[{].*[{].*[{]`;

export const IS_DOUBTFUL = `(regexp_matches(json, ${quoteSqlString(DOUBTFUL)}) OR ${IS_TOO_LONG})`;

/** Both objects end at the end of the line, and nothing precedes their ends that may be a trailing comma. */
const ENDS_PLAINLY = [
  `keys[1][2] = 'properties' AND ends_with(json, '}}')`,
  ...["','", "' '", 'chr(9)', 'chr(13)'].map((character) => `NOT ends_with(json, ${character} || '}}')`),
].join(' AND ');

/**
 * The only doubt about lines without nested values and with finite numbers: a trailing comma. Most lines show at their
 * end that they have none.
 */
const IS_FLAT_DOUBTFUL = String.raw`(CASE WHEN ${ENDS_PLAINLY} THEN false ELSE regexp_matches(json, ',\s*[}\]]') END OR ${IS_TOO_LONG})`;

const NESTED: readonly JsonKind[] = ['list', 'object'];

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
    rows.map(([name, found]) => [
      JSON.parse(name as string) as string,
      [
        ...new Set(
          String(found)
            .split(',')
            .map((type) => KINDS.get(type) as JsonKind),
        ),
      ],
    ]),
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
  const counted = [...expected].map(([name, kinds], index) => ({
    name,
    value: getValueColumn(index),
    // All values that are of no other kind are of the first.
    others: [...new Set([...kinds, 'null' as const])].slice(1),
    first: kinds[0] ?? 'null',
  }));
  const columns = counted.flatMap(({ value, others }) => [
    `count(${value}) FILTER (is_clear)`,
    ...others.map((kind) => `count(*) FILTER (is_clear AND ${lowerIsKind(kind, value)})`),
  ]);
  const [row = []] = await connection.rows(
    `SELECT ${['count(*)', 'bool_and(is_valid)', 'count(insert_id)', 'count(*) FILTER (NOT is_clear)', ...columns].join(', ')}
    FROM ${examined}`,
  );
  const [count = 0, , ids = 0, unclear = 0, ...counts] = row.map(Number);
  const kinds = counted.map(({ name, first, others }) => {
    const all = counts.shift() ?? 0;
    const found = others.map((kind) => [kind, counts.shift() ?? 0] as const);
    const rest = found.reduce((left, [, records]) => left - records, all);
    return [name, new Map([[first, rest] as const, ...found].filter(([, records]) => records > 0))] as const;
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

const OWN = ['/event', '/properties/distinct_id', '/properties/time', '/properties/$insert_id'];

/**
 * Returns SQL for lines with `is_valid`, `is_clear`, `insert_id`, and the JSON of each expected property. Each function
 * that reads JSON parses the line again, so there are only two.
 */
function lowerExamined(lines: string, expected: ExpectedProperties): string {
  const names = [...expected.keys()];
  const pointers = `[${quoteAll(OWN)}]${names.length === 0 ? '' : ` || ${lowerPointers(names, '/properties')}`}`;
  const read = `SELECT json, json_keys(json, ['', '/properties']) AS keys,
      CAST(json_extract(json, ${pointers}) AS VARCHAR[]) AS found
    FROM ${lines}`;
  const values = ['"event"', 'distinct_id', '"time"', 'insert_id', ...names.map((_, index) => getValueColumn(index))];
  const valued = `SELECT *, ${values.map((column, index) => `found[${index + 1}] AS ${column}`).join(', ')} FROM (${read})`;
  const isName = (value: string) => `starts_with(${value}, '"') AND ${value} <> '""'`;
  const isValid = [
    isName('"event"'),
    isName('distinct_id'),
    // The cast alone would round fractions.
    `TRY_CAST("time" AS BIGINT) BETWEEN 1 AND ${MAX_SECONDS} AND NOT contains("time", '.') AND NOT contains(lower("time"), 'e')`,
    `(insert_id IS NULL OR (${isName('insert_id')}))`,
  ];
  const nested = [...expected].flatMap(([, kinds], index) =>
    NESTED.filter((kind) => kinds.includes(kind)).map((kind) => lowerIsKind(kind, getValueColumn(index))),
  );
  const isDoubtful =
    nested.length === 0
      ? IS_FLAT_DOUBTFUL
      : `CASE WHEN ${nested.join(' OR ')} THEN ${IS_DOUBTFUL} ELSE ${IS_FLAT_DOUBTFUL} END`;
  const isClear = [
    // Without repeated and unexpected keys, there are as many keys as values.
    `len(keys[1]) = 2 AND len(keys[2]) + 1 = list_count(found) AND NOT ${isDoubtful}`,
    ...[...expected].map(([, kinds], index) => {
      const value = getValueColumn(index);
      const cases = [...kinds.map((kind) => lowerIsKind(kind, value)), `${value} IS NULL`, lowerIsKind('null', value)];
      return `CASE ${cases.map((condition) => `WHEN ${condition} THEN true`).join(' ')} ELSE false END`;
    }),
  ];
  return `(SELECT *, coalesce(${isValid.join(' AND ')}, false) AS is_valid, coalesce(${isClear.join(' AND ')}, false) AS is_clear
    FROM (${valued}))`;
}

/** Returns SQL for whether a value, as JSON, is of a kind. Numbers beyond doubles and words such as NaN are of none. */
function lowerIsKind(kind: JsonKind, json: string): string {
  switch (kind) {
    case 'string':
      return `starts_with(${json}, '"')`;
    case 'list':
      return `starts_with(${json}, '[')`;
    case 'object':
      return `starts_with(${json}, '{')`;
    case 'boolean':
      return `(${json} = 'true' OR ${json} = 'false')`;
    case 'null':
      return `${json} = 'null'`;
    case 'number':
      return `isfinite(TRY_CAST(${json} AS DOUBLE))`;
  }
}

function getValueColumn(index: number): string {
  return `value_${index}`;
}

function quoteAll(texts: readonly string[]): string {
  return texts.map(quoteSqlString).join(', ');
}
