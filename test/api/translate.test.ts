import { describe, expect, it } from 'vitest';
import { repair } from '../../src/api/repair.ts';
import { translate } from '../../src/api/translate.ts';

const options = { use: 'where', translate } as const;

describe('repair with `translate`', () => {
  it.each([
    ["plan <> 'free'", 'SQL', 'defined(properties["plan"]) and properties["plan"] != "free"'],
    [
      "plan not in ('free', 'trial')",
      'SQL',
      'defined(properties["plan"]) and not properties["plan"] in ["free", "trial"]',
    ],
    ["plan in ['a', 'b'] && !(amount > 5)", 'CEL', 'properties["plan"] in ["a", "b"] and properties["amount"] <= 5'],
    [
      "url.includes('a') && !ref.includes('b')",
      'JavaScript',
      '"a" in properties["url"]\nand defined(properties["ref"])\nand not "b" in properties["ref"]',
    ],
    ['{"==": [{"var": "plan"}, "pro"]}', 'JSON Logic', 'properties["plan"] == "pro"'],
    ['=EXACT([@plan],"pro")', 'Excel', 'properties["plan"] == "pro"'],
  ])('translates %s from %s', (source, language, expression) => {
    const repaired = repair(source, options);
    expect(repaired).toEqual({
      source: expression,
      fixes: [],
      diagnostics: [],
      translation: { language, expression, notes: [] },
    });
  });

  it.each([
    ["zip <> '10115'", 'SQL', /compared as a string/],
    ['!active', 'JavaScript', /CEL/],
    ['{"plan": "pro"}', 'MongoDB', /single values/],
    ['plan = pro', 'SQL', /pro is read as a property/],
    ['=[@plan]="pro"', 'Excel', /ignores case/],
  ])('leaves %s as it is, and says what the translation from %s assumes', (source, language, note) => {
    const { translation, diagnostics, ...repaired } = repair(source, options);
    expect(repaired).toEqual({ source, fixes: [] });
    expect(translation).toMatchObject({ language, expression: expect.any(String) });
    expect(diagnostics).toMatchObject([{ code: 'untranslatable', message: expect.stringMatching(note) }]);
  });

  it.each([
    ["zip = '10115'", `properties["zip"] == '10115'`, /compared as a string/],
    ['plan != "pro" && amount > 10', 'properties["plan"] != "pro" and properties["amount"] > 10', /CEL/],
  ])('applies the fixes to %s, and says what they assume', (source, expected, note) => {
    const repaired = repair(source, options);
    expect(repaired).toMatchObject({ source: expected, diagnostics: [] });
    expect(repaired.translation).toMatchObject({ notes: expect.arrayContaining([expect.stringMatching(note)]) });
  });

  it.each([
    ["lower(plan) = 'pro'", /compares strings exactly/, 'lower'],
    ['plan = NULL', /IS NULL/, 'NULL'],
    ['url.endsWith(".html")', /how a string ends/, 'endsWith'],
  ])('leaves %s as it is, and says which part has no translation', (source, reason, part) => {
    const { source: after, diagnostics } = repair(source, options);
    expect(after).toBe(source);
    const [{ message, span } = expect.unreachable()] = diagnostics;
    expect(message).toMatch(reason);
    expect(source.slice(span.start, span.end)).toBe(part);
  });

  it.each([
    'properties["plan"] <> "free"',
    'properties["plan"] not in ("free", "trial")',
    'plan == "pro" and url contains "shop"',
    "plan = 'pro' AND amount > 10",
    '10 < amount < 20',
    'plan == pro',
    'properties["plan"] == "pro"',
  ])('reads %s as an expression with mistakes', (source) => {
    expect(repair(source, options)).toEqual(repair(source, { use: 'where' }));
  });
});
