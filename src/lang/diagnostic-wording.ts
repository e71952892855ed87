import { quoteString } from '../base/strings.ts';
import { describeTypes, type TypeSet } from './types.ts';
import type { Value } from './value.ts';
import { listValues, showValue } from './value.ts';

export type Severity = 'error' | 'warning';

/** The words of a code. */
export interface Wording<Details> {
  readonly severity: Severity;
  readonly message: (details: Details) => string;
  readonly help?: (details: Details) => string | undefined;
}

const wordAs =
  (severity: Severity) =>
  <Details = undefined>(
    message: (details: Details) => string,
    help?: (details: Details) => string | undefined,
  ): Wording<Details> => ({ severity, message, ...(help && { help }) });

const error = wordAs('error');
const warning = wordAs('warning');

interface Nearest {
  readonly name: string;
  readonly nearest?: string | undefined;
}

const didYouMean = ({ nearest }: Pick<Nearest, 'nearest'>) => nearest && `Did you mean ${quoteString(nearest)}?`;

const BRACES = 'Write the condition without braces. Parentheses group conditions: (...).';

/** Advice for characters that are not part of the language. */
const CHARACTERS: Readonly<Record<string, string>> = {
  ';': 'Nothing ends an expression. Remove it, or write `and` or `or` in its place.',
  '{': BRACES,
  '}': BRACES,
  '\u00a0': 'This is a non-breaking space. Write an ordinary space.',
};

