import { SCOPES } from '../language/ast.ts';
import type { Span } from '../language/source.ts';
import type { LogicalRow, StrictRow } from '../operators/row.ts';
import { BINARY, FUNCTIONS, LOGICAL, PREFIX } from '../operators/table.ts';

export type InfixRow = LogicalRow | StrictRow;

/** What a token can be. */
export interface TokenType {
  /** A word or symbol as it is written; others begin with a capital. */
  readonly name: string;
  /** What it shares with the words that stand in the same places. */
  readonly category: TokenType | undefined;
  /** Its row in the operator table, where it is an operator before its operand. */
  readonly prefix: StrictRow | undefined;
  /** Its row in the operator table, where it is an operator between its operands. */
  readonly infix: InfixRow | undefined;
}

/** A piece of the source. */
export interface Token extends Span {
  readonly type: TokenType;
}

function kind(name: string, category?: TokenType): TokenType {
  return { name, category, prefix: undefined, infix: undefined };
}

export const Scope = kind('Scope');
export const FunctionWord = kind('Function');
export const BooleanWord = kind('Boolean');
export const Text = kind('String');
export const Numeral = kind('Number');

/** What follows the last token. */
export const End = kind('End');

/** A word that means nothing here. The grammar has no place for it, nor for what follows: they are there to be explained. */
export const Name = kind('Name');
export const UnclosedText = kind('UnclosedText');
export const CurlyText = kind('CurlyText');
export const MalformedNumber = kind('MalformedNumber');
export const ForeignOperator = kind('ForeignOperator');
export const Comment = kind('Comment');

const INFIX_ROWS: Readonly<Record<string, InfixRow>> = { ...LOGICAL, ...BINARY };
const PREFIX_ROWS: Readonly<Record<string, StrictRow>> = PREFIX;

/** Every word and symbol by its name, in lower case. The dot has no place in the grammar either. */
export const VOCABULARY: ReadonlyMap<string, TokenType> = new Map(
  [
    ...[...Object.keys(INFIX_ROWS), ...Object.keys(PREFIX_ROWS)].map((name) => {
      return { ...kind(name), prefix: PREFIX_ROWS[name], infix: INFIX_ROWS[name] };
    }),
    ...['(', ')', '[', ']', ',', '.', 'now'].map((name) => kind(name)),
    ...['true', 'false'].map((name) => kind(name, BooleanWord)),
    ...SCOPES.map((name) => kind(name, Scope)),
    ...Object.keys(FUNCTIONS).map((name) => kind(name, FunctionWord)),
  ].map((type) => [type.name, type]),
);

/** The token type of a word or symbol of the language. */
export function named(name: string): TokenType {
  const type = VOCABULARY.get(name);
  if (type === undefined) throw new Error(`There is no token ${name}`);
  return type;
}

export const And = named('and');
export const In = named('in');
export const Not = named('not');
export const Minus = named('-');
export const Now = named('now');
export const True = named('true');
export const OpenParenthesis = named('(');
export const CloseParenthesis = named(')');
export const OpenBracket = named('[');
export const CloseBracket = named(']');
export const Comma = named(',');
export const Dot = named('.');

/** The bracket that closes each opening one. */
export const CLOSING: ReadonlyMap<TokenType, TokenType> = new Map([
  [OpenParenthesis, CloseParenthesis],
  [OpenBracket, CloseBracket],
]);

/** Whether a token is of the type or category. */
export function is(token: Token | undefined, type: TokenType): boolean {
  return token !== undefined && (token.type === type || token.type.category === type);
}

/** Whether the token opens a parenthesis or a bracket. */
export function isOpening(token: Token): boolean {
  return CLOSING.has(token.type);
}

/** Whether the token closes a parenthesis or a bracket. */
export function isClosing(token: Token): boolean {
  return is(token, CloseParenthesis) || is(token, CloseBracket);
}

/** Whether the token is `and` or `or`. */
export function isLogical(token: Token): boolean {
  return token.type.infix?.fixity === 'logical';
}

/** Whether the token begins a value, or is a word that was meant to. */
export function startsOperand(token: Token | undefined): boolean {
  return [
    Text,
    UnclosedText,
    CurlyText,
    Numeral,
    MalformedNumber,
    BooleanWord,
    Now,
    Scope,
    FunctionWord,
    Name,
    Not,
    OpenParenthesis,
  ].some((type) => is(token, type));
}

/** Whether an operand can end with the token, so that only an operator or the end can follow. */
export function endsOperand(token: Token | undefined): boolean {
  return [Text, Numeral, BooleanWord, Now, CloseParenthesis, CloseBracket].some((type) => is(token, type));
}

/** Whether the token is a word, of the language or not. */
export function isWord(token: Token | undefined): boolean {
  return token !== undefined && (token.type === Name || /^[a-z]/.test(token.type.name));
}

/** The source that the token takes. */
export function spanOf({ start, end }: Token): Span {
  return { start, end };
}
