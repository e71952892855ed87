import type { Expression } from '../../ast.ts';
import type { Fix } from '../../diagnostic.ts';
import { POWER } from '../../operators/row.ts';
import { getPower } from '../../operators/table.ts';
import type { Span } from '../../source.ts';
import { getGrammar } from '../grammar.ts';
import { tokenize } from '../lexer.ts';
import { DepthError } from '../precedence.ts';
import * as T from '../vocabulary.ts';
import type { RepairCursor } from './cursor.ts';
import { FOREIGN_OPERATORS } from './foreign-words.ts';

/** A piece of the source that is an expression without mistakes, and the token next to it. */
export interface SourcePiece {
  readonly text: string;
  readonly span: Span;
  /** The token before a left operand, or after a right one. */
  readonly next: T.Token | undefined;
}

/** A rewritten condition, and the loosest operator in it. */
export interface Rewrite {
  readonly text: string;
  readonly joint: 'and' | 'or' | 'not' | 'comparison';
}

/** Longer operands get no fix, so that many mistakes in one long source stay cheap. */
export const MAX_TOKENS = 300;
const MAX_DEPTH = 200;

/** Words that end an operand in SQL. */
const ENDING_WORDS = new Set(['when', 'then', 'else', 'end']);

/** Parses a piece of the source. Returns undefined if it is not an expression. */
export function parsePiece(text: string): Expression | undefined {
  const { tokens, unexpected } = tokenize(text);
  if (unexpected.length > 0) return undefined;
  try {
    const { tree, problems } = getGrammar().parse(tokens, MAX_DEPTH);
    return problems.length === 0 ? tree : undefined;
  } catch (error) {
    if (error instanceof DepthError) return undefined;
    throw error;
  }
}

/** Returns whether a piece can be an operand of a comparison as it is. */
function isOperand(text: string): boolean {
  const tree = parsePiece(text);
  // The span of a node excludes the parentheses around it.
  return tree !== undefined && (getPower(tree) > POWER.comparison || tree.span.start > 0);
}

/**
 * Finds the operand of a comparison that ends before a repaired token, by default before the cursor. Returns undefined
 * if it has a mistake in it or is itself part of a comparison.
 */
export function findLeft({ source, repaired }: RepairCursor, end = repaired.length): SourcePiece | undefined {
  let start = end;
  for (let depth = 0; start > 0; start--) {
    const token = repaired[start - 1] as T.Token;
    if (end - start > MAX_TOKENS) return undefined;
    if (T.isClosing(token)) depth++;
    else if (T.isOpening(token) && --depth < 0) break;
    else if (depth === 0 && (T.isLogical(token) || isNot(token) || T.is(token, T.Comma))) break;
  }
  if (start === end) return undefined;
  const span = cover(repaired[start] as T.Token, repaired[end - 1] as T.Token);
  const text = source.slice(span.start, span.end);
  return isOperand(text) ? { text, span, next: repaired[start - 1] } : undefined;
}

/** Finds the operand, or the list, that begins `ahead` tokens after the cursor, as {@link findLeft} does. */
export function findRight(
  cursor: RepairCursor,
  ahead: number,
  canBeList = false,
): (SourcePiece & { readonly count: number }) | undefined {
  const count = countOperand(cursor, ahead);
  if (count === 0) return undefined;
  const span = cover(cursor.peek(ahead) as T.Token, cursor.peek(ahead + count - 1) as T.Token);
  const text = cursor.source.slice(span.start, span.end);
  const valid = isOperand(text) || (canBeList && parsePiece(`0 in ${text}`)?.kind === 'membership');
  return valid ? { text, span, next: cursor.peek(ahead + count), count } : undefined;
}

function countOperand(cursor: RepairCursor, ahead: number): number {
  let [count, depth] = [0, 0];
  for (let token = cursor.peek(ahead); token !== undefined; token = cursor.peek(ahead + count)) {
    if (count > MAX_TOKENS) return 0;
    if (T.isOpening(token)) depth++;
    else if (T.isClosing(token) && --depth < 0) break;
    else if (depth === 0 && endsOperand(token)) break;
    count++;
  }
  return count;
}

function endsOperand(token: T.Token): boolean {
  const meant = FOREIGN_OPERATORS.get(token.image);
  if (T.isLogical(token) || meant === 'and' || meant === 'or') return true;
  return T.is(token, T.Comma, T.ForeignSymbol, T.Comment) || ENDING_WORDS.has(token.image.toLowerCase());
}

/** Returns whether a condition can stand before a token without parentheses around it. */
export function endsCondition(token: T.Token | undefined): boolean {
  return token === undefined || T.isClosing(token) || endsOperand(token);
}

/** Returns whether a token is `not`. */
export function isNot(token: T.Token | undefined): boolean {
  return token?.tokenType.name === 'not';
}

/** Returns whether a token is a comparison, or an operator of another language for one. */
export function meansComparison(token: T.Token | undefined): boolean {
  const type = T.WORDS.get(FOREIGN_OPERATORS.get(token?.image ?? '') ?? '') ?? token?.tokenType;
  return type?.infix?.power === POWER.comparison;
}

function meansAnd(token: T.Token | undefined): boolean {
  return token !== undefined && (FOREIGN_OPERATORS.get(token.image) ?? token.image.toLowerCase()) === 'and';
}

/** Puts a rewritten condition in parentheses where the tokens around it bind tighter than its operator. */
export function wrap({ text, joint }: Rewrite, before: T.Token | undefined, after: T.Token | undefined): string {
  const loose = joint === 'and' || joint === 'or';
  const needed =
    before?.image === '!' || (loose && isNot(before)) || (joint === 'or' && (meansAnd(before) || meansAnd(after)));
  return needed ? `(${text})` : text;
}

/** Creates a fix, with a space where the text would otherwise run together with a word next to it. */
export function createFix(source: string, span: Span, text: string): Fix {
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
  const before = isWord(source[span.start - 1]) && isWord(text[0]) ? ' ' : '';
  const after = isWord(source[span.end]) && (text === '' || isWord(text.at(-1))) ? ' ' : '';
  return { span, text: before + text + (text === '' && !isWord(source[span.start - 1]) ? '' : after) };
}

/** Returns the span from one token to another. */
export function cover(first: T.Token, last: T.Token): Span {
  return { start: first.startOffset, end: T.getTokenEnd(last) };
}

/** Counts the tokens of the next call. If its parenthesis is never closed, these are all tokens that follow. */
export function countCall(cursor: RepairCursor, ahead = 1): number {
  let depth = 0;
  let count = ahead;
  for (let token = cursor.peek(count); token !== undefined; token = cursor.peek(count)) {
    count++;
    if (T.isOpening(token)) depth++;
    if (T.isClosing(token) && --depth === 0) break;
  }
  return count;
}

/** Reads the method that a dot `ahead` tokens after the cursor begins: its name, if it is called or well-known. */
export function readMethod(cursor: RepairCursor, ahead: number): string | undefined {
  const name = cursor.peek(ahead + 1);
  if (!T.is(cursor.peek(ahead), T.Dot) || !T.isWord(name)) return undefined;
  const called = T.is(cursor.peek(ahead + 2), T.OpenParenthesis);
  return called ? name?.image.toLowerCase() : undefined;
}
