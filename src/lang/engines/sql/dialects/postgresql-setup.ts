const DAY = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const HOUR_AND_MINUTE = '([01][0-9]|2[0-3]):[0-5][0-9]';
const DATE_TIME = `^${DAY}([T ]${HOUR_AND_MINUTE}:[0-5][0-9]([.][0-9]+)?(Z|[+-]${HOUR_AND_MINUTE})?)?$`;

/**
 * The functions that the SQL for PostgreSQL calls. PostgreSQL's own arithmetic and casts raise errors where IEEE 754
 * has an infinity, a zero or a subnormal number. These functions neither raise nor catch errors, so they are safe in
 * parallel queries (https://www.postgresql.org/docs/current/parallel-safety.html). They take and return finite numbers
 * or NULL.
 *
 * They compute extreme values in `numeric`, which is exact.
 */
export const POSTGRESQL_SETUP: readonly string[] = [
  // The exact value of a number: the cast to numeric would round it to 15 digits.
  define(
    'onwhere_exact(x float8) RETURNS numeric',
    `
DECLARE
  bits bigint := ('x' || encode(float8send(x), 'hex'))::bit(64)::bigint;
  exponent int := (bits >> 52) & 2047;
  mantissa bigint := bits & 4503599627370495;
BEGIN
  IF exponent = 0 THEN exponent := 1; ELSE mantissa := mantissa | 4503599627370496; END IF;
  exponent := exponent - 1075;
  IF bits < 0 THEN mantissa := -mantissa; END IF;
  IF exponent >= 0 THEN RETURN mantissa * 2::numeric ^ exponent; END IF;
  RETURN mantissa * 5::numeric ^ -exponent * ('1e' || exponent)::numeric;
END`,
  ),
  // The nearest double, or NULL if that is infinite. The C library parses some subnormal numbers with wrong rounding.
  define(
    'onwhere_nearest(exact numeric) RETURNS float8',
    `
DECLARE
  units numeric;
  whole bigint;
BEGIN
  IF abs(exact) >= ${2n ** 1024n - 2n ** 970n} THEN RETURN NULL; END IF;
  IF abs(exact) >= 4e-308 THEN RETURN exact::float8; END IF;
  units := abs(exact) * ${2n ** 1074n};
  whole := trunc(units);
  IF units - whole > 0.5 OR (units - whole = 0.5 AND whole % 2 = 1) THEN whole := whole + 1; END IF;
  RETURN sign(exact)::float8 * whole * 5e-324::float8;
END`,
  ),
  define(
    'onwhere_add(x float8, y float8) RETURNS float8',
    `
BEGIN
  IF abs(x) < 8e307::float8 AND abs(y) < 8e307::float8 THEN RETURN x + y; END IF;
  RETURN onwhere_nearest(onwhere_exact(x) + onwhere_exact(y));
END`,
  ),
  define(
    'onwhere_subtract(x float8, y float8) RETURNS float8',
    `
BEGIN
  IF abs(x) < 8e307::float8 AND abs(y) < 8e307::float8 THEN RETURN x - y; END IF;
  RETURN onwhere_nearest(onwhere_exact(x) - onwhere_exact(y));
END`,
  ),
  define(
    'onwhere_multiply(x float8, y float8) RETURNS float8',
    `
BEGIN
  IF x = 0 OR y = 0 THEN RETURN 0; END IF;
  IF ${isOrdinary('x')} AND ${isOrdinary('y')} THEN RETURN x * y; END IF;
  RETURN onwhere_nearest(onwhere_exact(x) * onwhere_exact(y));
END`,
  ),
  // A point halfway between two doubles has at most 1075 decimals. One more decimal decides which side a quotient is
  // on.
  define(
    'onwhere_divide(x float8, y float8) RETURNS float8',
    `
DECLARE
  dividend numeric;
  divisor numeric;
  quotient numeric;
BEGIN
  IF y = 0 THEN RETURN NULL; END IF;
  IF x = 0 THEN RETURN 0; END IF;
  IF ${isOrdinary('x')} AND ${isOrdinary('y')} THEN RETURN x / y; END IF;
  dividend := abs(onwhere_exact(x)) * 1e1075;
  divisor := abs(onwhere_exact(y));
  quotient := div(dividend, divisor);
  IF quotient * divisor <> dividend THEN quotient := quotient + 0.1; END IF;
  RETURN onwhere_nearest(sign(x)::numeric * sign(y)::numeric * quotient * 1e-1075);
END`,
  ),
  define(
    'onwhere_remainder(x float8, y float8) RETURNS float8',
    `
BEGIN
  IF y = 0 THEN RETURN NULL; END IF;
  IF abs(x) < abs(y) THEN RETURN x; END IF;
  IF abs(x) < 9007199254740992 AND x = trunc(x) AND y = trunc(y) THEN RETURN x::bigint % y::bigint; END IF;
  RETURN onwhere_nearest(onwhere_exact(x) % onwhere_exact(y));
END`,
  ),
  // The built-in `round` rounds halves to even.
  define(
    'onwhere_round(x float8) RETURNS float8',
    `
DECLARE
  whole float8 := trunc(x);
BEGIN
  IF abs(x - whole) >= 0.5 THEN RETURN whole + sign(x); END IF;
  RETURN whole;
END`,
  ),
  // Parses a decimal string: see section 3 of the language.
  define(
    'onwhere_decimal(t text) RETURNS float8',
    `
DECLARE
  parts text[];
  digits text;
  power text;
  magnitude bigint;
BEGIN
  IF length(t) < 300 AND t COLLATE "C" ~ '^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)$' THEN RETURN t::float8; END IF;
  IF t COLLATE "C" !~ '^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?$' THEN RETURN NULL; END IF;
  parts := regexp_match(t COLLATE "C", '^([+-]?)([0-9]*)[.]?([0-9]*)(?:[eE]([+-]?)0*([0-9]*))?$');
  digits := ltrim(parts[2] || parts[3], '0');
  IF digits = '' THEN RETURN 0; END IF;
  power := coalesce(parts[5], '');
  IF length(power) > 15 THEN power := '1000000000000000'; END IF;
  -- The value is 0.DIGITS times ten to this power.
  magnitude := length(digits) - length(parts[3])
    + (CASE WHEN parts[4] = '-' THEN -1 ELSE 1 END) * (CASE WHEN power = '' THEN 0 ELSE power::bigint END);
  IF magnitude > 309 THEN RETURN NULL; END IF;
  IF magnitude < -323 THEN RETURN 0; END IF;
  digits := rtrim(digits, '0');
  -- A point halfway between two doubles has fewer digits. More digits only decide which side the value is on.
  IF length(digits) > 1100 THEN digits := left(digits, 1100) || '1'; END IF;
  RETURN onwhere_nearest((parts[1] || '0.' || digits || 'e' || magnitude)::numeric);
END`,
  ),
  // Formats like decimalText of the language. If the text does not parse to x, extra_float_digits is below 1.
  define(
    'onwhere_text(x float8) RETURNS text',
    `
DECLARE
  written text := x::text;
BEGIN
  IF x = 0 THEN RETURN '0'; END IF;
  IF abs(x) < 9007199254740992 AND strpos(written, 'e') = 0 THEN
    IF written::float8 = x THEN RETURN written; END IF;
  END IF;
  RETURN onwhere_spelled(x);
END`,
  ),
  define(
    'onwhere_spelled(x float8) RETURNS text',
    `
DECLARE
  parts text[] := regexp_match(x::text, '^(-?)([0-9]+)(?:[.]([0-9]+))?(?:e(.+))?$');
  fraction text := coalesce(parts[3], '');
  digits text := rtrim(parts[2] || fraction, '0');
  point int := length(parts[2]) + coalesce(parts[4]::int, 0);
  rounded numeric;
BEGIN
  IF abs(x) >= 9007199254740992 AND abs(x) < 1e300 THEN
    -- Fewer digits also parse to x if they are exactly halfway to the next double. PostgreSQL does not use them.
    rounded := round(onwhere_exact(abs(x)), length(digits) - 1 - point);
    IF rounded::float8 = abs(x) THEN RETURN parts[1] || rounded; END IF;
  END IF;
  IF point >= length(digits) THEN RETURN parts[1] || rpad(digits, point, '0'); END IF;
  IF point > 0 THEN RETURN parts[1] || left(digits, point) || '.' || substr(digits, point + 1); END IF;
  RETURN parts[1] || '0.' || repeat('0', -point) || digits;
END`,
    'SET extra_float_digits = 1',
  ),
  // Parses like datetime of the language. Years begin in March, so that the leap day is the last day of a year.
  define(
    'onwhere_time(t text) RETURNS float8',
    `
DECLARE
  y int;
  m int;
  d int;
  days int;
  seconds int := 0;
BEGIN
  IF t COLLATE "C" !~ '${DATE_TIME}' THEN RETURN NULL; END IF;
  y := substr(t, 1, 4)::int;
  m := substr(t, 6, 2)::int;
  d := substr(t, 9, 2)::int;
  days := CASE
    WHEN m <> 2 THEN 30 + (m + m / 8) % 2
    WHEN y % 4 = 0 AND (y % 100 <> 0 OR y % 400 = 0) THEN 29
    ELSE 28
  END;
  IF m < 1 OR m > 12 OR d < 1 OR d > days THEN RETURN NULL; END IF;
  IF length(t) > 10 THEN
    seconds := substr(t, 12, 2)::int * 3600 + substr(t, 15, 2)::int * 60 + substr(t, 18, 2)::int;
    IF left(right(t, 6), 1) IN ('+', '-') THEN
      seconds := seconds - (left(right(t, 6), 1) || '1')::int * (left(right(t, 5), 2)::int * 3600 + right(t, 2)::int * 60);
    END IF;
  END IF;
  IF m < 3 THEN y := y - 1; m := m + 12; END IF;
  -- Add 400 years, 146097 days, so that the operands of the divisions are positive.
  y := y + 400;
  RETURN (365 * y + y / 4 - y / 100 + y / 400 + (153 * m - 457) / 5 + d - 719469 - 146097)::float8 * 86400 + seconds;
END`,
  ),
  define(
    'onwhere_seconds(x float8) RETURNS float8',
    `
BEGIN
  IF x < 1 THEN RETURN NULL; END IF;
  RETURN floor(CASE WHEN x <= 4294967295 THEN x ELSE x / 1000 END);
END`,
  ),
  // The number of a JSON value, or NULL if it is not a number.
  define(
    'onwhere_number(j jsonb) RETURNS float8',
    `
DECLARE
  exact numeric;
BEGIN
  IF jsonb_typeof(j) <> 'number' THEN RETURN NULL; END IF;
  exact := j::numeric;
  IF abs(exact) < 1e300 AND (abs(exact) > 1e-300 OR exact = 0) THEN RETURN exact::float8; END IF;
  RETURN onwhere_nearest(exact);
END`,
  ),
  // The element keys of a JSON list, or NULL if the value is not a list.
  define(
    'onwhere_list(j jsonb) RETURNS text[]',
    `
BEGIN
  IF jsonb_typeof(j) <> 'array' THEN RETURN NULL; END IF;
  RETURN ARRAY(
    SELECT key
    FROM jsonb_array_elements(j) WITH ORDINALITY AS elements (element, place)
    CROSS JOIN LATERAL (
      SELECT CASE jsonb_typeof(element)
        WHEN 'string' THEN '"' || (element #>> '{}')
        WHEN 'number' THEN onwhere_text(onwhere_number(element))
        WHEN 'array' THEN NULL
        WHEN 'object' THEN NULL
        ELSE element::text
      END
    ) AS keys (key)
    WHERE key IS NOT NULL
    ORDER BY place
  );
END`,
  ),
  // The distinct segment names of a list of element keys.
  define(
    'onwhere_names(keys text[]) RETURNS text[]',
    `
BEGIN
  RETURN ARRAY(
    SELECT DISTINCT CASE WHEN left(key, 1) = '"' THEN substr(key, 2) ELSE key END
    FROM unnest(keys) AS elements (key)
  );
END`,
  ),
];

/** Tests that products and quotients with the number neither overflow nor lose digits. */
function isOrdinary(number: string): string {
  return `abs(${number}) BETWEEN 1e-150::float8 AND 1e150::float8`;
}

function define(signature: string, body: string, setting = ''): string {
  return `CREATE OR REPLACE FUNCTION ${signature} LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE ${setting} AS $$${body}
$$`;
}
