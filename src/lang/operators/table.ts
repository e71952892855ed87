import { ANY, BOOLEAN, LIST, NULL, NUMBER, STRING, UNDEFINED } from '../types.ts';
import { unreachable } from '../util/unreachable.ts';
import { compareStrings, formatDecimal, isEqual, parseDecimal, undefinedIfNotFinite, type Value } from '../value.ts';
import { isElement, parseBoolean, roundHalfAway } from './functions.ts';
import {
  type BinaryRow,
  type FunctionRow,
  type LogicalRow,
  type OperatorRow,
  POWER,
  type Power,
  type PrefixRow,
  type WordRow,
} from './row.ts';
import { parseDateTime, toSeconds } from './time.ts';

// A row is all there is to an operator: types of names and overloads are derived from the rows, so that code with an entry
// for each of them does not compile until a new row has one, too.

const FINITE = NUMBER | UNDEFINED;

// biome-ignore format: a table, to be read by its rows
export const LOGICAL = {
  or: {
    name: 'or', fixity: 'logical', power: POWER.or, decidedBy: true,
    summary: 'True if some operand is true. An operand that is neither a boolean nor undefined is a type error.',
    examples: [['false or true', 'true'], ['properties["missing"] or false', 'false']],
  },
  and: {
    name: 'and', fixity: 'logical', power: POWER.and, decidedBy: false,
    summary: 'True if every operand is true. An operand that is neither a boolean nor undefined is a type error.',
    examples: [['true and 1 < 2', 'true'], ['true and properties["missing"]', 'false']],
  },
} as const satisfies Record<string, LogicalRow>;

// biome-ignore format: a table, to be read by its rows
export const PREFIX = {
  not: {
    name: 'not', fixity: 'prefix', power: POWER.not,
    summary: 'The opposite of a boolean; true for undefined.',
    examples: [['not 1 == 2', 'true'], ['not properties["missing"]', 'true'], ['not "text"', 'undefined']],
    overloads: [
      { id: 'not.boolean', operands: [BOOLEAN], result: BOOLEAN, answer: (operand: boolean) => !operand },
      { id: 'not.undefined', operands: [UNDEFINED], result: BOOLEAN, answer: () => true },
    ],
  },
  '-': {
    name: '-', fixity: 'prefix', power: POWER.negation,
    summary: 'The opposite of a number.',
    examples: [['- 2 * 3', '-6'], ['-"2"', 'undefined']],
    overloads: [{ id: 'negate', operands: [NUMBER], result: NUMBER, answer: (operand: number) => undefinedIfNotFinite(-operand), kernel: (a) => `-${a}` }],
  },
} as const satisfies Record<string, PrefixRow>;

