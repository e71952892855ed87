/**
 * Exact conversions between doubles and decimal strings, as SQL expressions. SQLite cannot store functions, and its own
 * conversions are right for 15 digits only, in some versions (https://www.sqlite.org/floatingpoint.html). The rare numbers
 * that plain arithmetic cannot convert exactly are computed digit by digit.
 */

/** The range in which every power of ten is a double. */
const MAX_POWER = 22;

/** The smallest significand of a normal double, and the exponent of subnormal ones. */
const [SMALLEST, LOWEST] = [`${2 ** 52}`, -1074];

/** The end of a subselect that SQLite must not merge into the outer query, which would compute its columns at each use. */
export const FENCE = ' LIMIT -1 OFFSET 0';

/**
 * Returns an expression that uses values by name, as often as it needs to. Values of later records can use those of
 * earlier ones. Each is computed once. The subselects follow each other, because SQLite limits how deep they can be
 * nested.
 */
export function nestValues(values: readonly Readonly<Record<string, string>>[], body: string): string {
  const tables = values.map((record, index) => {
    const columns = Object.entries(record).map(([name, value]) => `${value} AS ${name}`);
    return index === 0
      ? `v0 AS (SELECT ${columns.join(', ')})`
      : `v${index} AS (SELECT *, ${columns.join(', ')} FROM v${index - 1}${FENCE})`;
  });
  return `(WITH ${tables.join(', ')} SELECT ${body} FROM v${values.length - 1})`;
}

/** Computes the power of ten with an exponent from 0 to 22, from integers: SQLite may read literals inexactly. */
function raiseTen(exponent: string): string {
  const power = (limited: string) => `CAST(substr('100000000000', 1, 1 + ${limited}) AS INTEGER)`;
  return `(1.0 * ${power(`min(${exponent}, 11)`)} * ${power(`max(${exponent} - 11, 0)`)})`;
}

/** Computes an integer below 2^53 times a power of ten, rounded once. */
function scale(integer: string, exponent: string): string {
  const number = `CAST(${integer} AS REAL)`;
  return `CASE WHEN ${exponent} < 0 THEN ${number} / ${raiseTen(`-${exponent}`)} ELSE ${number} * ${raiseTen(exponent)} END`;
}

/**
 * Computes an integer of at most 18 digits times a power of ten from -22 to 22, with a second double for the rest that
 * the first one loses. NULL if the sum is too close to the middle between two doubles. See T. J. Dekker, A floating-point
 * technique for extending the available precision, 1971.
 */
function scaleTwice(integer: string, exponent: string): string {
  const split = (number: string) => `134217729.0 * ${number} - (134217729.0 * ${number} - ${number})`;
  const sum = (sign: string) => `hi + (lo ${sign} hi * 1e-30)`;
  return nestValues(
    [
      { n: integer, power: raiseTen(`abs(${exponent})`) },
      { whole: 'CAST(n AS REAL)', lost: 'CAST(n - CAST(CAST(n AS REAL) AS INTEGER) AS REAL)' },
      { factor: `CASE WHEN ${exponent} < 0 THEN whole / power ELSE whole END` },
      { product: 'factor * power', fh: split('factor'), ph: split('power') },
      { fl: 'factor - fh', pl: 'power - ph' },
      { rest: '((fh * ph - product) + fh * pl + fl * ph) + fl * pl' },
      {
        hi: `CASE WHEN ${exponent} < 0 THEN factor ELSE product END`,
        lo: `CASE WHEN ${exponent} < 0 THEN ((whole - product) - rest + lost) / power ELSE rest + lost * power END`,
      },
    ],
    `CASE WHEN ${sum('-')} = ${sum('+')} THEN ${sum('+')} END`,
  );
}

/** The digits of which a multiplication takes a chunk at once, and the powers it multiplies with, so that products fit. */
const CHUNK = 9;
const [TWOS, FIVES] = [33, 14];

/**
 * The digits that a first computation keeps. Each of up to 80 multiplications makes the result too small by less than one
 * unit of the last one, so that the first `SURE` digits are right unless those behind them are all nines.
 */
const KEPT = 27;
const SURE = 20;

/** Keeps all digits. */
const ALL = 10_000;

