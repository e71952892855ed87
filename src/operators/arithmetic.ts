import { NUMBER, STRING, UNDEFINED } from '../language/types.ts';
import { finite } from '../language/value.ts';
import { POWER, type StrictRow } from './row.ts';

/** Halves go away from zero. Adding 0.5 first would round 0.49999999999999994 up (language, section 4, rule 8). */
function roundHalfAway(number: number): number | undefined {
  const whole = Math.trunc(number);
  return finite(Math.abs(number - whole) >= 0.5 ? whole + Math.sign(number) : whole);
}

const FINITE = NUMBER | UNDEFINED;

// biome-ignore format: a table, to be read by its rows
export const ARITHMETIC = {
  '+': {
    name: '+', fixity: 'infix', power: POWER.sum,
    summary: 'Adds two numbers, joins two texts.',
    examples: [['1 + 2', '3'], ['"a" + "b"', '"ab"'], ['"a" + 1', 'undefined']],
    overloads: [
      { id: 'add', operands: [NUMBER, NUMBER], result: FINITE, answer: (left: number, right: number) => finite(left + right) },
      { id: 'join', operands: [STRING, STRING], result: STRING, answer: (left: string, right: string) => left + right },
    ],
  },
  '-': {
    name: '-', fixity: 'infix', power: POWER.sum,
    summary: 'Subtracts a number from a number.',
    examples: [['5 - 2 - 1', '2'], ['"5" - 2', 'undefined']],
    overloads: [{ id: 'subtract', operands: [NUMBER, NUMBER], result: FINITE, answer: (left: number, right: number) => finite(left - right) }],
  },
  '*': {
    name: '*', fixity: 'infix', power: POWER.product,
    summary: 'Multiplies two numbers.',
    examples: [['2 * 3 + 1', '7'], ['1e308 * 10', 'undefined']],
    overloads: [{ id: 'multiply', operands: [NUMBER, NUMBER], result: FINITE, answer: (left: number, right: number) => finite(left * right) }],
  },
  '/': {
    name: '/', fixity: 'infix', power: POWER.product,
    summary: 'Divides a number by a number; undefined by 0.',
    examples: [['7 / 2', '3.5'], ['1 / 0', 'undefined']],
    overloads: [{ id: 'divide', operands: [NUMBER, NUMBER], result: FINITE, answer: (left: number, right: number) => finite(left / right) }],
  },
  '%': {
    name: '%', fixity: 'infix', power: POWER.product,
    summary: 'The remainder of a division, with the sign of the dividend; undefined by 0.',
    examples: [['7 % 3', '1'], ['-7 % 3', '-1'], ['7 % 0', 'undefined']],
    overloads: [{ id: 'remainder', operands: [NUMBER, NUMBER], result: FINITE, answer: (left: number, right: number) => finite(left % right) }],
  },
  floor: {
    name: 'floor', fixity: 'function', power: POWER.primary,
    summary: 'The greatest whole number that is not above a number.',
    examples: [['floor(2.7)', '2'], ['floor(-2.5)', '-3'], ['floor("2")', 'undefined']],
    overloads: [{ id: 'floor', operands: [NUMBER], result: NUMBER, answer: (operand: number) => finite(Math.floor(operand)) }],
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
    overloads: [{ id: 'ceil', operands: [NUMBER], result: NUMBER, answer: (operand: number) => finite(Math.ceil(operand)) }],
  },
} as const satisfies Record<string, StrictRow>;

/** Prefix `-` has a row of its own: the infix one has the same name. */
// biome-ignore format: a table, to be read by its rows
export const NEGATION = {
  name: '-', fixity: 'prefix', power: POWER.negation,
  summary: 'The opposite of a number.',
  examples: [['- 2 * 3', '-6'], ['-"2"', 'undefined']],
  overloads: [{ id: 'negate', operands: [NUMBER], result: NUMBER, answer: (operand: number) => finite(-operand) }],
} as const satisfies StrictRow;