/** The operators that compare times if one side is a `datetime(...)` call (language, section 4, rule 10). */
// biome-ignore format: a table, to be read by its rows
export const COMPARISONS = {
  '==': {
    name: '==', fixity: 'infix', power: POWER.comparison,
    summary: 'Whether two values are of one type and equal. Text is compared exactly, lists element by element.',
    examples: [['1 == 1.0', 'true'], ['"1" == 1', 'false'], ['properties["missing"] == properties["absent"]', 'true']],
    overloads: [{ id: 'equal', operands: [ANY, ANY], result: BOOLEAN, grows: 'shorter', answer: isEqual }],
  },
  '!=': {
    name: '!=', fixity: 'infix', power: POWER.comparison,
    summary: 'The opposite of `==`.',
    examples: [['"pro" != "Pro"', 'true'], ['properties["missing"] != 1', 'true']],
    overloads: [{ id: 'unequal', operands: [ANY, ANY], result: BOOLEAN, grows: 'shorter', answer: (left: Value, right: Value) => !isEqual(left, right) }],
  },
  '<': {
    name: '<', fixity: 'infix', power: POWER.comparison,
    summary: 'Whether a number is less than a number, or a text before a text by Unicode code point.',
    examples: [['1 < 2', 'true'], ['"2024-12-31" < "2025-01-01"', 'true'], ['1 < "2"', 'undefined']],
    overloads: [
      { id: 'less.number', operands: [NUMBER, NUMBER], result: BOOLEAN, answer: (left: number, right: number) => left < right, kernel: (a, b) => `${a} < ${b}` },
      { id: 'less.string', operands: [STRING, STRING], result: BOOLEAN, grows: 'shorter', answer: (left: string, right: string) => compareStrings(left, right) < 0 },
    ],
  },
  '<=': {
    name: '<=', fixity: 'infix', power: POWER.comparison,
    summary: 'Whether a number is at most a number, or a text not after a text.',
    examples: [['2 <= 2', 'true'], ['"b" <= "a"', 'false']],
    overloads: [
      { id: 'atMost.number', operands: [NUMBER, NUMBER], result: BOOLEAN, answer: (left: number, right: number) => left <= right, kernel: (a, b) => `${a} <= ${b}` },
      { id: 'atMost.string', operands: [STRING, STRING], result: BOOLEAN, grows: 'shorter', answer: (left: string, right: string) => compareStrings(left, right) <= 0 },
    ],
  },
  '>': {
    name: '>', fixity: 'infix', power: POWER.comparison,
    summary: 'Whether a number is greater than a number, or a text after a text.',
    examples: [['3 > 2', 'true'], ['"10" > "9"', 'false']],
    overloads: [
      { id: 'greater.number', operands: [NUMBER, NUMBER], result: BOOLEAN, answer: (left: number, right: number) => left > right, kernel: (a, b) => `${a} > ${b}` },
      { id: 'greater.string', operands: [STRING, STRING], result: BOOLEAN, grows: 'shorter', answer: (left: string, right: string) => compareStrings(left, right) > 0 },
    ],
  },
  '>=': {
    name: '>=', fixity: 'infix', power: POWER.comparison,
    summary: 'Whether a number is at least a number, or a text not before a text.',
    examples: [['2 >= 3', 'false'], ['"b" >= "a"', 'true']],
    overloads: [
      { id: 'atLeast.number', operands: [NUMBER, NUMBER], result: BOOLEAN, answer: (left: number, right: number) => left >= right, kernel: (a, b) => `${a} >= ${b}` },
      { id: 'atLeast.string', operands: [STRING, STRING], result: BOOLEAN, grows: 'shorter', answer: (left: string, right: string) => compareStrings(left, right) >= 0 },
    ],
  },
} as const satisfies Record<string, BinaryRow>;

// biome-ignore format: a table, to be read by its rows
export const BINARY = {
  ...COMPARISONS,
  in: {
    name: 'in', fixity: 'infix', power: POWER.comparison,
    summary: 'Whether a text is part of a text, or a value is an element of a list: one from a property, or a written one.',
    examples: [['"ro" in "pro"', 'true'], ['2 in [1, 2, 3]', 'true'], ['"1" in [1]', 'false'], ['1 in "1"', 'undefined']],
    overloads: [
      { id: 'part', operands: [STRING, STRING], result: BOOLEAN, grows: 'last', answer: (left: string, right: string) => right.includes(left) },
      { id: 'element', operands: [ANY, LIST], result: BOOLEAN, grows: 'last', answer: isElement },
    ],
  },
  '+': {
    name: '+', fixity: 'infix', power: POWER.sum,
    summary: 'Adds two numbers, joins two texts.',
    examples: [['1 + 2', '3'], ['"a" + "b"', '"ab"'], ['"a" + 1', 'undefined']],
    overloads: [
      { id: 'add', operands: [NUMBER, NUMBER], result: FINITE, answer: (left: number, right: number) => undefinedIfNotFinite(left + right), kernel: (a, b) => `nanIfNotFinite(${a} + ${b})` },
      { id: 'join', operands: [STRING, STRING], result: STRING, grows: 'any', answer: (left: string, right: string) => left + right },
    ],
  },
  '-': {
    name: '-', fixity: 'infix', power: POWER.sum,
    summary: 'Subtracts a number from a number.',
    examples: [['5 - 2 - 1', '2'], ['"5" - 2', 'undefined']],
    overloads: [{ id: 'subtract', operands: [NUMBER, NUMBER], result: FINITE, answer: (left: number, right: number) => undefinedIfNotFinite(left - right), kernel: (a, b) => `nanIfNotFinite(${a} - ${b})` }],
  },
  '*': {
    name: '*', fixity: 'infix', power: POWER.product,
    summary: 'Multiplies two numbers.',
    examples: [['2 * 3 + 1', '7'], ['1e308 * 10', 'undefined']],
    overloads: [{ id: 'multiply', operands: [NUMBER, NUMBER], result: FINITE, answer: (left: number, right: number) => undefinedIfNotFinite(left * right), kernel: (a, b) => `nanIfNotFinite(${a} * ${b})` }],
  },
  '/': {
    name: '/', fixity: 'infix', power: POWER.product,
    summary: 'Divides a number by a number; undefined by 0.',
    examples: [['7 / 2', '3.5'], ['1 / 0', 'undefined']],
    overloads: [{ id: 'divide', operands: [NUMBER, NUMBER], result: FINITE, answer: (left: number, right: number) => undefinedIfNotFinite(left / right), kernel: (a, b) => `nanIfNotFinite(${a} / ${b})` }],
  },
  '%': {
    name: '%', fixity: 'infix', power: POWER.product,
    summary: 'The remainder of a division, with the sign of the dividend; undefined by 0.',
    examples: [['7 % 3', '1'], ['-7 % 3', '-1'], ['7 % 0', 'undefined']],
    overloads: [{ id: 'remainder', operands: [NUMBER, NUMBER], result: FINITE, answer: (left: number, right: number) => undefinedIfNotFinite(left % right), kernel: (a, b) => `computeRemainder(${a}, ${b})` }],
  },
} as const satisfies Record<string, BinaryRow>;