/**
 * Writes the recursive tables of the neighbours of a positive double: `middles` has one row with
 *
 * - `v` and `u`: the significand and its unit, so that the number is `v * u`, and `even` for an even significand,
 * - `isLowest`: whether the next smaller double is at half the distance of the next larger one,
 * - `below`, `exact` and `above`: the digits of the number and of the middles between it and its neighbours, before as
 *   many zeros as `belowZeros` and so on say or, if negative, in units of ten to that power. No leading zeros, except
 *   for a middle below zero,
 * - `isCut`: whether digits are missing.
 */
function writeMiddles(number: string, kept: string): string {
  const isDone = `v < ${2 ** 53} AND (v >= ${SMALLEST} OR k = ${LOWEST})`;
  const move = (write: (bits: number, isUp: boolean) => string) => {
    const ups = [32, 4, 1].map(
      (bits) => `WHEN v < ${2 ** (53 - bits)} AND k >= ${LOWEST + bits} THEN ${write(bits, true)}`,
    );
    const downs = [32, 4, 1].map((bits) => `WHEN v / ${2 ** bits}.0 >= ${SMALLEST} THEN ${write(bits, false)}`);
    return `CASE ${[...ups, ...downs].join(' ')} END`;
  };
  const fives = Array.from({ length: FIVES }, (_, index) => `WHEN ${index + 1} THEN ${5 ** (index + 1)}`);
  const factor = `CASE WHEN k >= 2 THEN 1 << min(n, ${TWOS}) ELSE CASE min(n, ${FIVES}) ${fives.join(' ')} END END`;
  const product = `(CAST(substr(t, -${CHUNK}) AS INTEGER) * ${factor} + c)`;
  const limit = `1${'0'.repeat(CHUNK)}`;
  const inChunk = (chunk: string, otherwise: string) => `CASE WHEN t <> '' THEN ${chunk} ELSE ${otherwise} END`;
  const result = `ltrim(CASE c WHEN 0 THEN '' ELSE c END || d, '0')`;
  const pick = (w: number, column: string) => `max(CASE w WHEN ${w} THEN ${column} END)`;
  const sides = { below: -1, exact: 0, above: 1 };
  // Each row of `steps` takes a chunk of the digits `t` and writes it to `d`, with `c` to carry. `n` powers are left, and
  // `z` digits are cut off.
  return `WITH RECURSIVE parts(v, k, u) AS (SELECT ${number}, 0, 1.0 UNION ALL SELECT
  ${move((bits, isUp) => `v ${isUp ? '*' : '/'} ${2 ** bits}.0`)},
  ${move((bits, isUp) => `k ${isUp ? '-' : '+'} ${bits}`)},
  ${move((bits, isUp) => `u ${isUp ? '/' : '*'} ${2 ** bits}.0`)} FROM parts WHERE NOT (${isDone})),
sides(w) AS (SELECT -1 UNION ALL SELECT 0 UNION ALL SELECT 1),
steps(v, k, u, w, t, d, c, n, z) AS (SELECT v, k, u, w, CAST(max(4 * CAST(v AS INTEGER)
  + CASE WHEN w = -1 AND v = ${SMALLEST} AND k > ${LOWEST} THEN -1 ELSE 2 * w END, 0) AS TEXT),
  '', 0, abs(k - 2), 0 FROM parts CROSS JOIN sides WHERE ${isDone}
UNION ALL SELECT v, k, u, w,
  ${inChunk(`substr(t, 1, max(length(t) - ${CHUNK}, 0))`, `substr(${result}, 1, ${kept})`)},
  ${inChunk(`printf('%0${CHUNK}d', ${product} % ${limit}) || d`, "''")},
  ${inChunk(`${product} / ${limit}`, '0')},
  ${inChunk('n', `max(n - CASE WHEN k >= 2 THEN ${TWOS} ELSE ${FIVES} END, 0)`)},
  ${inChunk('z', `z + max(length(${result}) - ${kept}, 0)`)} FROM steps WHERE n > 0),
middles AS (SELECT max(v) AS v, max(u) AS u, max(v) = ${SMALLEST} AND max(k) > ${LOWEST} AS isLowest,
  CAST(max(v) AS INTEGER) % 2 = 0 AS even, max(z) > 0 AS isCut,
  ${Object.entries(sides)
    .map(([name, w]) => `${pick(w, 't')} AS ${name}, ${pick(w, 'z + min(k - 2, 0)')} AS ${name}Zeros`)
    .join(', ')}
  FROM steps WHERE n = 0)`;
}

