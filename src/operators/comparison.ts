import { ANY, BOOLEAN, NUMBER, STRING } from '../language/types.ts';
import { compareText, equals, type Value } from '../language/value.ts';
import { POWER, type StrictRow } from './row.ts';

// biome-ignore format: a table, to be read by its rows
export const COMPARISON = {
  '==': {
    name: '==', fixity: 'infix', power: POWER.comparison,
    summary: 'Whether two values are of one type and equal. Text is compared exactly, lists element by element.',
    examples: [['1 == 1.0', 'true'], ['"1" == 1', 'false'], ['properties["missing"] == properties["absent"]', 'true']],
    overloads: [{ id: 'equal', operands: [ANY, ANY], result: BOOLEAN, answer: equals }],
  },
  '!=': {
    name: '!=', fixity: 'infix', power: POWER.comparison,
    summary: 'The opposite of `==`.',
    examples: [['"pro" != "Pro"', 'true'], ['properties["missing"] != 1', 'true']],
    overloads: [{ id: 'unequal', operands: [ANY, ANY], result: BOOLEAN, answer: (left: Value, right: Value) => !equals(left, right) }],
  },
  '<': {
    name: '<', fixity: 'infix', power: POWER.comparison,
    summary: 'Whether a number is less than a number, or a text before a text by Unicode code point.',
    examples: [['1 < 2', 'true'], ['"2024-12-31" < "2025-01-01"', 'true'], ['1 < "2"', 'undefined']],
    overloads: [
      { id: 'less.number', operands: [NUMBER, NUMBER], result: BOOLEAN, answer: (left: number, right: number) => left < right },
      { id: 'less.string', operands: [STRING, STRING], result: BOOLEAN, answer: (left: string, right: string) => compareText(left, right) < 0 },
    ],
  },
  '<=': {
    name: '<=', fixity: 'infix', power: POWER.comparison,
    summary: 'Whether a number is at most a number, or a text not after a text.',
    examples: [['2 <= 2', 'true'], ['"b" <= "a"', 'false']],
    overloads: [
      { id: 'atMost.number', operands: [NUMBER, NUMBER], result: BOOLEAN, answer: (left: number, right: number) => left <= right },
      { id: 'atMost.string', operands: [STRING, STRING], result: BOOLEAN, answer: (left: string, right: string) => compareText(left, right) <= 0 },
    ],
  },
  '>': {
    name: '>', fixity: 'infix', power: POWER.comparison,
    summary: 'Whether a number is greater than a number, or a text after a text.',
    examples: [['3 > 2', 'true'], ['"10" > "9"', 'false']],
    overloads: [
      { id: 'greater.number', operands: [NUMBER, NUMBER], result: BOOLEAN, answer: (left: number, right: number) => left > right },
      { id: 'greater.string', operands: [STRING, STRING], result: BOOLEAN, answer: (left: string, right: string) => compareText(left, right) > 0 },
    ],
  },
  '>=': {
    name: '>=', fixity: 'infix', power: POWER.comparison,
    summary: 'Whether a number is at least a number, or a text not before a text.',
    examples: [['2 >= 3', 'false'], ['"b" >= "a"', 'true']],
    overloads: [
      { id: 'atLeast.number', operands: [NUMBER, NUMBER], result: BOOLEAN, answer: (left: number, right: number) => left >= right },
      { id: 'atLeast.string', operands: [STRING, STRING], result: BOOLEAN, answer: (left: string, right: string) => compareText(left, right) >= 0 },
    ],
  },
} as const satisfies Record<string, StrictRow>;
