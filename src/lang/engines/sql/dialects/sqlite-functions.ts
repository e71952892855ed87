import { FENCE, nestValues, parseDecimalText, writeDecimal } from './sqlite-numbers.ts';

/**
 * The functions that other dialects create in the database, as SQL expressions: SQLite cannot store functions. They take
 * and return NULL for undefined.
 */

const LINE = 'char(10)';

/** Tests for a double that an integer of SQLite holds exactly, so that `CAST` truncates it. All others are whole. */
function isSmall(number: string): string {
  return `${number} BETWEEN -4503599627370496 AND 4503599627370496`;
}

function truncate(number: string): string {
  return `CAST(${number} AS INTEGER)`;
}

/** Rounds down. The built-in `floor` and `ceil` are missing if SQLite was compiled without them. */
export function roundDown(number: string): string {
  return nestValues(
    [{ x: number }],
    `CASE WHEN ${isSmall('x')} THEN 1.0 * ${truncate('x')} - (x < ${truncate('x')}) ELSE x END`,
  );
}

/** Rounds up. */
export function roundUp(number: string): string {
  return nestValues(
    [{ x: number }],
    `CASE WHEN ${isSmall('x')} THEN 1.0 * ${truncate('x')} + (x > ${truncate('x')}) ELSE x END`,
  );
}

/** The built-in `round` adds a half, which is wrong for 0.49999999999999994. */
export function roundHalves(number: string): string {
  const whole = `1.0 * ${truncate('x')}`;
  return nestValues(
    [{ x: number }],
    `CASE WHEN ${isSmall('x')} THEN ${whole} + CASE WHEN abs(x - ${truncate('x')}) < 0.5 THEN 0 WHEN x < 0 THEN -1 ELSE 1 END ELSE x END`,
  );
}

/** The operator `%` truncates its operands. A long division is exact: each difference is that of numbers close to each other. */
export function divideWithRest(dividend: string, divisor: string): string {
  const isWhole = (number: string) => `${number} = ${truncate(number)}`;
  return nestValues(
    [{ x: dividend, y: divisor }],
    `CASE WHEN y = 0 OR NOT abs(x) < 9e999 THEN NULL WHEN abs(x) < abs(y) THEN x
WHEN ${isSmall('x')} AND ${isWhole('x')} AND ${isWhole('y')} THEN 1.0 * (${truncate('x')} % ${truncate('y')})
ELSE CASE WHEN x < 0 THEN -1.0 ELSE 1.0 END * (WITH RECURSIVE
doubled(d) AS (SELECT abs(y) UNION ALL SELECT 2 * d FROM doubled WHERE 2 * d <= abs(x)),
reduced(r, d) AS (SELECT abs(x), max(d) FROM doubled
  UNION ALL SELECT CASE WHEN r < d THEN r ELSE r - d END, d / 2 FROM reduced WHERE d >= abs(y))
SELECT r FROM reduced WHERE d < abs(y)) END`,
  );
}

/** Parses a string as a decimal. U+0000 ends a string for `GLOB`. */
export function parseNumberText(string: string): string {
  const isDigits = (digits: string) => `${digits} GLOB '[0-9]*' AND NOT ${digits} GLOB '*[^0-9]*'`;
  const withoutSign = (decimal: string) =>
    `CASE WHEN substr(${decimal}, 1, 1) IN ('+', '-') THEN substr(${decimal}, 2) ELSE ${decimal} END`;
  return nestValues(
    [
      { t: string },
      { a: withoutSign('t') },
      { p: "instr(lower(a), 'e')" },
      { m: 'CASE p WHEN 0 THEN a ELSE substr(a, 1, p - 1) END', b: "CASE p WHEN 0 THEN '0' ELSE substr(a, p + 1) END" },
      { x: withoutSign('b') },
    ],
    `CASE WHEN m GLOB '*[0-9]*' AND NOT m GLOB '*[^0-9.]*' AND NOT m GLOB '*.*.*' AND ${isDigits('x')} AND instr(t, char(0)) = 0
THEN ${parseDecimalText('t')} END`,
  );
}