/** Returns the first value that is not NULL, for the numbers `i` from 0; later values are not computed. */
function findFirst(count: number, value: string): string {
  const numbers = Array.from({ length: count }, (_, index) => `(${index})`);
  return `(WITH tries(i) AS (VALUES ${numbers.join(', ')})
SELECT y FROM (SELECT ${value} AS y FROM tries${FENCE}) WHERE y IS NOT NULL LIMIT 1)`;
}

/** How many half units SQLite's own conversion can be wrong, with a margin: 6 in SQLite 3.51. */
const OFFSETS = 8;

/**
 * Finds the nearest double to the decimal 0.DIGITS times ten to the power `magnitude`: the one near a first guess whose
 * middles to its neighbours are on both sides. NULL if that is infinite.
 */
function findNearest(guess: string): string {
  const size = (side: string) => `(length(${side}) + ${side}Zeros)`;
  const digits = (side: string) => `rtrim(${side}, '0')`;
  const isWithin = (operator: string, side: string) =>
    `(magnitude ${operator} ${size(side)} OR magnitude = ${size(side)} AND
  (digits ${operator} ${digits(side)} OR digits = ${digits(side)} AND even))`;
  const isClose = (side: string) => `substr(digits || '${'0'.repeat(SURE)}', 1, ${SURE}) = substr(${side}, 1, ${SURE})`;
  const count = 2 * OFFSETS + 1;
  const test = `(${writeMiddles('near', `CASE WHEN i < ${count} THEN ${KEPT} ELSE ${ALL} END`)} SELECT near FROM middles
WHERE NOT (isCut AND (${isClose('below')} OR ${isClose('above')}))
  AND (ltrim(below, '0') = '' OR ${isWithin('>', 'below')}) AND ${isWithin('<', 'above')})`;
  // 0, -1, 1, -2, 2 and so on. The second summand moves subnormal numbers; its literals need not be exact.
  const offset = `((i % ${count} + 1) / 2 * (i % ${count} % 2 * -2 + 1))`;
  const near = `max(guess + ${offset} * max(guess / ${2 ** 53}.0, 4e-300 * 1e-24), 0.0)`;
  const found = findFirst(2 * count, nestValues([{ near }], `CASE WHEN near < 9e999 THEN ${test} END`));
  return nestValues([{ guess: `min(${guess}, 1.797693134862315e308)` }], found);
}

/** Converts a decimal string to the nearest double; NULL if that is infinite. The string must be a decimal. */
export function parseDecimalText(decimal: string): string {
  const isShort = (length: number) => `size <= ${length} AND e BETWEEN -${MAX_POWER} AND ${MAX_POWER}`;
  const body = `CASE WHEN negative THEN -1.0 ELSE 1.0 END * CASE
  WHEN size = 0 OR magnitude < -323 THEN 0.0
  WHEN magnitude > 309 THEN NULL
  WHEN ${isShort(15)} THEN ${scale('digits', 'e')}
  ELSE coalesce(CASE WHEN ${isShort(18)} THEN ${scaleTwice('CAST(digits AS INTEGER)', 'e')} END,
    ${findNearest("CAST(digits || 'e' || e AS REAL)")})
END`;
  // A large exponent can be cancelled by many digits, but not by more than a string can have.
  const limited = (exponent: string) => `max(min(${exponent}, 4000000000), -4000000000)`;
  return nestValues(
    [
      { s: decimal },
      { negative: "substr(s, 1, 1) = '-'", a: "lower(ltrim(s, '+-'))", p: "instr(lower(s), 'e')" },
      {
        m: "CASE p WHEN 0 THEN a ELSE substr(a, 1, instr(a, 'e') - 1) END",
        x: `CASE p WHEN 0 THEN 0 ELSE ${limited('CAST(substr(s, p + 1) AS INTEGER)')} END`,
      },
      {
        z: "ltrim(replace(m, '.', ''), '0')",
        f: "CASE instr(m, '.') WHEN 0 THEN 0 ELSE length(m) - instr(m, '.') END",
      },
      { digits: "rtrim(z, '0')", size: "length(rtrim(z, '0'))", magnitude: 'length(z) + x - f' },
      { e: 'magnitude - size' },
    ],
    body,
  );
}

