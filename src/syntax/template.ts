import type { IToken } from 'chevrotain';
import type { Expression, Property, Scope } from '../language/ast.ts';
import { isWellFormed, quoteText } from './literal.ts';
import { parse } from './parse.ts';
import { theLexer } from './parser.ts';
import { print } from './print.ts';
import * as T from './tokens.ts';

/** What can stand in a hole: a value, an array for the right of `in`, or a tree. */
export type Hole = string | number | boolean | readonly (string | number | boolean)[] | Expression;

/**
 * Builds the text of an expression from values. Each hole holds exactly one literal, written list or subexpression, whatever the
 * value is: no value can change the shape of the expression around it.
 *
 *     expression`${property('plan')} in ${['pro', 'team']} and ${property('amount')} > ${100}`
 *
 * @throws {TypeError} for a value that has no literal, and for a hole inside quotes or run together with other text;
 *   {@link ExpressionSyntaxError} where the whole is no expression.
 */
export function expression(template: TemplateStringsArray, ...holes: readonly Hole[]): string {
  const pieces = template.flatMap((part, index) => {
    const hole = holes[index];
    return hole === undefined ? [part] : [part, quote(hole)];
  });
  const text = pieces.join('');
  const { tokens } = theLexer().tokenize(text);
  let end = 0;
  pieces.forEach((piece, index) => {
    const start = end;
    end += piece.length;
    if (index % 2 === 1 && !standsAlone(tokens, start, end)) {
      throw new TypeError(
        `Hole ${(index + 1) / 2} must stand alone where a value can stand: not in quotes, not joined to a word`,
      );
    }
  });
  parse(text);
  return text;
}

/** Whether the tokens of a hole are its own, and what is before them cannot make them anything but an operand. */
function standsAlone(tokens: readonly IToken[], start: number, end: number): boolean {
  const first = tokens.findIndex((token) => token.startOffset === start);
  if (first === -1 || !tokens.some((token) => T.spanOf(token).end === end)) return false;
  const before = tokens[first - 1];
  return ![T.endsOperand(before), T.is(before, T.Scope), T.is(before, T.FunctionWord)].includes(true);
}

/** The property of an event, or of its user, as a tree. */
export function property(name: string, scope: Scope = 'properties'): Property {
  return { kind: 'property', scope, name, span: { start: 0, end: 0 } };
}

/**
 * The text of a value as a literal, of an array as a written list, of a tree as an expression that holds together anywhere.
 *
 * @throws {TypeError} for a value that has no literal: null, undefined, NaN, infinities, text with half a surrogate pair.
 */
export function quote(value: Hole): string {
  if (isList(value)) return `[${value.map(quoteScalar).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return quoteScalar(value);
  const text = print(value);
  return value.kind === 'property' || value.kind === 'literal' ? text : `(${text})`;
}

function quoteScalar(value: string | number | boolean): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value === 'string' && isWellFormed(value)) return quoteText(value);
  throw new TypeError(
    `There is no literal for ${typeof value === 'string' ? 'text with half a surrogate pair' : String(value)}`,
  );
}

function isList(value: Hole): value is readonly (string | number | boolean)[] {
  return Array.isArray(value);
}
