/**
 * The macros that the SQL for DuckDB calls. DuckDB inlines macros, which may repeat an operand, so operands are
 * columns:
 * https://duckdb.org/docs/stable/sql/statements/create_macro
 */
export const DUCKDB_SETUP: readonly string[] = [
  // Casts of a JSON value. `list_transform` names it, so that it is read once. Each string has only one JSON form here.
  `CREATE OR REPLACE MACRO onwhere_json_number(json) AS
    coalesce(
      TRY_CAST(CAST(json AS VARCHAR) AS DOUBLE),
      list_transform([CAST(json AS VARCHAR)], lambda j:
        CASE
          WHEN regexp_full_match(j, '"[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?"') THEN TRY_CAST(trim(j, '"') AS DOUBLE)
          WHEN j = 'true' THEN 1
          WHEN j = 'false' THEN 0
        END)[1])`,

  `CREATE OR REPLACE MACRO onwhere_json_boolean(json) AS
    list_transform([CAST(json AS VARCHAR)], lambda j:
      CASE
        WHEN j IN ('true', '"true"', '"1"', '"yes"') THEN true
        WHEN j IS NULL OR j IN ('false', 'null', '"false"', '"0"', '"no"') THEN false
        WHEN j NOT LIKE '"%' AND j NOT LIKE '[%' THEN coalesce(isfinite(TRY_CAST(j AS DOUBLE)) AND TRY_CAST(j AS DOUBLE) <> 0, false)
      END)[1]`,

  // `TRY_CAST` accepts more than decimals: surrounding spaces, underscores between digits, two signs. Infinity becomes
  // undefined.
  `CREATE OR REPLACE MACRO onwhere_decimal(text) AS
    CASE
      WHEN text BETWEEN '+' AND ':' AND NOT contains(text, '_') AND text NOT LIKE '+-%'
        AND TRY_CAST(text || '0' AS DOUBLE) IS NOT NULL
      THEN TRY_CAST(text AS DOUBLE)
    END`,

  `CREATE OR REPLACE MACRO onwhere_shift(sign, digits, exponent) AS
    CASE
      WHEN exponent < 0 THEN sign || '0.' || repeat('0', -exponent - 1) || digits
      ELSE sign || rpad(digits, exponent + 1, '0')
    END`,

  `CREATE OR REPLACE MACRO onwhere_spell_out(text) AS
    CASE
      WHEN contains(text, 'e') THEN onwhere_shift(
        CASE WHEN text LIKE '-%' THEN '-' ELSE '' END,
        regexp_replace(string_split(text, 'e')[1], '[-.]', '', 'g'),
        CAST(string_split(text, 'e')[2] AS INTEGER))
      ELSE regexp_replace(text, '[.]0$', '')
    END`,

  // A cast to VARCHAR writes the shortest digits, with an exponent from 1e16 and below 0.0001. For 2^81, 2^91 and 2^807
  // it writes twice the number; only `to_json` is right.
  `CREATE OR REPLACE MACRO onwhere_text(number) AS
    CASE
      WHEN number = trunc(number) AND abs(number) <= 1e15 THEN CAST(CAST(number AS BIGINT) AS VARCHAR)
      WHEN abs(number) BETWEEN 1e-4 AND 1e15 THEN CAST(number AS VARCHAR)
      ELSE onwhere_spell_out(CAST(to_json(number) AS VARCHAR))
    END`,

  `CREATE OR REPLACE MACRO onwhere_clock(text) AS
    CASE
      WHEN text = '' THEN 0
      ELSE CAST(text[1:2] AS DOUBLE) * 3600 + CAST(text[4:5] AS DOUBLE) * 60 + CAST(text[7:8] AS DOUBLE)
    END`,

  `CREATE OR REPLACE MACRO onwhere_zone(text) AS
    CASE
      WHEN text[4] = ':' AND text[1] IN ('+', '-')
      THEN (CAST(text[2:3] AS DOUBLE) * 3600 + CAST(text[5:6] AS DOUBLE) * 60) * CASE text[1] WHEN '-' THEN -1 ELSE 1 END
      ELSE 0
    END`,

  `CREATE OR REPLACE MACRO onwhere_time(text) AS
    CASE
      WHEN regexp_full_match(text, '[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]([01][0-9]|2[0-3])(:[0-5][0-9]){2}') THEN epoch(TRY_CAST(text AS TIMESTAMP))
      WHEN regexp_full_match(text, '[0-9]{4}-[0-9]{2}-[0-9]{2}([T ]([01][0-9]|2[0-3])(:[0-5][0-9]){2}([.][0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?)?')
      THEN epoch(TRY_CAST(text[1:10] AS DATE)) + onwhere_clock(text[12:19]) - onwhere_zone(text[-6:])
    END`,

  `CREATE OR REPLACE MACRO onwhere_seconds(number) AS
    CASE WHEN number >= 1 THEN floor(CASE WHEN number <= 4294967295 THEN number ELSE number / 1000 END) END`,

  `CREATE OR REPLACE MACRO onwhere_json_time(json) AS
    list_transform([CAST(json AS VARCHAR)], lambda j:
      CASE
        WHEN regexp_full_match(j, '"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]([01][0-9]|2[0-3])(:[0-5][0-9]){2}"') THEN epoch(TRY_CAST(trim(j, '"') AS TIMESTAMP))
        WHEN j LIKE '"%' THEN list_transform([trim(j, '"')], lambda t: onwhere_time(t))[1]
        ELSE onwhere_seconds(CASE WHEN isfinite(TRY_CAST(j AS DOUBLE)) THEN TRY_CAST(j AS DOUBLE) END)
      END)[1]`,

  // JSON because of the same three powers of two. Adding zero turns negative zero into zero.
  `CREATE OR REPLACE MACRO onwhere_number_key(number) AS CAST(to_json(number + 0) AS VARCHAR)`,

  `CREATE OR REPLACE MACRO onwhere_key(element) AS
    CASE
      WHEN element LIKE '"%' THEN '"' || (element ->> '$')
      WHEN element IN ('true', 'false', 'null') THEN CAST(element AS VARCHAR)
      WHEN isfinite(TRY_CAST(CAST(element AS VARCHAR) AS DOUBLE)) THEN onwhere_number_key(CAST(CAST(element AS VARCHAR) AS DOUBLE))
    END`,

  // The element keys of a JSON list, without elements that are not strings, finite numbers, booleans or null.
  `CREATE OR REPLACE MACRO onwhere_list(list) AS
    list_filter(list_transform(json_extract(list, '$[*]'), lambda element: onwhere_key(element)), lambda key: key IS NOT NULL)`,

  `CREATE OR REPLACE MACRO onwhere_names(list) AS
    list_distinct(list_transform(list, lambda key:
      CASE
        WHEN key LIKE '"%' THEN key[2:]
        WHEN key IN ('true', 'false', 'null') THEN key
        ELSE onwhere_text(CAST(key AS DOUBLE))
      END))`,
];