/** Writes the shortest digits that parse to the positive double `x`; of several such decimals, the nearest. */
function writeShortest(): string {
  const pad = (side: string) =>
    `substr('00', 1, length(above) + aboveZeros - length(${side}) - ${side}Zeros) || ${side}`;
  const start = (side: string) => `CAST(substr(${side}, 1, j) AS INTEGER)`;
  const rest = (side: string) => `rtrim(substr(${side}, j + 1), '0')`;
  const isDownIn = `(${start('e')} > ${start('l')} OR ${start('e')} = ${start('l')} AND even AND ${rest('l')} = '')`;
  const isUpIn = `(${start('e')} + 1 < ${start('h')} OR ${start('e')} + 1 = ${start('h')} AND (even OR ${rest('h')} <> ''))`;
  const isDownNearer = `(${rest('e')} < '5' OR ${rest('e')} = '5' AND ${start('e')} % 2 = 0)`;
  const shortest = `CASE WHEN ${isDownIn} AND (${isDownNearer} OR NOT ${isUpIn}) THEN ${start('e')}
  WHEN ${isUpIn} THEN ${start('e')} + 1 END`;
  const isUnsure = (side: string) =>
    `trim(substr(${side}, ${SURE}, 6), '0') = '' OR trim(substr(${side}, ${SURE}, 6), '9') = ''`;
  return findFirst(
    2,
    `(${writeMiddles('x', `CASE i WHEN 0 THEN ${KEPT} ELSE ${ALL} END`)},
padded AS (SELECT ${pad('below')} AS l, ${pad('exact')} AS e, above AS h, even, aboveZeros FROM middles
  WHERE NOT (isCut AND (${['below', 'exact', 'above'].map(isUnsure).join(' OR ')}))${FENCE}),
lengths(j) AS (SELECT 1 UNION ALL SELECT j + 1 FROM lengths WHERE j < 18),
found(r, p) AS (SELECT ${shortest}, length(h) - j + aboveZeros FROM padded CROSS JOIN lengths${FENCE})
SELECT ${spellOut('r', 'p')} FROM found WHERE r IS NOT NULL LIMIT 1)`,
  );
}

/** Writes a positive integer times a power of ten without an exponent. */
function spellOut(integer: string, exponent: string): string {
  const zeros = (count: string) => `replace(hex(zeroblob(${count})), '00', '0')`;
  return nestValues(
    [
      { t: `CAST(${integer} AS TEXT)`, p: exponent },
      { d: "rtrim(t, '0')", q: "p + length(t) - length(rtrim(t, '0'))" },
      { n: 'length(d) + q' },
    ],
    `CASE WHEN q >= 0 THEN d || ${zeros('q')}
  WHEN n > 0 THEN substr(d, 1, n) || '.' || substr(d, n + 1)
  ELSE '0.' || ${zeros('-n')} || d END`,
  );
}

/** Writes a finite number as decimal text of the language: the shortest digits that parse to it, without an exponent. */
export function writeDecimal(number: string): string {
  // Fifteen digits are right if they parse to the number: all such decimals are different doubles.
  const fifteen = nestValues(
    [
      { s: "printf('%.14e', x)" },
      { t: "rtrim(replace(substr(s, 1, 16), '.', ''), '0')", q: 'CAST(substr(s, 18) AS INTEGER)' },
      { i: 'CAST(t AS INTEGER)', e: 'q + 1 - length(t)' },
    ],
    `CASE WHEN e BETWEEN -${MAX_POWER} AND ${MAX_POWER} THEN CASE WHEN ${scale('i', 'e')} = x THEN ${spellOut('i', 'e')} END END`,
  );
  return nestValues(
    [{ y: `CAST(${number} AS REAL)` }, { x: 'abs(y)' }],
    `CASE WHEN x = 0 THEN '0' WHEN x < ${2 ** 53} AND x = CAST(x AS INTEGER) THEN CAST(CAST(y AS INTEGER) AS TEXT)
ELSE CASE WHEN y < 0 THEN '-' ELSE '' END || coalesce(${fifteen}, ${writeShortest()}) END`,
  );
}
