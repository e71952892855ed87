import type { Span } from './source.ts';
import { describeTypes, type TypeSet } from './types.ts';
import { quoteString } from './util/strings.ts';
import type { Value } from './value.ts';
import { listValues, showValue } from './value.ts';

export type Severity = 'error' | 'warning';

/** What mends the expression for certain: the text to put in place of the span. */
export interface Fix {
  readonly span: Span;
  readonly text: string;
}

/** One thing to say about an expression: plain data, ready for JSON. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly message: string;
  /** What to do about it. */
  readonly help?: string;
  readonly span: Span;
  readonly fix?: Fix;
}

interface Wording<Details> {
  readonly severity: Severity;
  readonly message: (details: Details) => string;
  readonly help?: (details: Details) => string | undefined;
}

function error<Details = undefined>(
  message: (details: Details) => string,
  help?: (details: Details) => string | undefined,
): Wording<Details> {
  return { severity: 'error', message, ...(help && { help }) };
}

function warning<Details = undefined>(
  message: (details: Details) => string,
  help?: (details: Details) => string | undefined,
): Wording<Details> {
  return { severity: 'warning', message, ...(help && { help }) };
}

interface Nearest {
  readonly name: string;
  readonly nearest?: string | undefined;
}

const didYouMean = ({ nearest }: Pick<Nearest, 'nearest'>) => nearest && `Did you mean ${quoteString(nearest)}?`;