/** Parses a string like `datetime` of the language. */
export function parseTimeText(string: string): string {
  const [hour, minute] = ['[0-2][0-9]', '[0-5][0-9]'];
  const isHour = (text: string) => `${text} < '24'`;
  const zoneSeconds = `CASE WHEN length(z) < 6 THEN 0 ELSE CASE substr(z, 1, 1) WHEN '-' THEN -60 ELSE 60 END
  * (60 * CAST(substr(z, 2, 2) AS INTEGER) + CAST(substr(z, 5, 2) AS INTEGER)) END`;
  const clockSeconds = `CASE c WHEN '' THEN 0 ELSE 3600 * CAST(substr(c, 1, 2) AS INTEGER) + 60 * CAST(substr(c, 4, 2) AS INTEGER)
  + CAST(substr(c, 7, 2) AS INTEGER) END`;
  const isClock = `(length(t) = 10 OR substr(t, 11, 1) IN ('T', ' ') AND c GLOB '${hour}:${minute}:${minute}' AND ${isHour('c')})`;
  const isFraction = `(f = '' OR f GLOB '.[0-9]*' AND NOT substr(f, 2) GLOB '*[^0-9]*')`;
  return nestValues(
    [
      { t: string },
      { d: 'substr(t, 1, 10)', c: 'substr(t, 12, 8)', r: 'substr(t, 20)' },
      {
        z: `CASE WHEN substr(r, -1) = 'Z' THEN 'Z'
  WHEN substr(r, -6) GLOB '[+-]${hour}:${minute}' AND ${isHour('substr(r, -5)')} THEN substr(r, -6) ELSE '' END`,
      },
      { f: 'substr(r, 1, length(r) - length(z))' },
    ],
    // `date` moves a day that does not exist into the next month.
    `CASE WHEN d GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]' AND ${isClock} AND ${isFraction} AND instr(t, char(0)) = 0
  AND date(d) = d THEN 1.0 * (unixepoch(d) + ${clockSeconds} - ${zoneSeconds}) END`,
  );
}

/** Reads a number as a time: seconds, or milliseconds if it is large. */
export function readTime(number: string): string {
  return nestValues(
    [{ n: number }],
    `CASE WHEN n >= 1 THEN ${roundDown('CASE WHEN n <= 4294967295 THEN n ELSE n / 1000.0 END')} END`,
  );
}

/** Parses the JSON of a number. SQLite reads integers of 64 bits exactly. */
export function readJsonNumber(value: string, json: string): string {
  return `CASE typeof(${value}) WHEN 'integer' THEN CAST(${value} AS REAL) ELSE ${parseDecimalText(json)} END`;
}

/**
 * Converts a JSON list to the JSON list of its element keys. Each key has its own line, so that a search for a line
 * finds it: JSON writes the line breaks of strings as `\n`.
 */
export function readKeys(list: string): string {
  const number = `CASE WHEN typeof(value) = 'integer' AND ${isSmall('value')} THEN CAST(value AS TEXT)
  ELSE ${writeDecimal(readJsonNumber('value', 'list -> key'))} END`;
  const key = `CASE type WHEN 'text' THEN '"' || value WHEN 'integer' THEN ${number} WHEN 'real' THEN ${number}
  WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' WHEN 'null' THEN 'null' END`;
  return nestValues(
    [{ list }],
    `CASE json_type(list) WHEN 'array' THEN (SELECT coalesce('[' || ${LINE} || group_concat(line, ${LINE} || ',' || ${LINE} ORDER BY place) || ${LINE} || ']', '[]')
FROM (SELECT json_quote(${key}) AS line, key AS place FROM json_each(list)${FENCE}) WHERE line <> 'null') END`,
  );
}

/** Tests whether a list of {@link readKeys} has a key. */
export function hasKey(list: string, key: string): string {
  return `instr(${list}, ${LINE} || json_quote(${key}) || ${LINE}) > 0`;
}

/** Returns the distinct segment names of a list of {@link readKeys}, as a JSON list. `substr` ends a string at U+0000. */
export function nameKeys(list: string): string {
  return nestValues(
    [{ list }],
    `(SELECT json_group_array(DISTINCT CASE WHEN substr(value, 1, 1) = '"' THEN CAST(substr(CAST(value AS BLOB), 2) AS TEXT) ELSE value END) FROM json_each(list))`,
  );
}
