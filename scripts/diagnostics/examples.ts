import type { CheckOptions } from '../../src/api/expressions.ts';
import { findRelations } from '../../src/api/relate.ts';
import type { DiagnosticCode } from '../../src/lang/diagnostic.ts';
import { CATALOGUE } from '../../src/lang/diagnostic-wording.ts';
import { RELATION_WORDS } from '../../src/lang/relate/explain-claims.ts';

/** All codes. The documentation and the tests have an example for each. */
export const DIAGNOSTIC_CODES = [
  ...new Set([...Object.keys(CATALOGUE), ...Object.keys(RELATION_WORDS)]),
] as readonly DiagnosticCode[];

/** An expression with a diagnostic, and a corrected one. */
export interface Example {
  /** Why the language has this rule, in Markdown. */
  readonly why: string;
  readonly bad: string;
  readonly good: string;
  readonly options?: CheckOptions;
}

const RELATED: CheckOptions = { relations: findRelations };

const PLAN: CheckOptions = { schema: { properties: { plan: { types: ['string'], values: ['free', 'pro'] } } } };

/**
 * An example of each code that `check` reports. The pages of `unsupported`, which depends on a database, and of
 * `untranslatable`, which is about other languages, are not generated.
 */
// biome-ignore format: a table of examples
export const EXAMPLES: Readonly<Record<Exclude<DiagnosticCode, 'unsupported' | 'untranslatable'>, Example>> = {
  'source-too-long': {
    why: 'A limit keeps hostile input cheap to refuse. It is 65,536 characters unless you set `limits.length`; this example sets 30.',
    bad: 'properties["plan"] == "free" or properties["plan"] == "pro"',
    good: 'properties["plan"] == "pro"',
    options: { limits: { length: 30 } },
  },
  'too-deep': {
    why: 'A limit keeps hostile input cheap to refuse. It is 256 levels unless you set `limits.depth`; this example sets 2.',
    bad: '((((properties["amount"]))))',
    good: 'properties["amount"]',
    options: { limits: { depth: 2 } },
  },
  'unexpected-character': {
    why: 'The character is not part of the language. Common causes are a semicolon at the end and a non-breaking space pasted from a web page.',
    bad: 'properties["plan"] == "pro";',
    good: 'properties["plan"] == "pro"',
  },
  'unclosed-string': {
    why: 'A string starts and ends with the same quote, on one line.',
    bad: 'properties["plan"] == "pro',
    good: 'properties["plan"] == "pro"',
  },
  'invalid-escape': {
    why: 'A backslash starts an escape sequence, as in JSON. Write two for a backslash itself.',
    bad: '"C:\\data" in properties["path"]',
    good: '"C:\\\\data" in properties["path"]',
  },
  'lone-surrogate': {
    why: 'Half of a surrogate pair is not a character. Databases and UTF-8 files cannot store it, so no property could ever match.',
    bad: 'properties["emoji"] == "\\ud83d"',
    good: 'properties["emoji"] == "\\ud83d\\ude00"',
  },
  'malformed-number': {
    why: 'Numbers have no units, thousands separators or second decimal points.',
    bad: 'properties["width"] == 12px',
    good: 'properties["width"] == 12',
  },
  'number-too-large': {
    why: 'Numbers are IEEE 754 doubles. The largest is about 1.8e308.',
    bad: 'properties["amount"] < 1e400',
    good: 'properties["amount"] < 1e300',
  },
  'grouped-digits': {
    why: 'A comma separates the items of a list, so a number has digits alone.',
    bad: 'properties["amount"] > 1,000',
    good: 'properties["amount"] > 1000',
  },
  'doubled-quote': {
    why: 'SQL and CSV double a quote inside a string. Here a backslash escapes it, as in JSON and JavaScript.',
    bad: 'properties["name"] == \'it\'\'s\'',
    good: 'properties["name"] == \'it\\\'s\'',
  },
  'curly-quotes': {
    why: 'Word processors and chat programs replace straight quotes by curly ones.',
    bad: 'properties["plan"] == “pro”',
    good: 'properties["plan"] == "pro"',
  },
  comment: {
    why: 'An expression is one line of a query, so it has no comments. Keep notes next to the filter, for example in the name under which you save it.',
    bad: 'properties["plan"] == "pro" // paying',
    good: 'properties["plan"] == "pro"',
  },
  'single-equals': {
    why: 'SQL compares with `=`. Here, comparisons use two equals signs.',
    bad: 'properties["plan"] = "pro"',
    good: 'properties["plan"] == "pro"',
  },
  'foreign-operator': {
    why: 'Operators of JavaScript, C and SQL have other names here: `and`, `or`, `not`, `==` and `!=`.',
    bad: 'properties["plan"] == "pro" && properties["amount"] > 100',
    good: 'properties["plan"] == "pro" and properties["amount"] > 100',
  },
  'unknown-operator': {
    why: 'A word between two values must be an operator.',
    bad: 'properties["plan"] == "pro" plus properties["country"] == "DE"',
    good: 'properties["plan"] == "pro" and properties["country"] == "DE"',
  },
  'no-equivalent': {
    why: 'Other languages can say it and this one cannot. The advice names what comes close, and nothing is guessed.',
    bad: 'lower(properties["plan"]) == "pro"',
    good: 'properties["plan"] in ["pro", "Pro", "PRO"]',
  },
  'conditional': {
    why: 'A filter selects by conditions, so a choice between two of them is written with `and`, `or` and `not`.',
    bad: 'if(properties["amount"] > 100, properties["plan"] == "pro", properties["plan"] == "free")',
    good: '((properties["amount"] > 100) and (properties["plan"] == "pro") or not (properties["amount"] > 100) and (properties["plan"] == "free"))',
  },
  'leading-word': {
    why: 'A filter is a condition, without the clause of SQL around it.',
    bad: 'where properties["plan"] == "pro"',
    good: 'properties["plan"] == "pro"',
  },
  'not-in': {
    why: '`not` applies to a whole condition, so it comes first.',
    bad: 'properties["plan"] not in ["free", "trial"]',
    good: 'not properties["plan"] in ["free", "trial"]',
  },
  'alternatives': {
    why: 'The value on the right of `==` would be the result of `or`, which is true or false. `in` compares with each value of a list.',
    bad: 'properties["plan"] == ("pro" or "team")',
    good: 'properties["plan"] in ["pro", "team"]',
  },
  'list-parentheses': {
    why: 'Parentheses group an expression. Square brackets make a list.',
    bad: 'properties["plan"] in ("free", "pro")',
    good: 'properties["plan"] in ["free", "pro"]',
  },
  'bare-name': {
    why: 'Properties have a scope and strings have quotes. A name alone could be either.',
    bad: 'plan == "pro"',
    good: 'properties["plan"] == "pro"',
  },
  'null-literal': {
    why: 'A missing property is undefined, not null. `defined` is false for both.',
    bad: 'properties["plan"] == null',
    good: 'not defined(properties["plan"])',
  },
  'unknown-function': {
    why: 'The functions are fixed: `floor`, `round`, `ceil`, `string`, `number`, `boolean`, `defined` and `datetime`.',
    bad: 'flor(properties["amount"]) == 12',
    good: 'floor(properties["amount"]) == 12',
  },
  'unknown-source': {
    why: 'An expression reads `properties["…"]` of the event (or `event["…"]`, which means the same) and `user["…"]`.',
    bad: 'property["plan"] == "pro"',
    good: 'properties["plan"] == "pro"',
  },
  'event-name': {
    why: 'An expression reads the properties of an event. Which events it reads is chosen outside of it, so this name would always be undefined.',
    bad: 'event == "purchase" and properties["amount"] > 100',
    good: 'properties["amount"] > 100',
  },
  'called-property': {
    why: 'Parentheses are for functions.',
    bad: 'properties("plan") == "pro"',
    good: 'properties["plan"] == "pro"',
  },
  'dotted-property': {
    why: 'Names of properties may contain spaces, dots and `$`, so they are always quoted.',
    bad: 'properties.plan == "pro"',
    good: 'properties["plan"] == "pro"',
  },
  'property-name': {
    why: 'The name between the brackets is a string.',
    bad: 'properties[plan] == "pro"',
    good: 'properties["plan"] == "pro"',
  },
  'nested-property': {
    why: 'Properties hold strings, numbers, booleans, null and lists. An object counts as undefined.',
    bad: 'properties["cart"]["total"] > 100',
    good: 'properties["cart total"] > 100',
  },
  'needless-parentheses': {
    why: '`now`, `true` and `false` are words, not functions.',
    bad: 'properties["expires"] < now()',
    good: 'properties["expires"] < now',
  },
  'empty-expression': {
    why: 'An empty string is not a filter. To select everything, leave the filter out or write `true`.',
    bad: '',
    good: 'true',
  },
  'missing-operand': {
    why: 'An operator needs a value on each side. The expression often ends too early.',
    bad: 'properties["amount"] >',
    good: 'properties["amount"] > 100',
  },
  'missing-operator': {
    why: 'Two values follow each other without an operator between them.',
    bad: 'properties["plan"] == "pro" properties["amount"] > 100',
    good: 'properties["plan"] == "pro" and properties["amount"] > 100',
  },
  'missing-parenthesis': {
    why: 'A function takes its argument in parentheses.',
    bad: 'floor properties["amount"]',
    good: 'floor(properties["amount"])',
  },
  'missing-bracket': {
    why: 'There is no value for all properties together. Name one.',
    bad: 'properties == "pro"',
    good: 'properties["plan"] == "pro"',
  },
  'several-operands': {
    why: 'Every function takes exactly one argument.',
    bad: 'round(properties["amount"], 2)',
    good: 'round(properties["amount"] * 100) / 100',
  },
  'missing-comma': {
    why: 'Commas separate the items of a list.',
    bad: 'properties["plan"] in ["pro" "team"]',
    good: 'properties["plan"] in ["pro", "team"]',
  },
  'misplaced-comma': {
    why: 'A comma does not join conditions.',
    bad: 'properties["plan"] == "pro", properties["amount"] > 100',
    good: 'properties["plan"] == "pro" and properties["amount"] > 100',
  },
  'unclosed-bracket': {
    why: 'Every opening bracket or parenthesis needs its closing one.',
    bad: '(properties["amount"] + 1 > 100',
    good: '(properties["amount"] + 1) > 100',
  },
  'unmatched-bracket': {
    why: 'A closing bracket or parenthesis has no opening one.',
    bad: 'properties["amount"] + 1) > 100',
    good: '(properties["amount"] + 1) > 100',
  },
  'trailing-comma': {
    why: 'A list ends with an item, not with a comma.',
    bad: 'properties["plan"] in ["pro", "team",]',
    good: 'properties["plan"] in ["pro", "team"]',
  },
  'misplaced-list': {
    why: 'You can write a list only to the right of `in`.',
    bad: 'properties["plan"] == ["pro", "team"]',
    good: 'properties["plan"] in ["pro", "team"]',
  },
  'list-item': {
    why: 'The items of a list are constants: strings, numbers, `true` and `false`.',
    bad: 'properties["plan"] in ["pro", user["plan"]]',
    good: 'properties["plan"] == "pro" or properties["plan"] == user["plan"]',
  },
  'misplaced-not': {
    why: '`not` binds less tightly than comparisons and arithmetic, so it cannot be an operand of them without parentheses.',
    bad: 'properties["is_paid"] == not true',
    good: 'properties["is_paid"] == (not true)',
  },
  'operand-type': {
    why: '`and`, `or` and `not` take booleans. A string or a number there is an error on every record, so the expression is refused.',
    bad: 'properties["plan"] == "pro" or "team"',
    good: 'properties["plan"] == "pro" or properties["plan"] == "team"',
  },
  'filter-type': {
    why: 'A filter selects the records for which it is true. This one can be neither true nor false.',
    bad: '"pro"',
    good: 'properties["plan"] == "pro"',
    options: { use: 'where' },
  },
  'always-undefined': {
    why: 'The operator does not take operands of these types. It never converts: cast explicitly.',
    bad: 'properties["plan"] == "plan " + 1',
    good: 'properties["plan"] == "plan " + string(1)',
  },
  'no-value': {
    why: 'The operation has no result for these constants, for example a division by zero.',
    bad: 'properties["amount"] > 1 / 0',
    good: 'properties["amount"] > 1',
  },
  'never-equal': {
    why: '`==` compares type and value, so a string never equals a number.',
    bad: 'string(properties["amount"]) == 100',
    good: 'number(properties["amount"]) == 100',
  },
  'chained-comparison': {
    why: '`1 < x < 3` means `(1 < x) < 3`, which compares a boolean with a number.',
    bad: '1 < properties["amount"] < 3',
    good: '1 < properties["amount"] and properties["amount"] < 3',
  },
  'text-order': {
    why: 'Two strings are compared character by character, so `"9"` is greater than `"10"`.',
    bad: 'properties["age"] < "10"',
    good: 'number(properties["age"]) < 10',
  },
  'date-arithmetic': {
    why: 'Without quotes, the hyphens of a date are minus signs.',
    bad: 'datetime(properties["signup"]) < datetime(2025-06-01)',
    good: 'datetime(properties["signup"]) < datetime("2025-06-01")',
  },
  milliseconds: {
    why: 'The time of an event is in Unix seconds. `datetime` reads both seconds and milliseconds.',
    bad: 'properties["time"] > 1750000000000',
    good: 'properties["time"] > 1750000000',
  },
  'date-text': {
    why: 'A number and a string are never equal, and have no order. `datetime` turns the string into Unix seconds.',
    bad: 'properties["time"] > "2025-06-01"',
    good: 'properties["time"] > datetime("2025-06-01")',
    options: { schema: { properties: { time: { types: ['number'] } } } },
  },
  'swapped-in': {
    why: 'The part comes before `in`, and what it is part of after it.',
    bad: 'properties["tags"] in "sale"',
    good: '"sale" in properties["tags"]',
    options: { schema: { properties: { tags: { types: ['list'] } } } },
  },
  'unknown-property': {
    why: 'With a schema, a property that the schema does not have is probably misspelled.',
    bad: 'properties["paln"] == "pro"',
    good: 'properties["plan"] == "pro"',
    options: PLAN,
  },
  'unknown-value': {
    why: 'With a schema that lists the values of a property, another value is probably misspelled.',
    bad: 'properties["plan"] == "Pro"',
    good: 'properties["plan"] == "pro"',
    options: PLAN,
  },
  'never-true': {
    why: 'No record makes this condition true. Either it is not a boolean on any record, as a string that is used as a filter, or conditions contradict each other: no record meets all that `and` joins.',
    bad: 'properties["plan"] == "free" and properties["plan"] == "pro"',
    good: 'properties["plan"] == "free" or properties["plan"] == "pro"',
    options: RELATED,
  },
  'always-true': {
    why: 'Every record makes this condition true, so it rules none out. Often `or` joins two conditions with `!=`, where `and` is meant.',
    bad: 'properties["plan"] != "free" or properties["plan"] != "pro"',
    good: 'properties["plan"] != "free" and properties["plan"] != "pro"',
    options: RELATED,
  },
  'redundant-condition': {
    why: 'Without this condition or item of a list, the same records are selected and the same ones raise type errors. A comparison implies that the property is defined, so `defined` beside it makes no difference either.',
    bad: 'properties["amount"] > 10 and properties["amount"] > 5',
    good: 'properties["amount"] > 10',
    options: RELATED,
  },
  'unreachable-condition': {
    why: 'Where this condition counts, the conditions around it rule it out. Alone it could be true.',
    bad: 'properties["plan"] == "free" and (properties["plan"] == "pro" or properties["amount"] > 10)',
    good: 'properties["plan"] == "pro" or properties["plan"] == "free" and properties["amount"] > 10',
    options: RELATED,
  },
  'never-number': {
    why: 'A sum or an average counts what is not a number as 0. This expression is never a number.',
    bad: 'string(properties["amount"])',
    good: 'number(properties["amount"])',
    options: { use: 'number' },
  },
};