/** All diagnostic codes with their severity, message and advice. A code never changes its meaning. */
// biome-ignore format: a table, to be read by its rows
export const CATALOGUE = {
  // Limits
  'source-too-long': error<{ length: number; limit: number }>(
    ({ length, limit }) => `The expression is ${length} characters long; the limit is ${limit}.`,
    () => 'Write a long list of alternatives as one `in [...]`, or split the filter.'),
  'too-deep': error<{ limit: number }>(
    ({ limit }) => `The expression is nested more than ${limit} levels deep.`,
    () => 'Remove parentheses, or split the expression. A chain of one `and` or one `or` is a single level.'),

  // Tokens
  'unexpected-character': error<{ character: string }>(
    ({ character }) => `Unexpected character ${quoteString(character)}.`,
    ({ character }) => CHARACTERS[character] ?? 'Remove it. If it belongs to a string, write the string in quotes: "like this".'),
  'unclosed-string': error<{ property?: string | undefined }>(
    () => 'This string is never closed.',
    ({ property }) => property ? `Write ${property}.` : 'End it on the same line with the quote that it begins with. A line break inside a string is written \\n.'),
  'invalid-escape': error<{ written: string }>(
    ({ written }) => `${written} is not an escape sequence.`,
    () => 'The escape sequences are \\" \\\' \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits. Write a backslash as \\\\.'),
  'lone-surrogate': error(
    () => 'This string contains half of a surrogate pair, which is not a character.',
    () => 'Write both halves, \\ud83d\\ude00, or the character itself.'),
  'malformed-number': error<{ text: string; duration?: string | undefined; meant?: string | undefined }>(
    ({ text }) => `${text} is not a number.`,
    ({ duration, meant }) => duration
      ? `Numbers have no units. As seconds, which \`now\` counts in, it is ${duration}.`
      : meant
      ? `Write ${meant}.`
      : 'Write a number as 12, 0.5, .5 or 1e3, with a space or a symbol after it. Strings are written in quotes.'),
  'number-too-large': error(
    () => 'This number is too large for a double.',
    () => 'The largest number is about 1.8e308.'),
  'grouped-digits': error<{ text: string }>(
    () => 'Numbers have no separators for thousands.',
    ({ text }) => `Write ${text}.`),
  'doubled-quote': error<{ text: string }>(
    () => 'A doubled quote ends the string and begins another.',
    ({ text }) => `Write a quote inside a string with a backslash: ${text}.`),
  'curly-quotes': error<{ text: string }>(
    () => 'Curly quotes do not delimit strings.',
    ({ text }) => `Use straight quotes: ${text}.`),
  comment: error<{ divides: boolean }>(
    () => 'Expressions cannot contain comments.',
    ({ divides }) => `Remove it.${divides ? ' To divide and round down, write floor(a / b).' : ''}`),

  // Words and symbols of other languages
  'single-equals': error(
    () => '`=` is not an operator.',
    () => 'Write `==`.'),
  'foreign-operator': error<{ written: string; meant: string }>(
    ({ written }) => `\`${written}\` is not an operator.`,
    ({ meant }) => `Write \`${meant}\`.`),
  'unknown-operator': error<{ name: string }>(
    ({ name }) => `${quoteString(name)} is not an operator.`,
    () => 'The operators are + - * / % == != < <= > >= in and or not.'),
  'no-equivalent': error<{ written: string; instead?: string | undefined }>(
    ({ written }) => `The language has no equivalent of \`${written}\`.`,
    ({ instead }) => instead),
  'conditional': error<{ meant?: string | undefined }>(
    () => 'The language has no conditional expression.',
    ({ meant }) => meant
      ? `Write \`${meant}\`.`
      : 'Between two conditions, write (test and first) or (not test and second). Instead of other values, use the test: its segments are true and false.'),
  'leading-word': error<{ word: string }>(
    ({ word }) => `An expression does not begin with \`${word}\`.`,
    () => 'Write the condition alone.'),
  'not-in': error<{ meant: string }>(
    () => '`not in` is not an operator.',
    ({ meant }) => `Put \`not\` in front: \`${meant}\`.`),
  'list-parentheses': error<{ meant: string }>(
    () => 'Lists use square brackets.',
    ({ meant }) => `Write ${meant}.`),
  'bare-name': error<{ name: string; property: string; inList?: boolean; isQuoted?: boolean }>(
    ({ name }) => `Unknown name ${quoteString(name)}.`,
    ({ name, property, inList, isQuoted }) => inList ? `A list has strings, not properties. Write ${quoteString(name)}.` : isQuoted ? `Write ${property}.` : `Write ${property} for the property, or ${quoteString(name)} for the string.`),
  'null-literal': error<{ written: string; meant?: string | undefined }>(
    ({ written }) => `\`${written}\` is not a literal.`,
    ({ meant }) => meant ? `Write \`${meant}\`.` : 'Write `defined(properties["name"])` to test that a property is present, `not defined(...)` that it is missing or null.'),
  'unknown-function': error<Nearest & { known: string }>(
    ({ name }) => `${quoteString(name)} is not a function.`,
    ({ nearest, known }) => (nearest ? `Did you mean \`${nearest}\`?` : `The functions are ${known}.`)),
  'unknown-source': error<Nearest>(
    ({ name }) => `Properties cannot be read from ${quoteString(name)}.`,
    ({ nearest }) => nearest
      ? `Did you mean \`${nearest}\`?`
      : 'Write properties["name"] for a property of the event, user["name"] for a property of its user.'),
  'event-name': error(
    () => 'The name of the event is not part of an expression.',
    () => 'Leave this condition out, and choose events with the parameter `event`, or with `--event` on the command line.'),
  'called-property': error<{ property: string }>(
    () => 'Properties are read with square brackets.',
    ({ property }) => `Write ${property}.`),
  'dotted-property': error<{ property: string }>(
    () => 'Properties are not read with a dot.',
    ({ property }) => `Write ${property}${property.includes('.') ? ' if that is its whole name: fields of a nested object cannot be read' : ''}.`),
  'property-name': error<{ property: string }>(
    () => 'The name of a property must be a string in quotes.',
    ({ property }) => `Write ${property}.`),
  'nested-property': error<{ index: boolean; property: string; part?: string }>(
    ({ index }) => index ? 'Elements of a list are not read one by one.' : 'Nested properties cannot be read: an object reads as undefined.',
    ({ index, property, part = '"part"' }) => index ? `To search in a list, write ${part} in ${property}.` : `Send the inner value as a top-level property. Files have it as ${property} with \`--flatten\`.`),
  'needless-parentheses': error<{ word: string }>(
    ({ word }) => `\`${word}\` is not a function.`,
    ({ word }) => `Write \`${word}\` without the parentheses.`),

  // Structure
  'empty-expression': error(
    () => 'The expression is empty.',
    () => 'Try properties["name"] == "value".'),
  'missing-operand': error<{ found: string; left?: string | undefined; joint?: string | undefined }>(
    ({ found }) => `A value is missing before ${found}.`,
    ({ left, joint }) => left ? `Repeat what is compared: ${left}.` : joint ? `Remove \`${joint}\`, or write a condition on both sides.` : 'A value is a property like properties["name"], a string in quotes, a number, true, false, a call or an expression in parentheses.'),
  'missing-operator': error<{ found: string }>(
    ({ found }) => `An operator is missing before ${found}.`,
    () => 'Put an operator such as `and`, `==` or `+` between the two values.'),
  'missing-parenthesis': error<{ name: string }>(
    ({ name }) => `The function \`${name}\` takes its argument in parentheses.`,
    ({ name }) => `Write \`${name}(...)\`.`),
  'missing-bracket': error<{ scope: string }>(
    ({ scope }) => `\`${scope}\` alone is not a value.`,
    ({ scope }) => `Name the property to read: ${scope}["name"].`),
  'several-operands': error(
    () => 'A function takes a single argument.',
    () => 'Keep the first.'),
  'missing-comma': error<{ found: string }>(
    ({ found }) => `A comma is missing before ${found}.`),
  'misplaced-comma': error(
    () => 'Commas are only allowed between the items of a list.',
    () => 'Join conditions with `and` or `or`. Lists use square brackets: in ["free", "pro"].'),
  'unclosed-bracket': error<{ open: string; close: string; property?: string }>(
    ({ open }) => `This \`${open}\` is never closed.`,
    ({ close, property }) => property ? `Write ${property}.` : `Add \`${close}\` where it should end.`),
  'unmatched-bracket': error<{ close: string }>(
    ({ close }) => `This \`${close}\` has no opening bracket.`,
    () => 'Remove it, or add the opening bracket.'),
  'trailing-comma': error(
    () => 'Trailing commas are not allowed.',
    () => 'Remove the comma.'),
  'misplaced-list': error(
    () => 'A list is only allowed on the right of `in`.',
    () => 'To test for one of several values, write properties["plan"] in ["pro", "team"].'),
  'list-item': error<{ found: string }>(
    ({ found }) => `Expected a list item, but found ${found}.`,
    () => 'The items of a list are strings, numbers, true and false, separated by commas.'),
  'misplaced-not': error<{ before: string }>(
    ({ before }) => `\`not\` cannot follow \`${before}\`, which binds tighter.`,
    () => 'Put `not` and its operand in parentheses: (not ...).'),

  // Types: errors on every record, or on one that was evaluated
  'operand-type': error<{ operator: string; found: TypeSet; meant?: string | undefined }>(
    ({ operator, found }) => `\`${operator}\` takes booleans; this is ${describeTypes(found)}.`,
    ({ meant }) => meant ? `Write ${meant}.` : 'Compare it, test it with `defined(...)`, or convert it with `boolean(...)`.'),
  'alternatives': error<{ operator: string; meant: string }>(
    ({ operator }) => `\`${operator}\` compares with a single value.`,
    ({ meant }) => `To compare with several values, write ${meant}.`),
  'filter-type': error<{ found: TypeSet }>(
    ({ found }) => `A filter must be true or false; this is ${describeTypes(found)}.`,
    () => 'Compare it, test it with `defined(...)`, or convert it with `boolean(...)`.'),

  // Engines: expressions that one of them cannot evaluate exactly
  'unsupported': error<{ engine: string; reason: string }>(
    ({ engine, reason }) => `${engine} cannot evaluate this exactly: ${reason}.`,
    () => 'Split the filter and evaluate this part in memory, or leave it out.'),

  // Translation: filters of other languages
  'untranslatable': error<{ reason: string }>(
    ({ reason }) => reason),

  // Types: expressions that cannot mean what they say
  'always-undefined': warning<{ operator: string; found: readonly TypeSet[]; takes: string }>(
    ({ operator, found }) => `\`${operator}\` is always undefined for ${found.map(describeTypes).join(' and ')}.`,
    ({ takes }) => `It takes ${takes}.`),
  'no-value': warning<{ operator: string; meant?: string | undefined }>(
    ({ operator }) => `\`${operator}\` is always undefined for this value.`,
    ({ operator, meant }) => operator === 'datetime' ? `Write a date as ${meant ?? '"2025-06-01" or "2025-06-01T12:00:00Z"'}.` : undefined),
  'never-equal': warning<{ operator: string; left: TypeSet; right: TypeSet; result: boolean }>(
    ({ operator, left, right, result }) =>
      `\`${operator}\` compares ${describeTypes(left)} with ${describeTypes(right)}, which are never equal: always ${result}.`,
    () => 'Values of different types are never equal. Convert one side with `string(...)` or `number(...)`.'),
  'chained-comparison': warning<{ meant?: string | undefined }>(
    () => 'Comparisons do not chain: the second compares the result of the first, a boolean.',
    ({ meant }) => meant ? `Write ${meant}.` : 'Join two comparisons with `and`, or put the first in parentheses to compare its result.'),
  'text-order': warning<{ text: string; meant?: string | undefined }>(
    () => 'This compares strings character by character: "10" comes before "9".',
    ({ text, meant }) => meant ? `Dates are in order if all are written as ${meant}.` : `To compare numbers, write ${text} without the quotes, and number(...) around a side that is a string.`),
  'date-arithmetic': warning<{ text: string; value: string }>(
    ({ text, value }) => `${text} is a subtraction, ${value}.`,
    ({ text }) => `Write a date in quotes: datetime("${text}").`),
  milliseconds: warning<{ meant: string }>(
    () => 'Times are in seconds; this number is in milliseconds.',
    ({ meant }) => `Write ${meant}.`),
  'date-text': warning<{ text: string }>(
    ({ text }) => `This compares a time, a number of seconds, with the string ${quoteString(text)}.`,
    ({ text }) => `Write datetime(${quoteString(text)}).`),
  'swapped-in': warning<{ meant: string; isList: boolean }>(
    () => 'This searches for the property in the string.',
    ({ meant, isList }) => `To search for ${isList ? 'one of several values' : 'the string in the property'}, write ${meant}.`),
  'unknown-property': warning<Nearest>(
    ({ name }) => `${quoteString(name)} is not a known property.`,
    didYouMean),
  'unknown-value': warning<Nearest & { value: Value; values: readonly Value[] }>(
    ({ name, value }) => `${showValue(value)} is not a known value of ${quoteString(name)}.`,
    ({ nearest, values }) => didYouMean({ nearest }) ?? `Its values are ${listValues(values, showValue)}.`),
  'never-true': warning<{ operator: string | undefined; found: TypeSet }>(
    ({ operator, found }) =>
      `${operator ? `\`${operator}\` takes booleans` : 'A filter must be true or false'}; this is ${describeTypes(found)}: never true, and an error unless it is undefined.`,
    () => 'Compare it, test it with `defined(...)`, or convert it with `boolean(...)`.'),
  'never-number': warning<{ found: TypeSet }>(
    ({ found }) => `This is ${describeTypes(found)}, which counts as 0 on every record.`,
    () => 'Convert it with `number(...)`.'),
} satisfies Record<string, Wording<never>>;
