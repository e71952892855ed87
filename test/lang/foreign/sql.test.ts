import { describe, expect, it } from 'vitest';
import { fromSql } from '../../../src/api/from-sql.ts';
import { TranslationError } from '../../../src/lang/errors.ts';
import { translateSql } from '../../../src/lang/foreign/translate.ts';

describe('fromSql', () => {
  it.each([
    ["WHERE plan = 'pro' AND amount > 10", 'properties["plan"] == "pro" and properties["amount"] > 10'],
    ["plan <> 'pro'", 'defined(properties["plan"]) and properties["plan"] != "pro"'],
    ["name = 'it''s' -- a comment", 'properties["name"] == "it\'s"'],
    ['NOT (a = 1 OR b > 2)', 'defined(properties["a"]) and properties["a"] != 1 and properties["b"] <= 2'],
    ['a NOT IN (1, NULL)', 'false'],
    ['a IN (1, -2)', 'properties["a"] in [1, -2]'],
    ['a = b', 'properties["a"] == properties["b"] and defined(properties["a"])'],
    ['(a = 1) IS NOT TRUE', 'properties["a"] != 1'],
    ["user.country = 'DE' AND properties.plan LIKE '%pro%'", 'user["country"] == "DE" and "pro" in properties["plan"]'],
    ["plan LIKE 'pro%'", 'properties["plan"] >= "pro" and properties["plan"] < "prp"'],
    ["plan LIKE 'pro'", 'properties["plan"] == "pro"'],
    ["properties->>'plan' = 'pro'", 'properties["plan"] == "pro"'],
    ["SELECT * FROM events e WHERE e.plan = 'pro' ORDER BY 1;", 'properties["plan"] == "pro"'],
    [
      'COALESCE(amount, 0) >= 0',
      'defined(properties["amount"]) and properties["amount"] >= 0\nor not defined(properties["amount"])',
    ],
    ["t >= NOW() - INTERVAL '7 days'", 'datetime(properties["t"]) >= now - 604800'],
    ['1 = 1 AND active', 'boolean(properties["active"])'],
    ["(properties->>'plan') IN ('5', 'pro')", 'string(properties["plan"]) in ["5", "pro"]'],
    ["(properties->>'plan') IS NULL", 'not defined(properties["plan"])'],
    ["(properties->>'amount')::int > 5", 'number(properties["amount"]) > 5'],
    ['[order total] > 5', undefined],
  ])('translates %s', (sql, expression) => {
    const translation = translateSql(sql);
    expect('expression' in translation ? translation.expression : undefined).toBe(expression);
  });

  it.each([
    ['plan = NULL', 'null', 'NULL'],
    ["lower(plan) = 'pro'", 'function', 'lower'],
    ["plan ILIKE '%a%'", 'pattern', 'ILIKE'],
    ["plan LIKE '%a'", 'pattern', "'%a'"],
    ["plan LIKE 'a_'", 'pattern', "'a_'"],
    ["plan LIKE '%a%b%'", 'pattern', "'%a%b%'"],
    ['plan = "pro"', 'name', '"pro"'],
    ["event = 'purchase'", 'name', 'event'],
    ['a / 2 > 1', 'division', '2'],
    ['a / b > 1', 'division', 'b'],
    ['a IN (SELECT 1)', 'query', 'SELECT'],
    ['a < 1 < 2', 'syntax', '<'],
    ["a || b = 'x'", 'operator', '||'],
    ['0.1 + 0.2 = a', 'division', '0.1 + 0.2'],
    ['SELECT 1 FROM a JOIN b ON x WHERE c', 'query', 'JOIN'],
    ["1 = 'a'", 'type', "1 = 'a'"],
    ["name = 'open", 'syntax', "'open"],
    ['amount > $1', 'name', '$1'],
    ['plan IN ($1, $2)', 'name', '$1'],
    ['amount > @least', 'name', '@least'],
    ['plan = $$pro$$', 'name', '$$pro$$'],
    ['active > FALSE', 'type', 'active > FALSE'],
    ["floor(properties->>'a') > 1", 'type', "properties->>'a'"],
  ])('refuses %s as %s at %s', (sql, kind, at) => {
    const translation = translateSql(sql);
    const refusal = 'reason' in translation ? translation : expect.unreachable();
    expect([refusal.kind, sql.slice(refusal.span.start, refusal.span.end)]).toEqual([kind, at]);
  });

  it('throws a TranslationError with the place and the reason', () => {
    const error = (() => {
      try {
        return fromSql('a = NULL');
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(TranslationError);
    expect(error).toMatchObject({ diagnostics: [{ code: 'untranslatable', span: { start: 4, end: 8 } }] });
  });

  it('says what it assumes', () => {
    expect(fromSql("day > '2025-01-01' AND zip = '10115'").notes).toEqual([
      "'2025-01-01' is read as a date.",
      'Times are compared in whole seconds, in UTC.',
      "'10115' is compared as a string. Remove the quotes if the property is a number.",
    ]);
  });

  it.each([
    ["active = 'true'", "'true' is compared as a string. Write true instead if the property is a boolean."],
    ['is_active = 1', '1 is compared as a number. Write true instead if the property is a boolean.'],
    ['active IN (0)', '0 is compared as a number. Write false instead if the property is a boolean.'],
    ['amount > $least', '$least is read as a property. If it is a placeholder, write its value.'],
    ["properties->>'active' = 'true'", undefined],
    ["properties->>'zip' <> '10115'", undefined],
    ["plan > 'a'", 'Strings are ordered by their characters, as with the collation C.'],
    ["properties->>'amount' = 5", '`->>` makes a string. Databases compare it with a number differently, or fail.'],
    [
      "properties->>'plan' LIKE '%5%'",
      'A list has no text here, and a number no exponent. `->>` writes them as in JSON.',
    ],
    [
      "(properties->>'amount')::numeric > 5",
      'Only decimals are numbers here. Databases also cast " 5 " and "NaN", and fail on other strings.',
    ],
  ])('notes what %s assumes', (sql, note) => {
    expect(fromSql(sql).notes).toEqual(note === undefined ? [] : [note]);
  });

  it('reads a date alike in all comparisons', () => {
    const [from, to, equal] = [">= '2025-06-01'", "<= '2025-06-01'", "= '2025-06-01'"].map((test) =>
      fromSql(`t ${test}`),
    );
    expect(equal?.notes).toEqual(from?.notes);
    for (const translated of [from, to, equal, fromSql("t IN ('2025-06-01')")])
      expect(translated?.expression).toContain('datetime("2025-06-01")');
  });

  it('refuses what is nested or repeated too much instead of running out of stack or time', () => {
    const nested = `${'('.repeat(5000)}a = 1${')'.repeat(5000)}`;
    let cases = 'a = 1';
    for (const column of 'bcdefghijklmnop') cases = `CASE WHEN ${cases} THEN ${column} ELSE -${column} END > 1`;
    for (const sql of [nested, cases, 'NOT '.repeat(3000), 'x'.repeat(70_000)]) {
      expect(translateSql(sql)).toHaveProperty('kind');
    }
  });
});
