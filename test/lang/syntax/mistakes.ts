import type { DiagnosticCode } from '../../../src/lang/diagnostic.ts';

/**
 * A realistic mistake with the use `where`: the source, and the source that says the same or, if the author has to
 * decide, the code of what is reported and a part of its message or advice.
 */
export type Mistake =
  | readonly [source: string, repaired: string]
  | readonly [source: string, code: DiagnosticCode, advice: RegExp];

// biome-ignore format: a table, to be read by its rows
export const MISTAKES: readonly Mistake[] = [
  // Words and symbols of other languages
  [`plan = 'pro'`, `properties["plan"] == 'pro'`],
  ['properties["plan"] === "pro"', 'properties["plan"] == "pro"'],
  ['properties["plan"] <> "pro"', 'properties["plan"] != "pro"'],
  ['properties["a"] == 1 && properties["b"] == 2', 'properties["a"] == 1 and properties["b"] == 2'],
  ['properties["a"]==1||properties["b"]==2', 'properties["a"]==1 or properties["b"]==2'],
  ['!properties["vip"]', 'not properties["vip"]'],
  ['!properties["vip"] == true', 'foreign-operator', /not \(\.\.\.\)/],
  ['properties["amount"] => 5', 'properties["amount"] >= 5'],
  ['properties["plan"] equals "pro"', 'properties["plan"] == "pro"'],
  ['properties["vip"] is true', 'properties["vip"] == true'],
  ['properties["a"] += 1', 'no-equivalent', /assign nothing/],
  ['properties["a"] =~ "pro.*"', 'no-equivalent', /no patterns/],
  ['properties["a"] ** 2 > 9', 'no-equivalent', /Multiply/],
  ['typeof properties["a"] == "string"', 'no-equivalent', /defined\(/],
  // Properties and names
  ['properties.plan == "pro"', 'properties["plan"] == "pro"'],
  ['properties[plan] == "pro"', 'properties["plan"] == "pro"'],
  ['prop["plan"] == "pro"', 'properties["plan"] == "pro"'],
  ['user.country == "DE"', 'user["country"] == "DE"'],
  ['properties("plan") == "pro"', 'properties["plan"] == "pro"'],
  ['properties["plan] == "pro"', 'properties["plan"] == "pro"'],
  ['properties["plan" == "pro"', 'properties["plan"] == "pro"'],
  ['properties["plan"] == pro', 'bare-name', /properties\["pro"\] .* or "pro"/],
  ['event == "purchase"', 'event-name', /`--event`/],
  ['event.name == "purchase"', 'event-name', /parameter `event`/],
  ['event in ["a", "b"]', 'event-name', /parameter `event`/],
  ['properties["address"]["city"] == "Bonn"', 'nested-property', /top-level/],
  ['properties.name.length > 3', 'dotted-property', /nested/],
  // Lists and strings
  ['properties["plan"] not in ["free", "trial"]', 'not properties["plan"] in ["free", "trial"]'],
  ['properties["plan"] in ("free", "pro")', 'properties["plan"] in ["free", "pro"]'],
  ['properties["plan"] NOT IN (1, -2)', 'not properties["plan"] in [1, -2]'],
  ['properties["plan"] in (pro, team)', 'list-parentheses', /strings in quotes/],
  ['properties["plan"] in [pro, team]', 'bare-name', /Write "pro"/],
  ['properties["plan"] == ["pro", "team"]', 'misplaced-list', /in \["pro", "team"\]/],
  ['properties["plan"] in ["pro" "team"]', 'properties["plan"] in ["pro", "team"]'],
  ['properties["tags"] in "sale"', 'swapped-in', /"sale" in properties\["tags"\]/],
  ['properties["url"] contains "shop"', '"shop" in properties["url"]'],
  ['properties["url"] does not contain "shop"', 'not "shop" in properties["url"]'],
  [`properties["url"] like '%shop%'`, '"shop" in properties["url"]'],
  [`properties["plan"] LIKE 'pro%'`, 'properties["plan"] >= "pro" and properties["plan"] < "prp"'],
  [`properties["plan"] like '%pro'`, 'no-equivalent', /how a string ends/],
  ['properties["plan"] matches "pro.*"', 'no-equivalent', /no patterns/],
  [`properties["name"] == 'it''s'`, String.raw`properties["name"] == 'it\'s'`],
  ['properties["name"] == “pro”', 'properties["name"] == "pro"'],
  ['properties["name"] == ‘it’s’', 'properties["name"] == "it’s"'],
  ['properties["plan"] == "pro" or "team"', 'properties["plan"] == "pro" or properties["plan"] == "team"'],
  ['properties["plan"] == ("pro" or "team")', 'properties["plan"] in ["pro", "team"]'],
  ['properties["x"] = (1 || -2 or 3)', 'properties["x"] in [1, -2, 3]'],
  ['properties["plan"] != ("pro" or "team")', 'alternatives', /write not properties\["plan"\] in \["pro", "team"\]/],
  ['properties["x"] not in (1, -2)', 'not properties["x"] in [1, -2]'],
  ['properties["a"].length > 3', 'no-equivalent', /!= ""/],
  // Missing values
  ['properties["plan"] == null', 'not defined(properties["plan"])'],
  ['properties["plan"] != undefined', 'defined(properties["plan"])'],
  ['properties["plan"] is null', 'not defined(properties["plan"])'],
  ['properties["plan"] IS NOT NULL', 'defined(properties["plan"])'],
  ['properties["plan"] is set', 'defined(properties["plan"])'],
  ['properties["plan"] is not set', 'not defined(properties["plan"])'],
  // Ranges, numbers and times
  ['properties["x"] between 10 and 20', 'properties["x"] >= 10 and properties["x"] <= 20'],
  ['10 < properties["x"] < 20', '(10 < properties["x"] and properties["x"] < 20)'],
  ['properties["x"] > 100 and < 200', 'properties["x"] > 100 and properties["x"] < 200'],
  ['properties["x"] > 1,000', 'properties["x"] > 1000'],
  ['properties["age"] > 7d', 'malformed-number', /604800/],
  ['properties["time"] > now - 7d', 'properties["time"] > now - 604800'],
  ['properties["time"] > now() - 60', 'properties["time"] > now - 60'],
  ['datetime(properties["d"]) < datetime(2025-06-01)', 'datetime(properties["d"]) < datetime("2025-06-01")'],
  ['properties["time"] > "2025-06-01"', 'properties["time"] > datetime("2025-06-01")'],
  ['properties["a"] // 2 == 3', 'comment', /floor\(/],
  // Calls and choices
  ['lower(properties["plan"]) == "pro"', 'no-equivalent', /spellings/],
  ['len(properties["tags"]) > 2', 'no-equivalent', /length/],
  ['properties["plan"].startsWith("pro")', 'properties["plan"] >= "pro" and properties["plan"] < "prp"'],
  ['properties["url"].includes("shop")', '"shop" in properties["url"]'],
  ['properties["x"] > 1 ? properties["y"] == 2 : false', '((properties["x"] > 1) and (properties["y"] == 2) or not (properties["x"] > 1) and (false))'],
  ['properties["x"] > 1 ? "big" : "small"', 'conditional', /conditions/],
  ['case when properties["x"] > 1 then true else false end', '(properties["x"] > 1)'],
  ['case when properties["x"] > 1 then "big" else "small" end', 'conditional', /conditions/],
  // Around the expression
  ['properties["plan"] == "pro" -- only paying', 'properties["plan"] == "pro" '],
  ['properties["plan"] == "pro";', 'properties["plan"] == "pro"'],
  ['{ properties["plan"] == "pro" }', 'properties["plan"] == "pro"'],
  ['{properties["plan"] = "pro"}', 'properties["plan"] == "pro"'],
  ['{properties["a"] == 1} and true', 'unexpected-character', /without braces/],
  ['properties["a"] == 1; properties["b"] == 2', 'unexpected-character', /Join two conditions/],
  ['where properties["plan"] == "pro"', 'properties["plan"] == "pro"'],
];
