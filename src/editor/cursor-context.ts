import type { Property, Scope } from '../lang/ast.ts';
import { POWER } from '../lang/operators/row.ts';
import { tokenize } from '../lang/syntax/lexer.ts';
import { readString } from '../lang/syntax/literal.ts';
import * as T from '../lang/syntax/vocabulary.ts';
import { type Expected, predictNext } from './predict-next.ts';

/** The tokens around the cursor, and what the grammar expects there. The source need not be a valid expression. */
export interface CursorContext {
  /** The word, number or string that is being typed at the cursor, if any. */
  readonly token: T.Token | undefined;
  readonly before: readonly T.Token[];
  readonly after: readonly T.Token[];
  readonly expected: Expected;
}

/** Returns the context of an offset in the source. */
export function findCursorContext(source: string, offset: number): CursorContext {
  const { tokens } = tokenize(source);
  const token = tokens.find((candidate) => continuesAt(candidate, offset));
  const start = token?.startOffset ?? offset;
  const end = token === undefined ? offset : T.getTokenEnd(token);
  const before = tokens.filter(({ startOffset }) => startOffset < start);
  const after = tokens.filter(({ startOffset }) => startOffset >= end);
  const next = predictNext(before);
  return { token, before, after, expected: next === 'operator' && isQuoted(token) ? 'nothing' : next };
}

/** Tells whether a token is a string, closed or not. */
export function isQuoted(token: T.Token | undefined): boolean {
  return T.is(token, T.StringLiteral, T.UnclosedString);
}

/** Tells whether the condition before the cursor already has a comparison, so that `and` or `or` is likely next. */
export function isCompared({ before }: CursorContext): boolean {
  for (const token of before.toReversed()) {
    if (T.isLogical(token) || T.is(token, T.OpenParenthesis)) return false;
    if (token.tokenType.infix?.power === POWER.comparison) return true;
  }
  return false;
}

/** Returns the property that the value at the cursor is compared with, with `==`, `!=` or `in`. */
export function findComparedProperty({ before, after, expected }: CursorContext): Property | undefined {
  if (expected === 'item') {
    const isIn = before.map((token) => T.is(token, T.In));
    return getPropertyBefore(before.slice(0, isIn.lastIndexOf(true) + 1), ['in']);
  }
  return getPropertyBefore(before, EQUALITY) ?? getPropertyAfter(after, [...EQUALITY, 'in']);
}

/** Returns all properties that the tokens read. */
export function findProperties(tokens: readonly T.Token[]): Property[] {
  return tokens.flatMap((_, index) => getPropertyAt(tokens, index) ?? []);
}

const EQUALITY = ['==', '!='];

/** Tells whether typing at the offset continues the token: in a string, or in or at the end of a word or number. */
function continuesAt(token: T.Token, offset: number): boolean {
  const { start, end } = T.getTokenSpan(token);
  if (offset <= start || offset > end) return false;
  if (T.is(token, T.StringLiteral)) return offset < end;
  return T.isWord(token) || T.is(token, T.UnclosedString, T.NumberLiteral, T.MalformedNumber);
}

function getPropertyBefore(tokens: readonly T.Token[], operators: readonly string[]) {
  return operators.includes(tokens.at(-1)?.tokenType.name ?? '') ? getPropertyAt(tokens, tokens.length - 5) : undefined;
}

function getPropertyAfter(tokens: readonly T.Token[], operators: readonly string[]) {
  return operators.includes(tokens[0]?.tokenType.name ?? '') ? getPropertyAt(tokens, 1) : undefined;
}

function getPropertyAt(tokens: readonly T.Token[], index: number): Property | undefined {
  const [scope, open, name, close] = [0, 1, 2, 3].map((ahead) => tokens[index + ahead]);
  if (
    !T.is(scope, T.ScopeWord) ||
    !T.is(open, T.OpenBracket) ||
    !T.is(name, T.StringLiteral) ||
    !T.is(close, T.CloseBracket)
  )
    return;
  const [first, string, last] = [scope, name, close] as [T.Token, T.Token, T.Token];
  const span = { start: first.startOffset, end: T.getTokenEnd(last) };
  return { kind: 'property', scope: first.tokenType.name as Scope, name: readString(string, () => undefined), span };
}
