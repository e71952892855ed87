import { isPart } from '../../base/is-part.ts';
import { unreachable } from '../../base/unreachable.ts';
import { ANY, BOOLEAN, LIST, NULL, NUMBER, STRING, UNDEFINED } from '../types.ts';
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

// The rows define the operators. The types of names and overload ids are derived from them, so code that needs an entry
// for each does not compile until a new row has one.

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
    summary: 'Negates a boolean; true for undefined.',
    examples: [['not 1 == 2', 'true'], ['not properties["missing"]', 'true'], ['not "text"', 'undefined']],
    overloads: [
      { id: 'not.boolean', operands: [BOOLEAN], result: BOOLEAN, evaluate: (operand: boolean) => !operand },
      { id: 'not.undefined', operands: [UNDEFINED], result: BOOLEAN, evaluate: () => true },
    ],
  },
  '-': {
    name: '-', fixity: 'prefix', power: POWER.negation,
    summary: 'Negates a number.',
    examples: [['- 2 * 3', '-6'], ['-"2"', 'undefined']],
    overloads: [{ id: 'negate', operands: [NUMBER], result: NUMBER, evaluate: (operand: number) => undefinedIfNotFinite(-operand), kernel: (a) => `-${a}` }],
  },
} as const satisfies Record<string, PrefixRow>;

/** The operators that compare times if one side is a `datetime(...)` call (language, section 4, rule 10). */
// biome-ignore format: a table, to be read by its rows
export const COMPARISONS = {
  '==': {
    name: '==', fixity: 'infix', power: POWER.comparison,
    summary: 'True if two values have the same type and are equal. Strings are compared exactly, lists element by element.',
    examples: [['1 == 1.0', 'true'], ['"1" == 1', 'false'], ['properties["missing"] == properties["absent"]', 'true']],
    overloads: [{ id: 'equal', operands: [ANY, ANY], result: BOOLEAN, grows: 'shorter', evaluate: isEqual }],
  },
  '!=': {
    name: '!=', fixity: 'infix', power: POWER.comparison,
    summary: 'The opposite of `==`.',
    examples: [['"pro" != "Pro"', 'true'], ['properties["missing"] != 1', 'true']],
    overloads: [{ id: 'unequal', operands: [ANY, ANY], result: BOOLEAN, grows: 'shorter', evaluate: (left: Value, right: Value) => !isEqual(left, right) }],
  },
  '<': {
    name: '<', fixity: 'infix', power: POWER.comparison,
    summary: 'True if the left number is less than the right one, or the left string sorts before the right one by Unicode code point.',
    examples: [['1 < 2', 'true'], ['"2024-12-31" < "2025-01-01"', 'true'], ['1 < "2"', 'undefined']],
    overloads: [
      { id: 'less.number', operands: [NUMBER, NUMBER], result: BOOLEAN, evaluate: (left: number, right: number) => left < right, kernel: (a, b) => `${a} < ${b}` },
      { id: 'less.string', operands: [STRING, STRING], result: BOOLEAN, grows: 'shorter', evaluate: (left: string, right: string) => compareStrings(left, right) < 0 },
    ],
  },
  '<=': {
    name: '<=', fixity: 'infix', power: POWER.comparison,
    summary: 'True if the left number is at most the right one, or the left string does not sort after the right one.',
    examples: [['2 <= 2', 'true'], ['"b" <= "a"', 'false']],
    overloads: [
      { id: 'atMost.number', operands: [NUMBER, NUMBER], result: BOOLEAN, evaluate: (left: number, right: number) => left <= right, kernel: (a, b) => `${a} <= ${b}` },
      { id: 'atMost.string', operands: [STRING, STRING], result: BOOLEAN, grows: 'shorter', evaluate: (left: string, right: string) => compareStrings(left, right) <= 0 },
    ],
  },
  '>': {
    name: '>', fixity: 'infix', power: POWER.comparison,
    summary: 'True if the left number is greater than the right one, or the left string sorts after the right one.',
    examples: [['3 > 2', 'true'], ['"10" > "9"', 'false']],
    overloads: [
      { id: 'greater.number', operands: [NUMBER, NUMBER], result: BOOLEAN, evaluate: (left: number, right: number) => left > right, kernel: (a, b) => `${a} > ${b}` },
      { id: 'greater.string', operands: [STRING, STRING], result: BOOLEAN, grows: 'shorter', evaluate: (left: string, right: string) => compareStrings(left, right) > 0 },
    ],
  },
  '>=': {
    name: '>=', fixity: 'infix', power: POWER.comparison,
    summary: 'True if the left number is at least the right one, or the left string does not sort before the right one.',
    examples: [['2 >= 3', 'false'], ['"b" >= "a"', 'true']],
    overloads: [
      { id: 'atLeast.number', operands: [NUMBER, NUMBER], result: BOOLEAN, evaluate: (left: number, right: number) => left >= right, kernel: (a, b) => `${a} >= ${b}` },
      { id: 'atLeast.string', operands: [STRING, STRING], result: BOOLEAN, grows: 'shorter', evaluate: (left: string, right: string) => compareStrings(left, right) >= 0 },
    ],
  },
} as const satisfies Record<string, BinaryRow>;

