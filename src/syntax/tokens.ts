import { createToken, createTokenInstance, type IToken, Lexer, type TokenType } from 'chevrotain';
import { SCOPES } from '../language/ast.ts';
import type { Span } from '../language/source.ts';
import { BINARY, FUNCTIONS, LOGICAL, PREFIX } from '../operators/table.ts';

/** Letters beyond ASCII, without the block that holds the curly quotes. */
const LETTER = String.raw`A-Za-z_$\u00c0-\u1fff\u2c00-\ud7ff\uf900-\ufdff`;
const DIGITS = String.raw`(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?`;
const IN_DOUBLE_QUOTES = String.raw`"(?:[^"\\\r\n]|\\[^\r\n])*`;
const IN_SINGLE_QUOTES = String.raw`'(?:[^'\\\r\n]|\\[^\r\n])*`;

function pattern(name: string, text: string): TokenType {
  return createToken({ name, pattern: new RegExp(text) });
}

function category(name: string): TokenType {
  return createToken({ name, pattern: Lexer.NA });
}

/** A word that means nothing here. The grammar has no place for it; it is there to be explained. */
export const Name = pattern('Name', `[${LETTER}][${LETTER}0-9]*`);

/** Words are case-insensitive (language, section 2); one that goes on is a name. */
function word(text: string, ...categories: TokenType[]): TokenType {
  return createToken({ name: text, pattern: new RegExp(text, 'i'), longer_alt: Name, categories });
}

function mark(text: string, ...categories: TokenType[]): TokenType {
  return createToken({ name: text, pattern: text, categories });
}

export const BinaryOperator = category('BinaryOperator');
export const PrefixOperator = category('PrefixOperator');
export const FunctionWord = category('Function');
export const Scope = category('Scope');
export const BooleanWord = category('Boolean');

export const Text = pattern('String', `${IN_DOUBLE_QUOTES}"|${IN_SINGLE_QUOTES}'`);
export const Numeral = pattern('Number', `${DIGITS}(?![.0-9${LETTER}])`);
export const Now = word('now');

export const OpenParenthesis = mark('(');
export const CloseParenthesis = mark(')');
export const OpenBracket = mark('[');
export const CloseBracket = mark(']');
export const Comma = mark(',');

/** Mistakes with a token of their own. */
export const UnclosedText = pattern('UnclosedText', String.raw`${IN_DOUBLE_QUOTES}\\?|${IN_SINGLE_QUOTES}\\?`);
export const CurlyText = pattern('CurlyText', String.raw`[“”][^“”\r\n]*[“”]|[‘’][^‘’\r\n]*[‘’]`);
export const MalformedNumber = pattern('MalformedNumber', String.raw`\.?[0-9](?:[eE][+-]|[.0-9${LETTER}])*`);
export const ForeignOperator = pattern('ForeignOperator', String.raw`===|!==|<>|=>|=<|&&?|\|\|?|=(?!=)|!(?!=)`);
export const Comment = pattern('Comment', String.raw`//[^\r\n]*|#[^\r\n]*`);
export const Dot = mark('.');

const WhiteSpace = createToken({ name: 'WhiteSpace', pattern: /[ \t\r\n]+/, group: Lexer.SKIPPED, line_breaks: true });

const FIRST_LETTER = new RegExp(`^[${LETTER}]`);

/** Every operator of the table. `in` is in no category: a list can follow it, so that the grammar has a place for it alone. */
const OPERATORS = [...new Set([...Object.keys(LOGICAL), ...Object.keys(BINARY), ...Object.keys(PREFIX)])].map(
  (name) => {
    const binary =
      (Object.hasOwn(LOGICAL, name) || Object.hasOwn(BINARY, name)) && name !== 'in' ? [BinaryOperator] : [];
    const prefix = Object.hasOwn(PREFIX, name) ? [PrefixOperator] : [];
    return (FIRST_LETTER.test(name) ? word : mark)(name, ...binary, ...prefix);
  },
);

/** Every token type. The lexer takes the first that matches: mistakes that begin like an operator and longer operators come first. */
export const TOKENS: readonly TokenType[] = [
  WhiteSpace,
  Comment,
  ForeignOperator,
  ...OPERATORS.sort((left, right) => right.name.length - left.name.length),
  OpenParenthesis,
  CloseParenthesis,
  OpenBracket,
  CloseBracket,
  Comma,
  Text,
  UnclosedText,
  CurlyText,
  Numeral,
  MalformedNumber,
  Dot,
  Now,
  ...['true', 'false'].map((name) => word(name, BooleanWord)),
  ...SCOPES.map((name) => word(name, Scope)),
  ...Object.keys(FUNCTIONS).map((name) => word(name, FunctionWord)),
  Name,
  BinaryOperator,
  PrefixOperator,
  FunctionWord,
  Scope,
  BooleanWord,
];

/** The token type of a word or symbol of the language. */
export function named(name: string): TokenType {
  const type = TOKENS.find((candidate) => candidate.name === name);
  if (type === undefined) throw new Error(`There is no token ${name}`);
  return type;
}

export const And = named('and');
export const In = named('in');
export const Not = named('not');
export const Minus = named('-');

/** The bracket that closes each opening one. */
export const CLOSING: ReadonlyMap<TokenType, TokenType> = new Map([
  [OpenParenthesis, CloseParenthesis],
  [OpenBracket, CloseBracket],
]);

/** Whether a token is of the type or category. */
export function is(token: IToken | undefined, type: TokenType): boolean {
  return token !== undefined && (token.tokenType === type || (token.tokenType.CATEGORIES ?? []).includes(type));
}

/** Whether the token opens a parenthesis or a bracket. */
export function isOpening(token: IToken): boolean {
  return CLOSING.has(token.tokenType);
}

/** Whether the token closes a parenthesis or a bracket. */
export function isClosing(token: IToken): boolean {
  return is(token, CloseParenthesis) || is(token, CloseBracket);
}

/** Whether the token is `and` or `or`. */
export function isLogical(token: IToken): boolean {
  return Object.hasOwn(LOGICAL, token.tokenType.name);
}

/** Whether the token begins a value, or is a word that was meant to. */
export function startsOperand(token: IToken | undefined): boolean {
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
export function endsOperand(token: IToken | undefined): boolean {
  return [Text, Numeral, BooleanWord, Now, CloseParenthesis, CloseBracket].some((type) => is(token, type));
}

/** Whether the token is a word, of the language or not. */
export function isWord(token: IToken | undefined): boolean {
  return token !== undefined && FIRST_LETTER.test(token.image);
}

/** The source that the token takes. */
export function spanOf(token: IToken): Span {
  return { start: token.startOffset, end: token.startOffset + token.image.length };
}

/** A token that stands for what was meant, in the place of a piece of source or, without one, between two tokens. */
export function synthetic(type: TokenType, offset: number, image = ''): IToken {
  return createTokenInstance(type, image, offset, offset, 0, 0, 0, 0);
}
