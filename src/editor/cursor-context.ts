import type { Property, Scope } from '../lang/ast.ts';
import { POWER } from '../lang/operators/row.ts';
import { tokenize } from '../lang/syntax/lexer.ts';
import { readString } from '../lang/syntax/literal.ts';
import * as T from '../lang/syntax/vocabulary.ts';
import { type Expected, predictNext } from './predict-next.ts';

/** A place in a text that need not be an expression, as far as the tokens around it tell. */
export interface CursorContext {
  /** The word, number or text that is being typed there, if any. */
  readonly token: T.Token | undefined;
  readonly before: readonly T.Token[];
  readonly after: readonly T.Token[];
  /** The kind of thing that fits there. */
  readonly wanted: Expected;
}

/** Finds out where in a text an offset is. */
export function findPlace(source: string, offset: number): CursorContext {
  const { tokens } = tokenize(source);
  const token = tokens.find((each) => isTypedAt(each, offset));
  const start = token?.startOffset ?? offset;
  const end = token === undefined ? offset : T.getTokenEnd(token);
  const before = tokens.filter(({ startOffset }) => startOffset < start);
  const after = tokens.filter(({ startOffset }) => startOffset >= end);
  const next = predictNext(before);
  return { token, before, after, wanted: next === 'operator' && isQuoted(token) ? 'nothing' : next };
}

/** Whether a token is text, closed or not. */
export function isQuoted(token: T.Token | undefined): boolean {
  return T.is(token, T.StringLiteral, T.UnclosedString);
}

/** Whether what stands at the place, behind a whole operand, is joined to it by `and` or `or`: it holds a comparison already. */
export function isCompared({ before }: CursorContext): boolean {
  for (const token of before.toReversed()) {
    if (T.isLogical(token) || T.is(token, T.OpenParenthesis)) return false;
    if (token.tokenType.infix?.power === POWER.comparison) return true;
  }
  return false;
}

/** The property that what stands at the place is compared with, or looked for in. */
export function findComparedProperty({ before, after, wanted }: CursorContext): Property | undefined {
  if (wanted === 'item') {
    const isIn = before.map((token) => T.is(token, T.In));
    return propertyBefore(before.slice(0, isIn.lastIndexOf(true) + 1), ['in']);
  }
  return propertyBefore(before, EQUALITY) ?? propertyAfter(after, [...EQUALITY, 'in']);
}

/** The properties that stand anywhere in the text. */
export function findProperties(tokens: readonly T.Token[]): Property[] {
  return tokens.flatMap((_, index) => propertyAt(tokens, index) ?? []);
}

const EQUALITY = ['==', '!='];

/** Whether the offset is in a text, or in a word or a number or at its end, so that what is typed there goes on with it. */
function isTypedAt(token: T.Token, offset: number): boolean {
  const { start, end } = T.getTokenSpan(token);
  if (offset <= start || offset > end) return false;
  if (T.is(token, T.StringLiteral)) return offset < end;
  return T.isWord(token) || T.is(token, T.UnclosedString, T.NumberLiteral, T.MalformedNumber);
}

function propertyBefore(tokens: readonly T.Token[], operators: readonly string[]) {
  return operators.includes(tokens.at(-1)?.tokenType.name ?? '') ? propertyAt(tokens, tokens.length - 5) : undefined;
}

function propertyAfter(tokens: readonly T.Token[], operators: readonly string[]) {
  return operators.includes(tokens[0]?.tokenType.name ?? '') ? propertyAt(tokens, 1) : undefined;
}

function propertyAt(tokens: readonly T.Token[], index: number): Property | undefined {
  const [scope, open, name, close] = [0, 1, 2, 3].map((ahead) => tokens[index + ahead]);
  if (
    !T.is(scope, T.ScopeWord) ||
    !T.is(open, T.OpenBracket) ||
    !T.is(name, T.StringLiteral) ||
    !T.is(close, T.CloseBracket)
  )
    return;
  const [first, text, last] = [scope, name, close] as [T.Token, T.Token, T.Token];
  const span = { start: first.startOffset, end: T.getTokenEnd(last) };
  return { kind: 'property', scope: first.tokenType.name as Scope, name: readString(text, () => undefined), span };
}
