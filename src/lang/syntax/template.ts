import { SCOPES, type Scope } from '../ast.ts';
import { arrayOf, assertString, oneOf } from '../util/guard.ts';
import { formatProperty, isWellFormed, quoteString } from '../util/strings.ts';
import { tokenize } from './lexer.ts';
import { parse } from './parse.ts';
import { print } from './print.ts';
import * as T from './vocabulary.ts';

/**
 * A piece of an expression that may stand in a hole as it is. Only this module makes one: a value that came from outside as JSON
 * can look like a tree, but it is never a fragment.
 */
class Fragment {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What can stand in a hole: a value, an array for the right of `in`, or a fragment. */
export type TemplateValue = string | number | boolean | readonly (string | number | boolean)[] | Fragment;

/**
 * Builds the text of an expression from values. Each hole holds exactly one literal, written list or subexpression, whatever the
 * value is: no value can change the shape of the expression around it.
 *
 *     expression`${property('plan')} in ${['pro', 'team']} and ${property('amount')} > ${100}`
 *
 * @throws {TypeError} for a value that has no literal, and for a hole inside quotes or run together with other text;
 *   {@link ExpressionSyntaxError} where the whole is no expression.
 */
export function expression(template: TemplateStringsArray, ...holes: readonly TemplateValue[]): string {
  assertStrings(template, 'template');
  const pieces = template.flatMap((part, index) => {
    return index < holes.length ? [part, quote(holes[index] as TemplateValue)] : [part];
  });
  const text = pieces.join('');
  const { tokens } = tokenize(text);
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

const assertStrings = arrayOf(assertString);

/** Whether the tokens of a hole are its own, and what is before them cannot make them anything but an operand. */
function standsAlone(tokens: readonly T.Token[], start: number, end: number): boolean {
  const first = tokens.findIndex((token) => token.startOffset === start);
  if (first === -1 || !tokens.some((token) => T.getTokenEnd(token) === end)) return false;
  const before = tokens[first - 1];
  return !T.isOperandEnd(before) && !T.is(before, T.ScopeWord, T.FunctionWord);
}

/**
 * The property of an event, or of its user, to stand in a hole.
 *
 * @throws {TypeError} for a name with half a surrogate pair, or a scope that there is not.
 */
export function property(name: string, scope: Scope = 'properties'): Fragment {
  assertString(name, 'name');
  oneOf(SCOPES)(scope, 'scope');
  if (!isWellFormed(name)) throw new TypeError('No property has half a surrogate pair in its name');
  return new Fragment(formatProperty(scope, name));
}

/**
 * A whole expression to stand in a hole, as one operand.
 *
 * @throws {ExpressionSyntaxError} for a text that is no expression.
 */
export function subexpression(source: string): Fragment {
  return new Fragment(`(${print(parse(source))})`);
}

/**
 * The text of a value as a literal, of an array as a written list, of a fragment as it is.
 *
 * @throws {TypeError} for a value that has no literal: null, undefined, NaN, infinities, objects, text with half a surrogate pair.
 */
export function quote(value: TemplateValue): string {
  if (value instanceof Fragment) return value.toString();
  // `Array.from` meets the holes of a sparse array too.
  return isList(value) ? `[${Array.from(value, quoteScalar).join(', ')}]` : quoteScalar(value);
}

function quoteScalar(value: string | number | boolean): string {
  switch (typeof value) {
    case 'string':
      if (isWellFormed(value)) return quoteString(value);
      throw new TypeError('There is no literal for text with half a surrogate pair');
    case 'number':
      if (Number.isFinite(value)) return String(value);
      throw new TypeError(`There is no literal for ${value}`);
    case 'boolean':
      return String(value);
    default:
      throw new TypeError(`There is no literal for ${value === null ? 'null' : typeof value}`);
  }
}

function isList(value: TemplateValue): value is readonly (string | number | boolean)[] {
  return Array.isArray(value);
}
