import type { Expression } from '../ast.ts';
import { all, binaryOf, literal } from './conditions.ts';

/** Tests that a string contains another. */
export function containsString(operand: Expression, part: string): Expression {
  return binaryOf('in', literal(part), operand);
}

/** Tests that a value is a string: it is undefined whether others are after one. */
export function isString(operand: Expression): Expression {
  return binaryOf('>=', operand, literal(''));
}

/**
 * Tests that a string begins with another. Strings are ordered by code point, so those that do are a range: from the
 * prefix to the prefix with the next code point at its end.
 */
function startsWithString(operand: Expression, prefix: string): Expression {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  // Every string begins with the empty one. A comparison with it is undefined for other types.
  const from = binaryOf('>=', operand, literal(prefix));
  if (last === undefined) return from;
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return all([from, binaryOf('<', operand, literal(String.fromCodePoint(...points, next)))]);
}

/** The test that a pattern of literal characters amounts to. */
export type StringTest = 'equals' | 'contains' | 'startsWith';

/** Returns the condition of a string test. */
export function testString(test: StringTest, operand: Expression, text: string): Expression {
  if (test === 'equals') return binaryOf('==', operand, literal(text));
  return test === 'contains' ? containsString(operand, text) : startsWithString(operand, text);
}

/** Reads a regular expression without special characters, apart from `^`. Returns undefined for others. */
export function readPlainPattern(pattern: string): { test: StringTest; text: string } | undefined {
  const [, start, text] = /^(\^?)([\p{L}\p{N} _\-,:;@#%&=<>!"'/~`]+)$/u.exec(pattern) ?? [];
  return text === undefined ? undefined : { test: start === '^' ? 'startsWith' : 'contains', text };
}