// biome-ignore format: a table, to be read by its rows
export const FUNCTIONS = {
  floor: {
    name: 'floor', fixity: 'function', power: POWER.primary,
    summary: 'The greatest whole number that is not above a number.',
    examples: [['floor(2.7)', '2'], ['floor(-2.5)', '-3'], ['floor("2")', 'undefined']],
    overloads: [{ id: 'floor', operands: [NUMBER], result: NUMBER, answer: (operand: number) => undefinedIfNotFinite(Math.floor(operand)), kernel: (a) => `Math.floor(${a})` }],
  },
  round: {
    name: 'round', fixity: 'function', power: POWER.primary,
    summary: 'The nearest whole number; halves go away from zero.',
    examples: [['round(2.5)', '3'], ['round(-2.5)', '-3'], ['round(0.49999999999999994)', '0']],
    overloads: [{ id: 'round', operands: [NUMBER], result: NUMBER, answer: roundHalfAway }],
  },
  ceil: {
    name: 'ceil', fixity: 'function', power: POWER.primary,
    summary: 'The smallest whole number that is not below a number.',
    examples: [['ceil(2.1)', '3'], ['ceil(-0.5)', '0']],
    overloads: [{ id: 'ceil', operands: [NUMBER], result: NUMBER, answer: (operand: number) => undefinedIfNotFinite(Math.ceil(operand)), kernel: (a) => `Math.ceil(${a})` }],
  },
  string: {
    name: 'string', fixity: 'function', power: POWER.primary,
    summary: 'The text of a value: decimal digits for a number, never with an exponent. Null stays null.',
    examples: [['string(1.50)', '"1.5"'], ['string(1e21)', '"1000000000000000000000"'], ['string(true)', '"true"']],
    overloads: [
      { id: 'string.string', operands: [STRING], result: STRING, grows: 'never', answer: (operand: string) => operand },
      { id: 'string.number', operands: [NUMBER], result: STRING, answer: formatDecimal },
      { id: 'string.boolean', operands: [BOOLEAN], result: STRING, answer: (operand: boolean) => (operand ? 'true' : 'false') },
      { id: 'string.null', operands: [NULL], result: NULL, answer: () => null },
    ],
  },
  number: {
    name: 'number', fixity: 'function', power: POWER.primary,
    summary: 'The number that a decimal text means; 1 for true and 0 for false.',
    examples: [['number("1e3")', '1000'], ['number(" 12 ")', 'undefined'], ['number(true)', '1']],
    overloads: [
      { id: 'number.string', operands: [STRING], result: FINITE, grows: 'any', answer: parseDecimal },
      { id: 'number.number', operands: [NUMBER], result: NUMBER, answer: (operand: number) => operand },
      { id: 'number.boolean', operands: [BOOLEAN], result: NUMBER, answer: (operand: boolean) => (operand ? 1 : 0) },
    ],
  },
  boolean: {
    name: 'boolean', fixity: 'function', power: POWER.primary,
    summary: '"true", "1", "yes" and numbers other than 0 are true; "false", "0", "no", 0, null and undefined are false.',
    examples: [['boolean("yes")', 'true'], ['boolean(0)', 'false'], ['boolean("maybe")', 'undefined'], ['boolean(properties["missing"])', 'false']],
    overloads: [
      { id: 'boolean.string', operands: [STRING], result: BOOLEAN | UNDEFINED, grows: 'any', answer: parseBoolean },
      { id: 'boolean.number', operands: [NUMBER], result: BOOLEAN, answer: (operand: number) => operand !== 0 },
      { id: 'boolean.boolean', operands: [BOOLEAN], result: BOOLEAN, answer: (operand: boolean) => operand },
      { id: 'boolean.nothing', operands: [NULL | UNDEFINED], result: BOOLEAN, answer: () => false },
    ],
  },
  defined: {
    name: 'defined', fixity: 'function', power: POWER.primary,
    summary: 'Whether there is a value: false for undefined and null.',
    examples: [['defined("")', 'true'], ['defined(properties["missing"])', 'false']],
    overloads: [{ id: 'defined', operands: [ANY], result: BOOLEAN, grows: 'never', answer: (operand: Value) => operand !== undefined && operand !== null }],
  },
  datetime: {
    name: 'datetime', fixity: 'function', power: POWER.primary,
    summary: 'Whole Unix seconds of a date (`YYYY-MM-DD`, with `T` or a space and `HH:MM:SS`, optional fraction and zone), or of seconds or milliseconds. In a comparison with a `datetime(...)` call the other side is read alike.',
    examples: [['datetime("1970-01-02")', '86400'], ['datetime("2025-01-01T10:00:00+02:00")', '1735718400'], ['datetime("soon")', 'undefined'], ['"2025-06-01" > datetime("2025-01-01")', 'true']],
    overloads: [
      { id: 'datetime.string', operands: [STRING], result: FINITE, grows: 'any', answer: parseDateTime },
      { id: 'datetime.number', operands: [NUMBER], result: FINITE, answer: toSeconds },
    ],
  },
} as const satisfies Record<string, FunctionRow>;

