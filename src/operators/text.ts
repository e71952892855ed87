import { ANY, BOOLEAN, LIST, STRING } from '../language/types.ts';
import { equals, type Scalar, type Value } from '../language/value.ts';
import { POWER, type StrictRow } from './row.ts';

/** Whether some element equals the value: `in` with a list, from a property or written (language, section 4, rule 5). */
export function isElement(value: Value, list: readonly Scalar[]): boolean {
  return list.some((element) => equals(value, element));
}

/** Whether a text is part of the value or, of a list, an element: `"text" in value` is true. */
export function holdsText(value: Value, text: string): boolean {
  return typeof value === 'string' ? value.includes(text) : Array.isArray(value) && value.includes(text);
}

// biome-ignore format: a table, to be read by its rows
export const TEXT = {
  in: {
    name: 'in', fixity: 'infix', power: POWER.comparison,
    summary: 'Whether a text is part of a text, or a value is an element of a list: one from a property, or a written one.',
    examples: [['"ro" in "pro"', 'true'], ['2 in [1, 2, 3]', 'true'], ['"1" in [1]', 'false'], ['1 in "1"', 'undefined']],
    overloads: [
      { id: 'part', operands: [STRING, STRING], result: BOOLEAN, answer: (left: string, right: string) => right.includes(left) },
      { id: 'element', operands: [ANY, LIST], result: BOOLEAN, answer: isElement },
    ],
  },
} as const satisfies Record<string, StrictRow>;