// biome-ignore format: a table, to be read by its rows
export const BINARY = {
  ...COMPARISONS,
  in: {
    name: 'in', fixity: 'infix', power: POWER.comparison,
    summary: 'True if the left string is a substring of the right one, or the left value is an element of the list on the right: a property or a literal list.',
    examples: [['"ro" in "pro"', 'true'], ['2 in [1, 2, 3]', 'true'], ['"1" in [1]', 'false'], ['1 in "1"', 'undefined']],
    overloads: [
      { id: 'part', operands: [STRING, STRING], result: BOOLEAN, grows: 'last', evaluate: isPart },
      { id: 'element', operands: [ANY, LIST], result: BOOLEAN, grows: 'last', evaluate: isElement },
    ],
  },
  '+': {
    name: '+', fixity: 'infix', power: POWER.sum,
    summary: 'Adds two numbers, or concatenates two strings.',
    examples: [['1 + 2', '3'], ['"a" + "b"', '"ab"'], ['"a" + 1', 'undefined']],
    overloads: [
      { id: 'add', operands: [NUMBER, NUMBER], result: FINITE, evaluate: (left: number, right: number) => undefinedIfNotFinite(left + right), kernel: (a, b) => `nanIfNotFinite(${a} + ${b})` },
      { id: 'join', operands: [STRING, STRING], result: STRING, grows: 'any', evaluate: (left: string, right: string) => left + right },
    ],
  },
  '-': {
    name: '-', fixity: 'infix', power: POWER.sum,
    summary: 'Subtracts the right number from the left one.',
    examples: [['5 - 2 - 1', '2'], ['"5" - 2', 'undefined']],
    overloads: [{ id: 'subtract', operands: [NUMBER, NUMBER], result: FINITE, evaluate: (left: number, right: number) => undefinedIfNotFinite(left - right), kernel: (a, b) => `nanIfNotFinite(${a} - ${b})` }],
  },
  '*': {
    name: '*', fixity: 'infix', power: POWER.product,
    summary: 'Multiplies two numbers.',
    examples: [['2 * 3 + 1', '7'], ['1e308 * 10', 'undefined']],
    overloads: [{ id: 'multiply', operands: [NUMBER, NUMBER], result: FINITE, evaluate: (left: number, right: number) => undefinedIfNotFinite(left * right), kernel: (a, b) => `nanIfNotFinite(${a} * ${b})` }],
  },
  '/': {
    name: '/', fixity: 'infix', power: POWER.product,
    summary: 'Divides the left number by the right one; undefined if that is 0.',
    examples: [['7 / 2', '3.5'], ['1 / 0', 'undefined']],
    overloads: [{ id: 'divide', operands: [NUMBER, NUMBER], result: FINITE, evaluate: (left: number, right: number) => undefinedIfNotFinite(left / right), kernel: (a, b) => `nanIfNotFinite(${a} / ${b})` }],
  },
  '%': {
    name: '%', fixity: 'infix', power: POWER.product,
    summary: 'The remainder of a division, with the sign of the dividend; undefined if the divisor is 0.',
    examples: [['7 % 3', '1'], ['-7 % 3', '-1'], ['7 % 0', 'undefined']],
    overloads: [{ id: 'remainder', operands: [NUMBER, NUMBER], result: FINITE, evaluate: (left: number, right: number) => undefinedIfNotFinite(left % right), kernel: (a, b) => `computeRemainder(${a}, ${b})` }],
  },
} as const satisfies Record<string, BinaryRow>;