// biome-ignore format: a table, to be read by its rows
export const NOW = {
  name: 'now', fixity: 'word', power: POWER.primary, result: NUMBER,
  summary: 'The time of the query, in whole Unix seconds.',
  examples: [['now > datetime("2020-01-01")', 'true']],
} as const satisfies WordRow;

export type LogicalName = keyof typeof LOGICAL;
export type PrefixName = keyof typeof PREFIX;
export type ComparisonName = keyof typeof COMPARISONS;
export type BinaryName = keyof typeof BINARY;
export type FunctionName = keyof typeof FUNCTIONS;

type Strict = (typeof PREFIX)[PrefixName] | (typeof BINARY)[BinaryName] | (typeof FUNCTIONS)[FunctionName];

/** The id of each overload of each strict operator. */
export type OverloadId = Strict['overloads'][number]['id'];

/** Every row, loosest first, functions last: what the reference page lists. */
export const OPERATORS: readonly OperatorRow[] = [
  LOGICAL.or,
  LOGICAL.and,
  PREFIX.not,
  ...Object.values(BINARY),
  PREFIX['-'],
  ...Object.values(FUNCTIONS),
  NOW,
];

/** The part of a node that its power depends on: its kind and, if that has several, its operator. */
type Operation =
  | { readonly kind: 'literal' | 'property' | 'now' | 'call' }
  | { readonly kind: 'prefix'; readonly operator: PrefixName }
  | { readonly kind: 'binary' | 'timeComparison' | 'membership'; readonly operator: BinaryName }
  | { readonly kind: 'logical'; readonly operator: LogicalName };

/** How tight a node holds together: where its place needs more, it stands in parentheses. */
export function getPower(node: Operation): Power {
  switch (node.kind) {
    case 'literal':
    case 'property':
    case 'now':
    case 'call':
      return POWER.primary;
    case 'prefix':
      return PREFIX[node.operator].power;
    case 'binary':
    case 'timeComparison':
    case 'membership':
      return BINARY[node.operator].power;
    case 'logical':
      return LOGICAL[node.operator].power;
    default:
      return unreachable(node);
  }
}
