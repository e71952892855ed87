/**
 * The functions that the SQL for ClickHouse calls. The server inlines each call, so an operand that a function uses
 * twice would be computed twice: `arrayMap(name -> …, [operand])[1]` computes it once. The server also evaluates both
 * branches of an `if` for all rows. `arrayMap` avoids that with an array that is empty for most rows.
 * https://clickhouse.com/docs/sql-reference/statements/create/function
 */
export const CLICKHOUSE_SETUP: readonly string[] = [
  // Every string that ClickHouse parses is a decimal or not finite. Fast parsing gets the last digits wrong.
  // https://clickhouse.com/docs/operations/settings/formats#precise_float_parsing
  define('decimal', '(text)', `toFloat64OrNull(text) + ${requireSetting('precise_float_parsing')}`),

  // The database writes the shortest digits, with an exponent from 1e21 and below 1e-6.
  define(
    'spelled',
    '(text)',
    `if(position(text, 'e') = 0, text, arrayMap(t -> arrayMap((sign, digits, power) ->
  if(power > 0, concat(sign, rightPad(digits, power + 1, '0')), concat(sign, '0.', repeat('0', -power - 1), digits)),
  [if(startsWith(t, '-'), '-', '')], [replaceRegexpAll(t, 'e.*|[-.]', '')], [toInt32OrZero(extract(t, 'e(.*)'))])[1],
  if(position(text, 'e') = 0, [], [text]))[1])`,
  ),

  // The database rounds halves to even.
  // https://clickhouse.com/docs/sql-reference/functions/rounding-functions#round
  define('round', '(number)', 'arrayMap(n -> trunc(n) + if(abs(n - trunc(n)) >= 0.5, sign(n), 0), [number])[1]'),

  // `a % b` is a - trunc(a / b) * b, which is exact if both are whole and below 2^53. Otherwise, both are integers times
  // a power of two, and the power of a is not below that of b. The difference is shifted in, 200 bits at a time.
  define(
    'remainder',
    '(dividend, divisor)',
    `arrayMap((a, b) -> multiIf(
  NOT isFinite(a) OR NOT isFinite(b) OR b = 0, NULL,
  abs(a) < 9007199254740992. AND abs(b) < 9007199254740992. AND trunc(a) = a AND trunc(b) = b, a % b,
  abs(a) < abs(b), a,
  arrayMap((x, y, shift) -> sign(a) * (abs(b) / y) * toFloat64(arrayFold(
    (rest, bits) -> bitShiftLeft(rest, bits) % toUInt256(y),
    arrayPushBack(arrayWithConstant(intDiv(shift, 200), 200), shift % 200), toUInt256(x % y))),
    [onwhere_significand(a)], [onwhere_significand(b)], [toUInt16(onwhere_exponent(a) - onwhere_exponent(b))])[1]),
  [ifNull(dividend, nan)], [ifNull(divisor, nan)])[1]`,
  ),
  define('exponent', '(number)', 'greatest(bitAnd(bitShiftRight(reinterpretAsUInt64(number), 52), 2047), 1)'),
  define(
    'significand',
    '(number)',
    `bitAnd(reinterpretAsUInt64(number), 4503599627370495)
  + if(bitAnd(reinterpretAsUInt64(number), 9218868437237405311) > 4503599627370495, 4503599627370496, 0)`,
  ),

  define('seconds', '(number)', 'arrayMap(n -> if(n < 1, NULL, floor(if(n <= 4294967295, n, n / 1000))), [number])[1]'),
  define(
    'time',
    '(text)',
    `if(onwhere_is_time(text), arrayMap(t -> arrayMap((year, month, day) -> if(
  day BETWEEN 1 AND multiIf(month = 2, 28 + (year % 4 = 0 AND (year % 100 != 0 OR year % 400 = 0)), month IN (4, 6, 9, 11), 30, 31),
  onwhere_day(year - (month < 3), month, day) * 86400. + toInt32OrZero(substring(t, 12, 2)) * 3600
    + toInt32OrZero(substring(t, 15, 2)) * 60 + toInt32OrZero(substring(t, 18, 2)) - if(substring(t, -3, 1) = ':' AND substring(t, -6, 1) != ':',
    (toInt32OrZero(substring(t, -5, 2)) * 60 + toInt32OrZero(substring(t, -2))) * if(substring(t, -6, 1) = '-', -60, 60), 0),
  NULL), [toInt32OrZero(substring(t, 1, 4))], [toInt32OrZero(substring(t, 6, 2))], [toInt32OrZero(substring(t, 9, 2))])[1],
  if(onwhere_is_time(text), [text], []))[1], NULL)`,
  ),
  define(
    'is_time',
    '(text)',
    `match(ifNull(text, ''), '^[0-9]{4}-(0[1-9]|1[0-2])-[0-9]{2}([T ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?)?$')`,
  ),
  // Days since 1970. The year begins in March.
  define(
    'day',
    '(year, month, day)',
    '365 * year + floor(year / 4) - floor(year / 100) + floor(year / 400) + intDiv(153 * ((month + 9) % 12) + 2, 5) + day - 719469',
  ),

  // The JSON of a property, and its content: the characters of a string, or the JSON of any other value. Both are empty
  // if the property is missing. The parser rejects a whole object for one number that is too large. In that case,
  // integers get an exponent, and numbers too large for a double become an object, which is undefined as well.
  // https://clickhouse.com/docs/sql-reference/functions/json-functions
  define('property', '(json, name)', generateExtraction('JSONExtractRaw')),
  define('content', '(json, name)', generateExtraction('JSONExtractString')),
  // Formats JSON like the two above. The parser only rejects large numbers and lists with one.
  define('json', '(text)', `if(JSONExtractRaw(text) = '', trimBoth(text, ' \\t\\n\\r'), JSONExtractRaw(text))`),
  // Casts use the content, and the JSON if the content does not determine the type.
  define(
    'number',
    '(json, name)',
    `if(onwhere_content(json, name) IN ('true', 'false'), arrayMap(o -> arrayMap(j -> multiIf(
    j = 'true', 1.,
    j = 'false', 0.,
    NULL), [onwhere_property(o, name)])[1],
  if(onwhere_content(json, name) IN ('true', 'false'), [json], []))[1], onwhere_decimal(onwhere_content(json, name)))`,
  ),
  define(
    'boolean',
    '(json, name)',
    `multiIf(onwhere_content(json, name) IN ('true', '1', 'yes'), true, onwhere_content(json, name) IN ('false', '0', 'no'), false,
  arrayMap(o -> arrayMap(j -> multiIf(
    j IN ('', 'null') OR startsWith(j, '{'), false,
    match(j, '^[-0-9]'), ifNull(isFinite(onwhere_decimal(j)) AND onwhere_decimal(j) <> 0, false),
    NULL), [onwhere_property(o, name)])[1],
  if(onwhere_content(json, name) IN ('true', '1', 'yes', 'false', '0', 'no'), [], [json]))[1])`,
  ),
  define(
    'readable',
    '(json)',
    `arrayStringConcat(arrayMap(t -> multiIf(
  NOT match(t, '^-?[0-9]'), t,
  NOT isFinite(ifNull(onwhere_decimal(t), inf)), '{}',
  match(t, '^-?[0-9]+$'), concat(t, 'e0'),
  t), extractAll(json, '(?s)"(?:[^"\\\\\\\\]|\\\\\\\\.)*"|-?[0-9][0-9.eE+-]*|[^"0-9-]+|.')))`,
  ),
  // The element keys of a JSON list. For any other value, an array of only the empty string, which is not a key.
  define(
    'list',
    '(json)',
    `if(startsWith(json, '['), arrayMap(list -> arrayMap(t -> multiIf(
  startsWith(t, '"'), concat('"', JSONExtractString(t)),
  match(t, '^[-0-9]'), toString(assumeNotNull(onwhere_decimal(t))),
  t), arrayFilter(t -> NOT match(t, '^[[{]'), JSONExtractArrayRaw(if(isValidJSON(list), list, onwhere_readable(list))))),
  if(startsWith(json, '['), [json], []))[1], [''])`,
  ),
  // The distinct segment names of a list of element keys.
  define(
    'names',
    '(keys)',
    `arrayDistinct(arrayMap(k -> multiIf(startsWith(k, '"'), substring(k, 2), match(k, '^[-0-9]'), onwhere_spelled(k), k), keys))`,
  ),
];

function define(name: string, operands: string, body: string): string {
  return `CREATE OR REPLACE FUNCTION onwhere_${name} AS ${operands} -> ${body}`;
}

/** Generates a call that reads a property. It rewrites objects that the parser rejects, and reads them again. */
function generateExtraction(read: string): string {
  const extraction = `${read}(json, name)`;
  const unreadable = `${extraction} = '' AND NOT isValidJSON(if(${extraction} = '', json, '{}'))`;
  return `if(${extraction} = '', arrayMap(j -> ${read}(onwhere_readable(j), name), if(${unreadable}, [json], []))[1], ${extraction})`;
}

/** Generates 0, or an error if a setting is off that correct results need. */
function requireSetting(setting: string): string {
  return `throwIf(NOT getSetting('${setting}'), 'onwhere needs the setting ${setting} = 1')`;
}
