import type { Property, Scope } from '../language/ast.ts';
import { POWER } from '../operators/row.ts';
import { readText } from '../syntax/literal.ts';
import * as T from '../syntax/token.ts';
import { tokenize } from '../syntax/tokenize.ts';

/** What can stand at a place. */
type Wanted = 'name' | 'operand' | 'item' | 'operator' | 'nothing';

/** A place in a text that need not be an expression, as far as the tokens around it tell. */
export interface Place {
  /** The word, number or text that is being typed there, if any. */
  readonly token: T.Token | undefined;
  readonly before: readonly T.Token[];
  readonly after: readonly T.Token[];
  readonly wanted: Wanted;
}

/** Finds out where in a text an offset is. */
export function placeAt(source: string, offset: number): Place {
  const { tokens } = tokenize(source);
  const token = tokens.find((each) => isTypedAt(each, offset));
  const before = tokens.filter(({ start }) => start < (token?.start ?? offset));
  const after = tokens.filter(({ start }) => start >= (token?.end ?? offset));
  return { token, before, after, wanted: wantedAt(before, isQuoted(token)) };
}

/** Whether a token is text, closed or not. */
export function isQuoted(token: T.Token | undefined): boolean {
  return T.is(token, T.Text) || T.is(token, T.UnclosedText);
}

/** Whether what stands at the place, behind a whole operand, is joined to it by `and` or `or`: it holds a comparison already. */
export function isCompared({ before }: Place): boolean {
  for (const { type } of before.toReversed()) {
    if (type.infix?.fixity === 'logical' || type === T.OpenParenthesis) return false;
    if (type.infix?.power === POWER.comparison) return true;
  }
  return false;
}

/** The property that what stands at the place is compared with, or looked for in. */
export function comparedProperty(source: string, { before, after, wanted }: Place): Property | undefined {
  if (wanted === 'item') return propertyBefore(source, before.slice(0, listStart(before)), [T.In]);
  return propertyBefore(source, before, EQUALITY) ?? propertyAfter(source, after, [...EQUALITY, T.In]);
}

/** The properties that stand anywhere in the text. */
export function propertiesIn(source: string, tokens: readonly T.Token[]): Property[] {
  return tokens.flatMap((_, index) => propertyAt(source, tokens, index) ?? []);
}

const EQUALITY = [T.named('=='), T.named('!=')];
const MINUS = T.named('-');

/** Whether the offset is in a text, or in a word or a number or at its end, so that what is typed there goes on with it. */
function isTypedAt(token: T.Token, offset: number): boolean {
  if (offset <= token.start || offset > token.end) return false;
  if (T.is(token, T.Text)) return offset < token.end;
  return T.isWord(token) || [T.UnclosedText, T.Numeral, T.MalformedNumber].some((type) => T.is(token, type));
}

function wantedAt(before: readonly T.Token[], quoted: boolean): Wanted {
  const previous = before.at(-1);
  if (T.is(previous, T.OpenBracket) && T.is(before.at(-2), T.Scope)) return 'name';
  if (T.endsOperand(previous)) return quoted ? 'nothing' : 'operator';
  if ([T.Scope, T.FunctionWord, T.Dot].some((type) => T.is(previous, type))) return 'nothing';
  if (listStart(before) === -1) return 'operand';
  // A known value has its own sign.
  return T.is(previous, MINUS) ? 'nothing' : 'item';
}

/** Where the written list that a place is in begins; -1 outside of one. */
function listStart(before: readonly T.Token[]): number {
  let depth = 0;
  for (let index = before.length - 1; index >= 0; index--) {
    const token = before[index] as T.Token;
    if (T.isClosing(token)) depth++;
    else if (T.isOpening(token) && depth-- === 0) return T.is(token, T.OpenBracket) ? index : -1;
  }
  return -1;
}

function propertyBefore(source: string, tokens: readonly T.Token[], operators: readonly T.TokenType[]) {
  const isOperator = operators.some((type) => T.is(tokens.at(-1), type));
  return isOperator ? propertyAt(source, tokens, tokens.length - 5) : undefined;
}

function propertyAfter(source: string, tokens: readonly T.Token[], operators: readonly T.TokenType[]) {
  const isOperator = operators.some((type) => T.is(tokens[0], type));
  return isOperator ? propertyAt(source, tokens, 1) : undefined;
}

function propertyAt(source: string, tokens: readonly T.Token[], index: number): Property | undefined {
  const [scope, open, name, close] = [0, 1, 2, 3].map((ahead) => tokens[index + ahead]);
  if (!T.is(scope, T.Scope) || !T.is(open, T.OpenBracket) || !T.is(name, T.Text) || !T.is(close, T.CloseBracket))
    return;
  const [{ start, type }, { end }] = [scope, close] as [T.Token, T.Token];
  const text = readText(source, name as T.Token, () => undefined);
  return { kind: 'property', scope: type.name as Scope, name: text, span: { start, end } };
}
