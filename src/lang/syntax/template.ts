import { arrayOf, assertString, oneOf } from '../../base/guard.ts';
import { formatProperty, isWellFormed, quoteString } from '../../base/strings.ts';
import { SCOPES, type Scope } from '../ast.ts';
import { tokenize } from './lexer.ts';
import { assertSource, parseFor } from './parse.ts';
import { print } from './print.ts';
import * as T from './vocabulary.ts';

/**
 * Source that is inserted into a template without quotes. Only this module creates fragments: untrusted JSON can look
 * like a tree, but never is a fragment.
 */
class Fragment {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  toString(): string {
    return this.#source;
  }
}

/** A value for a template: a literal, an array as a list for `in`, or a fragment. */
export type TemplateValue = string | number | boolean | readonly (string | number | boolean)[] | Fragment;

/**
 * Builds the source of an expression from values. Each value becomes exactly one literal, list or subexpression, so no
 * value can change the structure of the expression around it.
 *
 * @throws {TypeError} for a value that has no literal, and for a value inside quotes or next to a word.
 * @throws {ExpressionSyntaxError} if the result is not an expression.
 *
 * @example
 * expression`${property('plan')} in ${['pro', 'team']} and ${property('amount')} > ${100}`
 */
export function expression(template: TemplateStringsArray, ...values: readonly TemplateValue[]): string {
  assertStrings(template, 'template');
  const pieces = template.flatMap((part, index) => {
    return index < values.length ? [part, quote(values[index] as TemplateValue)] : [part];
  });
  const source = pieces.join('');
  const { tokens } = tokenize(source);
  let end = 0;
  pieces.forEach((piece, index) => {
    const start = end;
    end += piece.length;
    if (index % 2 === 1 && !isOperand(tokens, start, end)) {
      throw new TypeError(`Value ${(index + 1) / 2} of the template must not be inside quotes or joined to a word`);
    }
  });
  parseFor(expression, source);
  return source;
}

const assertStrings = arrayOf(assertString);

/** Returns whether a range of the source consists of whole tokens that the token before them leaves an operand. */
function isOperand(tokens: readonly T.Token[], start: number, end: number): boolean {
  const first = tokens.findIndex((token) => token.startOffset === start);
  if (first === -1 || !tokens.some((token) => T.getTokenEnd(token) === end)) return false;
  const before = tokens[first - 1];
  return !T.isOperandEnd(before) && !T.is(before, T.ScopeWord, T.FunctionWord);
}

/**
 * Returns a property of the event, or of its user, for a template.
 *
 * @throws {TypeError} for a name with half of a surrogate pair, or an unknown scope.
 *
 * @example
 * expression`${property('country', 'user')} == ${'NL'}`; // 'user["country"] == "NL"'
 */
export function property(name: string, scope: Scope = 'properties'): Fragment {
  assertString(name, 'name');
  oneOf(SCOPES)(scope, 'scope');
  if (!isWellFormed(name)) throw new TypeError('The name of a property cannot contain half of a surrogate pair');
  return new Fragment(formatProperty(scope, name));
}

/**
 * Returns an expression in parentheses, as one operand for a template.
 *
 * @throws {ExpressionSyntaxError} if the source is not an expression.
 */
export function subexpression(source: string): Fragment {
  assertSource(source, 'source');
  return new Fragment(`(${print(parseFor(subexpression, source))})`);
}

/**
 * Returns the source of a value: of an array as a list, of a fragment unchanged.
 *
 * @throws {TypeError} for a value that has no literal: null, undefined, NaN, ±Infinity, objects and strings with half of
 *   a surrogate pair.
 *
 * @example
 * quote(['free', 'pro']); // '["free", "pro"]'
 */
export function quote(value: TemplateValue): string {
  if (value instanceof Fragment) return value.toString();
  // `Array.from` visits the holes of a sparse array too.
  return isList(value) ? `[${Array.from(value, quoteScalar).join(', ')}]` : quoteScalar(value);
}

function quoteScalar(value: string | number | boolean): string {
  switch (typeof value) {
    case 'string':
      if (isWellFormed(value)) return quoteString(value);
      throw new TypeError('A string with half of a surrogate pair has no literal');
    case 'number':
      if (Number.isFinite(value)) return String(value);
      throw new TypeError(`${value} has no literal`);
    case 'boolean':
      return String(value);
    default:
      throw new TypeError(`A value of type ${value === null ? 'null' : typeof value} has no literal`);
  }
}

function isList(value: TemplateValue): value is readonly (string | number | boolean)[] {
  return Array.isArray(value);
}