/** Every code there is, with its severity, its wording and its advice. A code never changes its meaning. */
// biome-ignore format: a table, to be read by its rows
const CATALOGUE = {
  // Limits
  'source-too-long': error<{ length: number; limit: number }>(
    ({ length, limit }) => `The expression is ${length} characters long; the limit is ${limit}.`,
    () => 'Write a long list of alternatives as one `in [...]`, or split the filter.'),
  'too-deep': error<{ limit: number }>(
    ({ limit }) => `The expression is nested more than ${limit} levels deep.`,
    () => 'Take parentheses out, or split the expression. A chain of one `and` or one `or` is a single level.'),

  // Tokens
  'unexpected-character': error<{ character: string }>(
    ({ character }) => `The character ${quoteString(character)} has no meaning here.`,
    () => 'Text stands in quotes: "like this".'),
  'unclosed-string': error(
    () => 'This text is never closed.',
    () => 'End it on the same line with the quote that it begins with; a line break inside is written \\n.'),
  'invalid-escape': error<{ written: string }>(
    ({ written }) => `${written} is not an escape.`,
    () => 'The escapes are \\" \\\' \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits. A backslash itself is \\\\.'),
  'lone-surrogate': error(
    () => 'This text holds half of a surrogate pair, which is no character.',
    () => 'Write both halves, \\ud83d\\ude00, or the character itself.'),
  'malformed-number': error<{ text: string }>(
    ({ text }) => `${text} is not a number.`,
    () => 'A number is written 12, 0.5, .5 or 1e3, and is followed by a space or a symbol; text stands in quotes.'),
  'number-too-large': error(
    () => 'This number is larger than a double can be.'),
  'curly-quotes': error(
    () => 'Curly quotes do not mark text.',
    () => 'Use straight quotes, " or \'.'),
  comment: error(
    () => 'Expressions have no comments.'),

  // Words and symbols of other languages
  'single-equals': error(
    () => '`=` does not compare.',
    () => 'Write `==`.'),
  'foreign-operator': error<{ written: string; meant: string }>(
    ({ written }) => `\`${written}\` is not an operator of this language.`,
    ({ meant }) => `Write \`${meant}\`.`),
  'unknown-operator': error<{ name: string }>(
    ({ name }) => `${quoteString(name)} is not an operator.`,
    () => 'The operators are + - * / % == != < <= > >= in and or. "Contains" is written the other way round: "part" in properties["name"].'),
  'not-in': error(
    () => '`not in` is not one operator.',
    () => 'Put `not` in front: `not properties["plan"] in ["free", "trial"]`.'),
  'bare-name': error<{ name: string; property: string }>(
    ({ name }) => `${quoteString(name)} is a bare name.`,
    ({ name, property }) => `A property is written ${property}, text is written ${quoteString(name)}.`),
  'null-literal': error<{ written: string }>(
    ({ written }) => `There is no literal ${written}.`,
    () => 'To ask whether a property is there, write `defined(properties["name"])`, or `not defined(...)` for missing or null.'),
  'unknown-function': error<Nearest & { known: string }>(
    ({ name }) => `There is no function ${quoteString(name)}.`,
    ({ nearest, known }) => (nearest ? `Did you mean \`${nearest}\`?` : `The functions are ${known}.`)),
  'unknown-source': error<Nearest>(
    ({ name }) => `There is nothing called ${quoteString(name)} to read from.`,
    ({ nearest }) => nearest
      ? `Did you mean \`${nearest}\`?`
      : 'The properties of an event are properties["name"], those of its user are user["name"].'),
  'dotted-property': error<{ property: string }>(
    () => 'A property is not read with a dot.',
    ({ property }) => `Write ${property}.`),
  'property-name': error<{ property: string }>(
    () => 'The name of a property is text, in quotes.',
    ({ property }) => `Write ${property}.`),
  'nested-property': error(
    () => 'A property of a property cannot be read: objects are undefined.',
    () => 'Send the inner value as a property of its own.'),
  'needless-parentheses': error<{ word: string }>(
    ({ word }) => `\`${word}\` is a word, not a function.`,
    ({ word }) => `Write \`${word}\` without the parentheses.`),

  // Structure
  'empty-expression': error(
    () => 'There is no expression here.',
    () => 'Try properties["name"] == "value".'),
  'missing-operand': error<{ found: string }>(
    ({ found }) => `A value is missing before ${found}.`,
    () => 'A value is a property like properties["name"], text in quotes, a number, true, false, a call or an expression in parentheses.'),
  'missing-operator': error<{ found: string }>(
    ({ found }) => `An operator is missing before ${found}.`,
    () => 'Put an operator such as `and`, `==` or `+` between the two values.'),
  'missing-parenthesis': error<{ name: string }>(
    ({ name }) => `The function \`${name}\` takes its operand in parentheses.`,
    ({ name }) => `Write \`${name}(...)\`.`),
  'missing-bracket': error<{ scope: string }>(
    ({ scope }) => `\`${scope}\` alone is not a value.`,
    ({ scope }) => `Name the property to read: ${scope}["name"].`),
  'several-operands': error(
    () => 'A function takes a single operand.'),
  'missing-comma': error<{ found: string }>(
    ({ found }) => `A comma is missing before ${found}.`),
  'misplaced-comma': error(
    () => 'A comma only separates the items of a list.',
    () => 'Join conditions with `and` or `or`.'),
  'unclosed-bracket': error<{ open: string; close: string }>(
    ({ open }) => `This \`${open}\` is never closed.`,
    ({ close }) => `Add \`${close}\` where it should end.`),
  'unmatched-bracket': error<{ close: string }>(
    ({ close }) => `This \`${close}\` closes nothing.`,
    () => 'Remove it, or add the bracket that it belongs to.'),
  'trailing-comma': error(
    () => 'The comma after the last item is too many.'),
  'misplaced-list': error(
    () => 'A list can only stand to the right of `in`.',
    () => 'To ask whether a value is one of several, write properties["plan"] in ["pro", "team"].'),
  'list-item': error<{ found: string }>(
    ({ found }) => `A list holds text, numbers, true and false, separated by commas; here stands ${found}.`),
  'misplaced-not': error<{ before: string }>(
    ({ before }) => `\`not\` cannot follow \`${before}\`, which binds tighter.`,
    () => 'Put what `not` belongs to in parentheses: (not ...).'),

  // Types: what fails on every record, or failed on one
  'operand-type': error<{ operator: string; found: TypeSet }>(
    ({ operator, found }) => `\`${operator}\` takes booleans; this is ${describeTypes(found)}.`,
    () => 'Compare it with something, ask `defined(...)`, or convert it with `boolean(...)`.'),
  'filter-type': error<{ found: TypeSet }>(
    ({ found }) => `A filter must be true or false; this is ${describeTypes(found)}.`,
    () => 'Compare it with something, ask `defined(...)`, or convert it with `boolean(...)`.'),

  // Engines: what one of them cannot answer as the others do
  'unsupported': error<{ engine: string; reason: string }>(
    ({ engine, reason }) => `${engine} cannot answer this exactly: ${reason}.`,
    () => 'Split the filter, so that the rest of it is answered in memory, or leave this part out.'),

  // Types: what cannot have been meant
  'always-undefined': warning<{ operator: string; found: readonly TypeSet[]; takes: string }>(
    ({ operator, found }) => `\`${operator}\` has no answer for ${found.map(describeTypes).join(' and ')}: always undefined.`,
    ({ takes }) => `It takes ${takes}.`),
  'no-value': warning<{ operator: string }>(
    ({ operator }) => `\`${operator}\` has no answer for this value: always undefined.`),
  'never-equal': warning<{ operator: string; left: TypeSet; right: TypeSet; answer: boolean }>(
    ({ operator, left, right, answer }) =>
      `\`${operator}\` compares ${describeTypes(left)} with ${describeTypes(right)}, which are never equal: always ${answer}.`,
    () => 'Values of different types are never equal. Convert one side with `string(...)` or `number(...)`.'),
  'chained-comparison': warning(
    () => 'Comparisons do not chain: the second compares the answer of the first, a boolean.',
    () => 'Join two comparisons with `and`; or put the first in parentheses, if its answer is meant.'),
  'text-order': warning<{ text: string }>(
    () => 'This compares text, by its characters: "10" comes before "9".',
    ({ text }) => `To compare numbers, write ${text} without the quotes, and number(...) around a side that is text.`),
  'unknown-property': warning<Nearest>(
    ({ name }) => `No property is called ${quoteString(name)}.`,
    didYouMean),
  'unknown-value': warning<Nearest & { value: Value; values: readonly Value[] }>(
    ({ name, value }) => `No value of ${quoteString(name)} is ${showValue(value)}.`,
    ({ nearest, values }) => didYouMean({ nearest }) ?? `Its values are ${listValues(values, showValue)}.`),
  'never-true': warning<{ operator: string | undefined; found: TypeSet }>(
    ({ operator, found }) =>
      `${operator ? `\`${operator}\` takes booleans` : 'A filter must be true or false'}; this is ${describeTypes(found)}: never true, and an error wherever it is not undefined.`,
    () => 'Compare it with something, ask `defined(...)`, or convert it with `boolean(...)`.'),
  'never-number': warning<{ found: TypeSet }>(
    ({ found }) => `This is ${describeTypes(found)}, and counts as 0 on every record.`,
    () => 'Convert it with `number(...)`.'),
} satisfies Record<string, Wording<never>>;

export type DiagnosticCode = keyof typeof CATALOGUE;

type DetailsOf<Code extends DiagnosticCode> = Parameters<(typeof CATALOGUE)[Code]['message']>[0];

/** What the wording needs to know, left out where it needs nothing, and the fix if there is one. */
type Rest<Code extends DiagnosticCode> = [DetailsOf<Code>] extends [undefined]
  ? [details?: undefined, fix?: Fix | undefined]
  : [details: DetailsOf<Code>, fix?: Fix | undefined];

/** In characters. A message can quote a name several times, and the source has it already. */
const MAX_QUOTED = 200;

/** Returns details of which each text is short enough for a message. */
function clipTexts<Details>(details: Details): Details {
  if (details === undefined) return details;
  const clipped = Object.entries(details as object).map(([name, value]) => [name, clip(value)]);
  return Object.fromEntries(clipped);
}

function clip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clip);
  if (typeof value !== 'string' || value.length <= MAX_QUOTED) return value;
  return `${value.slice(0, MAX_QUOTED).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Words a diagnostic from the catalogue. */
export function diagnose<Code extends DiagnosticCode>(code: Code, span: Span, ...[found, fix]: Rest<Code>): Diagnostic {
  const wording = CATALOGUE[code] as Wording<DetailsOf<Code> | undefined>;
  const details = clipTexts(found);
  const help = wording.help?.(details);
  return {
    code,
    severity: wording.severity,
    message: wording.message(details),
    ...(help !== undefined && { help }),
    span,
    ...(fix !== undefined && { fix }),
  };
}

/** Every code, for documentation and for tests that hold each to an example. */
export const DIAGNOSTIC_CODES = Object.keys(CATALOGUE) as readonly DiagnosticCode[];

/** Source order; at one place an error comes before a warning. */
export function compareByPosition(left: Diagnostic, right: Diagnostic): number {
  return (
    left.span.start - right.span.start ||
    Number(left.severity === 'warning') - Number(right.severity === 'warning') ||
    left.span.end - right.span.end
  );
}