// biome-ignore format: a table, to be read by its rows
export const FUNCTIONS = {
  floor: {
    name: 'floor', fixity: 'function', power: POWER.primary,
    summary: 'Rounds a number down to a whole number.',
    examples: [['floor(2.7)', '2'], ['floor(-2.5)', '-3'], ['floor("2")', 'undefined']],
    overloads: [{ id: 'floor', operands: [NUMBER], result: NUMBER, evaluate: (operand: number) => undefinedIfNotFinite(Math.floor(operand)), kernel: (a) => `Math.floor(${a})` }],
  },
  round: {
    name: 'round', fixity: 'function', power: POWER.primary,
    summary: 'Rounds a number to the nearest whole number, halves away from zero.',
    examples: [['round(2.5)', '3'], ['round(-2.5)', '-3'], ['round(0.49999999999999994)', '0']],
    overloads: [{ id: 'round', operands: [NUMBER], result: NUMBER, evaluate: roundHalfAway }],
  },
  ceil: {
    name: 'ceil', fixity: 'function', power: POWER.primary,
    summary: 'Rounds a number up to a whole number.',
    examples: [['ceil(2.1)', '3'], ['ceil(-0.5)', '0']],
    overloads: [{ id: 'ceil', operands: [NUMBER], result: NUMBER, evaluate: (operand: number) => undefinedIfNotFinite(Math.ceil(operand)), kernel: (a) => `Math.ceil(${a})` }],
  },
  string: {
    name: 'string', fixity: 'function', power: POWER.primary,
    summary: 'Converts a value to a string: a number to decimal digits, never with an exponent. Null stays null.',
    examples: [['string(1.50)', '"1.5"'], ['string(1e21)', '"1000000000000000000000"'], ['string(true)', '"true"']],
    overloads: [
      { id: 'string.string', operands: [STRING], result: STRING, grows: 'never', evaluate: (operand: string) => operand },
      { id: 'string.number', operands: [NUMBER], result: STRING, evaluate: formatDecimal },
      { id: 'string.boolean', operands: [BOOLEAN], result: STRING, evaluate: (operand: boolean) => (operand ? 'true' : 'false') },
      { id: 'string.null', operands: [NULL], result: NULL, evaluate: () => null },
    ],
  },
  number: {
    name: 'number', fixity: 'function', power: POWER.primary,
    summary: 'Converts a decimal string to a number, true to 1 and false to 0.',
    examples: [['number("1e3")', '1000'], ['number(" 12 ")', 'undefined'], ['number(true)', '1']],
    overloads: [
      { id: 'number.string', operands: [STRING], result: FINITE, grows: 'any', evaluate: parseDecimal },
      { id: 'number.number', operands: [NUMBER], result: NUMBER, evaluate: (operand: number) => operand },
      { id: 'number.boolean', operands: [BOOLEAN], result: NUMBER, evaluate: (operand: boolean) => (operand ? 1 : 0) },
    ],
  },
  boolean: {
    name: 'boolean', fixity: 'function', power: POWER.primary,
    summary: '"true", "1", "yes" and numbers other than 0 are true; "false", "0", "no", 0, null and undefined are false.',
    examples: [['boolean("yes")', 'true'], ['boolean(0)', 'false'], ['boolean("maybe")', 'undefined'], ['boolean(properties["missing"])', 'false']],
    overloads: [
      { id: 'boolean.string', operands: [STRING], result: BOOLEAN | UNDEFINED, grows: 'any', evaluate: parseBoolean },
      { id: 'boolean.number', operands: [NUMBER], result: BOOLEAN, evaluate: (operand: number) => operand !== 0 },
      { id: 'boolean.boolean', operands: [BOOLEAN], result: BOOLEAN, evaluate: (operand: boolean) => operand },
      { id: 'boolean.nothing', operands: [NULL | UNDEFINED], result: BOOLEAN, evaluate: () => false },
    ],
  },
  defined: {
    name: 'defined', fixity: 'function', power: POWER.primary,
    summary: 'False for undefined and null, true for every other value.',
    examples: [['defined("")', 'true'], ['defined(properties["missing"])', 'false']],
    overloads: [{ id: 'defined', operands: [ANY], result: BOOLEAN, grows: 'never', evaluate: (operand: Value) => operand !== undefined && operand !== null }],
  },
  datetime: {
    name: 'datetime', fixity: 'function', power: POWER.primary,
    summary: 'Converts a date (`YYYY-MM-DD`, optionally with `T` or a space and `HH:MM:SS`, a fraction and a zone), or a number of seconds or milliseconds, to whole Unix seconds. In a comparison with a `datetime(...)` call, the other side is converted too.',
    examples: [['datetime("1970-01-02")', '86400'], ['datetime("2025-01-01T10:00:00+02:00")', '1735718400'], ['datetime("soon")', 'undefined'], ['"2025-06-01" > datetime("2025-01-01")', 'true']],
    overloads: [
      { id: 'datetime.string', operands: [STRING], result: FINITE, grows: 'any', evaluate: (string: string) => parseDateTime(string) },
      { id: 'datetime.number', operands: [NUMBER], result: FINITE, evaluate: toSeconds },
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

/** The ids of all overloads of strict operators. */
export type OverloadId = Strict['overloads'][number]['id'];

/** All rows, loosest first, functions last, as the reference page lists them. */
export const OPERATORS: readonly OperatorRow[] = [
  LOGICAL.or,
  LOGICAL.and,
  PREFIX.not,
  ...Object.values(BINARY),
  PREFIX['-'],
  ...Object.values(FUNCTIONS),
  NOW,
];

/** The parts of a node that determine its power: its kind and, if that has several, its operator. */
type Operation =
  | { readonly kind: 'literal' | 'property' | 'now' | 'call' }
  | { readonly kind: 'prefix'; readonly operator: PrefixName }
  | { readonly kind: 'binary' | 'timeComparison' | 'membership'; readonly operator: BinaryName }
  | { readonly kind: 'logical'; readonly operator: LogicalName };

/** Returns the binding power of a node. It needs parentheses where a higher power is required. */
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
