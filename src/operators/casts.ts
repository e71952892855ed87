import { ANY, BOOLEAN, NULL, NUMBER, STRING, UNDEFINED } from '../language/types.ts';
import { decimalText, parseDecimal, type Value } from '../language/value.ts';
import { POWER, type StrictRow } from './row.ts';

const BOOLEAN_WORDS = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
]);

// biome-ignore format: a table, to be read by its rows
export const CASTS = {
  string: {
    name: 'string', fixity: 'function', power: POWER.primary,
    summary: 'The text of a value: decimal digits for a number, never with an exponent. Null stays null.',
    examples: [['string(1.50)', '"1.5"'], ['string(1e21)', '"1000000000000000000000"'], ['string(true)', '"true"']],
    overloads: [
      { id: 'string.string', operands: [STRING], result: STRING, answer: (operand: string) => operand },
      { id: 'string.number', operands: [NUMBER], result: STRING, answer: decimalText },
      { id: 'string.boolean', operands: [BOOLEAN], result: STRING, answer: (operand: boolean) => (operand ? 'true' : 'false') },
      { id: 'string.null', operands: [NULL], result: NULL, answer: () => null },
    ],
  },
  number: {
    name: 'number', fixity: 'function', power: POWER.primary,
    summary: 'The number that a decimal text means; 1 for true and 0 for false.',
    examples: [['number("1e3")', '1000'], ['number(" 12 ")', 'undefined'], ['number(true)', '1']],
    overloads: [
      { id: 'number.string', operands: [STRING], result: NUMBER | UNDEFINED, answer: parseDecimal },
      { id: 'number.number', operands: [NUMBER], result: NUMBER, answer: (operand: number) => operand },
      { id: 'number.boolean', operands: [BOOLEAN], result: NUMBER, answer: (operand: boolean) => (operand ? 1 : 0) },
    ],
  },
  boolean: {
    name: 'boolean', fixity: 'function', power: POWER.primary,
    summary: '"true", "1", "yes" and numbers other than 0 are true; "false", "0", "no", 0, null and undefined are false.',
    examples: [['boolean("yes")', 'true'], ['boolean(0)', 'false'], ['boolean("maybe")', 'undefined'], ['boolean(properties["missing"])', 'false']],
    overloads: [
      { id: 'boolean.string', operands: [STRING], result: BOOLEAN | UNDEFINED, answer: (operand: string) => BOOLEAN_WORDS.get(operand) },
      { id: 'boolean.number', operands: [NUMBER], result: BOOLEAN, answer: (operand: number) => operand !== 0 },
      { id: 'boolean.boolean', operands: [BOOLEAN], result: BOOLEAN, answer: (operand: boolean) => operand },
      { id: 'boolean.nothing', operands: [NULL | UNDEFINED], result: BOOLEAN, answer: () => false },
    ],
  },
  defined: {
    name: 'defined', fixity: 'function', power: POWER.primary,
    summary: 'Whether there is a value: false for undefined and null.',
    examples: [['defined("")', 'true'], ['defined(properties["missing"])', 'false']],
    overloads: [{ id: 'defined', operands: [ANY], result: BOOLEAN, answer: (operand: Value) => operand !== undefined && operand !== null }],
  },
} as const satisfies Record<string, StrictRow>;
