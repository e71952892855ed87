import { createToken, type IToken, Lexer, type TokenType as LexerTokenType } from 'chevrotain';
import { SCOPES } from '../ast.ts';
import type { LogicalRow, StrictRow } from '../operators/row.ts';
import { BINARY, FUNCTIONS, LOGICAL, PREFIX } from '../operators/table.ts';
import type { Span } from '../source.ts';
import { FOREIGN_OPERATORS } from './foreign-words.ts';

/**
 * How an editor colours a piece of an expression. `keyword` is an operator spelled as a word, `property` the name of a
 * property, `invalid` anything that is not part of the language.
 */
export const HIGHLIGHTS = [
  'text',
  'escape',
  'number',
  'constant',
  'scope',
  'property',
  'function',
  'keyword',
  'operator',
  'bracket',
  'punctuation',
  'invalid',
] as const;

export type HighlightKind = (typeof HIGHLIGHTS)[number];

/** A kind of token: how it is spelled, what it is called, and how editors colour it. */
export interface TokenType extends LexerTokenType {
  readonly tokenTypeIdx: number;
  /** Its name in the grammar and in messages: a word or symbol is called by its spelling. */
  readonly LABEL: string;
  /** Its words or symbols, in lower case; none if only a pattern describes it. */
  readonly spellings: readonly string[];
  readonly highlight: HighlightKind;
  /** Its row in the operator table if it is an operator before an operand. */
  readonly prefix?: StrictRow | undefined;
  /** Its row in the operator table if it is an operator between two operands. */
  readonly infix?: InfixRow | undefined;
}

export type InfixRow = LogicalRow | StrictRow;

/** A piece of the source. */
export interface Token extends IToken {
  tokenType: TokenType;
  tokenTypeIdx: number;
}

const INFIX_ROWS: Readonly<Record<string, InfixRow>> = { ...LOGICAL, ...BINARY };
const PREFIX_ROWS: Readonly<Record<string, StrictRow>> = PREFIX;

// The grammar names `in`, which a list can follow, and `-`, which is a prefix and a binary operator.
const PREFIX_OPERATORS = Object.keys(PREFIX_ROWS).filter((name) => !(name in INFIX_ROWS));
const BINARY_OPERATORS = Object.keys(INFIX_ROWS).filter((name) => name !== 'in' && !(name in PREFIX_ROWS));

/** Every sequence of symbols that is one token. Where two begin alike, the lexer takes the longer. */
const SYMBOLS = [...PREFIX_OPERATORS, ...BINARY_OPERATORS, ...'-()[],.', ...FOREIGN_OPERATORS.keys(), '//', '#'].filter(
  isSymbol,
);

/** The letters of a word, each range from its first to its last; it leaves out the block of the curly quotes. */
const LETTER_RANGES = ['AZ', 'az', '__', '$$', '\u00c0\u1fff', '\u2c00\ud7ff', '\uf900\ufdff'];
export const LETTERS = LETTER_RANGES.map((range) => Array.from(range, inClass).join('-')).join('');
const DIGITS = '0123456789';
const QUOTES = '"\'';
const STRING = String.raw`"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*"|'[^'\\\r\n]*(?:\\[^\r\n][^'\\\r\n]*)*'`;
const NUMBER = String.raw`(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![.0-9${LETTERS}])`;
const NUMBER_LIKE = String.raw`\.?[0-9][.0-9${LETTERS}]*(?:(?<=[eE])[+-][.0-9${LETTERS}]*)*`;

/** A type that a pattern describes. Chevrotain need not parse the pattern to find the characters it can begin with. */
function pattern(name: string, highlight: HighlightKind, first: Iterable<string>, text: string): TokenType {
  const options = { pattern: new RegExp(text), start_chars_hint: [...first] };
  const type = createToken({ name, label: name.toLowerCase(), ...options });
  return Object.assign(type, { highlight, spellings: [] }) as LexerTokenType as TokenType;
}

/**
 * A type of words or symbols, with a label for several of them. The lexer takes every word for a name, which is looked
 * up afterwards: one pattern for all words is faster than a pattern for each.
 */
function spelled(name: string, highlight: HighlightKind, spellings: readonly string[], several = ''): TokenType {
  const label = spellings.length === 1 ? spellings.join() : several;
  const symbols = spellings.filter(isSymbol);
  const symbolPattern = symbols.length > 0 ? new RegExp(symbols.map(patternOf).join('|')) : Lexer.NA;
  const type = createToken({
    name,
    label,
    pattern: symbolPattern,
    start_chars_hint: symbols.map((symbol) => symbol.charAt(0)),
  });
  return Object.assign(type, { highlight, spellings }) as LexerTokenType as TokenType;
}

/** A pattern that matches a symbol unless the source goes on with a longer one. */
function patternOf(symbol: string): string {
  const longer = SYMBOLS.filter((other) => other.length > symbol.length && other.startsWith(symbol));
  const rest = longer.map((other) => escapeSymbol(other.slice(symbol.length)));
  return escapeSymbol(symbol) + (rest.length > 0 ? `(?!${rest.join('|')})` : '');
}

/** A symbol as it is written in a regular expression. */
export function escapeSymbol(symbol: string): string {
  return symbol.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&');
}

/** Some letters of each range, as many as the lexer needs: it groups the characters beyond Latin-1 by the hundreds. */
function* firstLetters(): Generator<string> {
  for (const [first = '', last = ''] of LETTER_RANGES) {
    for (let code = first.charCodeAt(0); code < last.charCodeAt(0); code += code < 0x100 ? 1 : 0x40) {
      yield String.fromCharCode(code);
    }
    yield last;
  }
}

function inClass(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x80 ? character : `\\u${code.toString(16).padStart(4, '0')}`;
}

function isSymbol(spelling: string): boolean {
  return !/^[a-z]/.test(spelling);
}

export const WhiteSpace = createToken({ name: 'WhiteSpace', pattern: /[ \t\r\n]+/, group: Lexer.SKIPPED });

export const StringLiteral = pattern('String', 'text', QUOTES, STRING);
export const NumberLiteral = pattern('Number', 'number', `.${DIGITS}`, NUMBER);
export const BooleanWord = spelled('Boolean', 'constant', ['true', 'false'], 'boolean');
export const NowWord = spelled('Now', 'constant', ['now']);
export const ScopeWord = spelled('Scope', 'scope', SCOPES, 'scope');
export const FunctionWord = spelled('Function', 'function', Object.keys(FUNCTIONS), 'function');

export const PrefixOperator = spelled('PrefixOperator', 'operator', PREFIX_OPERATORS, 'prefix-operator');
export const In = spelled('In', 'keyword', ['in']);
export const Minus = spelled('Minus', 'operator', ['-']);
export const BinaryOperator = spelled('BinaryOperator', 'operator', BINARY_OPERATORS, 'binary-operator');

export const OpenParenthesis = spelled('OpenParenthesis', 'bracket', ['(']);
export const CloseParenthesis = spelled('CloseParenthesis', 'bracket', [')']);
export const OpenBracket = spelled('OpenBracket', 'bracket', ['[']);
export const CloseBracket = spelled('CloseBracket', 'bracket', [']']);
export const Comma = spelled('Comma', 'punctuation', [',']);

// The grammar has no place for these: they are there to be explained.
export const Name = pattern('Name', 'invalid', firstLetters(), `[${LETTERS}][${LETTERS}0-9]*`);
export const UnclosedString = pattern('UnclosedString', 'invalid', QUOTES, String.raw`["'][^\r\n]*`);
export const CurlyString = pattern('CurlyString', 'invalid', '“”‘’', String.raw`[“”][^“”\r\n]*[“”]|[‘’][^‘’\r\n]*[‘’]`);
export const MalformedNumber = pattern('MalformedNumber', 'invalid', `.${DIGITS}`, NUMBER_LIKE);
export const Comment = pattern('Comment', 'invalid', '/#', String.raw`(?://|#)[^\r\n]*`);
export const ForeignOperator = spelled('ForeignOperator', 'invalid', [...FOREIGN_OPERATORS.keys()], 'foreign-operator');
export const Dot = spelled('Dot', 'invalid', ['.']);

/** Every token type. Where two match at one place, the lexer takes the first. */
export const TOKEN_TYPES: readonly TokenType[] = [
  Name,
  StringLiteral,
  UnclosedString,
  NumberLiteral,
  MalformedNumber,
  CurlyString,
  Comment,
  OpenParenthesis,
  CloseParenthesis,
  OpenBracket,
  CloseBracket,
  Comma,
  Dot,
  BinaryOperator,
  Minus,
  In,
  PrefixOperator,
  ForeignOperator,
  ScopeWord,
  FunctionWord,
  BooleanWord,
  NowWord,
];

/** The types whose words and symbols differ in meaning: a token of one says which word or symbol it is. */
const WORD_TYPES = [ScopeWord, FunctionWord, BooleanWord, NowWord, PrefixOperator, In, Minus, BinaryOperator];

/**
 * The words and symbols that mean something, each a token type. It has the index of the type that it is one of, so that
 * the grammar takes it for that, without the slower categories.
 */
export const WORDS: ReadonlyMap<string, TokenType> = new Map(
  WORD_TYPES.flatMap((type) => type.spellings.map((name) => [name, wordOf(type, name)])),
);

function wordOf(type: TokenType, name: string): TokenType {
  const highlight = type.highlight === 'operator' && !isSymbol(name) ? 'keyword' : type.highlight;
  const rows = { prefix: PREFIX_ROWS[name], infix: INFIX_ROWS[name] };
  return { ...type, ...rows, name, LABEL: name, spellings: [name], highlight };
}

/** The token type of a word or symbol of the language. */
export function findWord(name: string): TokenType {
  const word = WORDS.get(name);
  if (word === undefined) throw new Error(`There is no word ${name}`);
  return word;
}

/** The bracket that closes each opening one. */
export const CLOSING: ReadonlyMap<TokenType, TokenType> = new Map([
  [OpenParenthesis, CloseParenthesis],
  [OpenBracket, CloseBracket],
]);

/** Whether there is a token and it has one of these types. */
export function is(token: Token | undefined, ...types: readonly TokenType[]): boolean {
  return token !== undefined && types.some(({ tokenTypeIdx }) => tokenTypeIdx === token.tokenTypeIdx);
}

/** Whether the token opens a parenthesis or a bracket. */
export function isOpening(token: Token): boolean {
  return CLOSING.has(token.tokenType);
}

/** Whether the token closes a parenthesis or a bracket. */
export function isClosing(token: Token): boolean {
  return is(token, CloseParenthesis, CloseBracket);
}

/** Whether the token is `and` or `or`. */
export function isLogical({ tokenType }: Token): boolean {
  return tokenType.infix?.fixity === 'logical';
}

/** Whether the token begins a value, or is a word that was meant to. */
export function isOperandStart(token: Token | undefined): boolean {
  const literals = [StringLiteral, UnclosedString, CurlyString, NumberLiteral, MalformedNumber];
  return is(token, ...literals, BooleanWord, NowWord, ScopeWord, FunctionWord, Name, PrefixOperator, OpenParenthesis);
}

/** Whether an operand can end with the token, so that only an operator or the end can follow. */
export function isOperandEnd(token: Token | undefined): boolean {
  return is(token, StringLiteral, NumberLiteral, BooleanWord, NowWord, CloseParenthesis, CloseBracket);
}

/** Whether the token is a word, of the language or not. */
export function isWord(token: Token | undefined): boolean {
  return is(token, Name) || (token !== undefined && WORDS.has(token.tokenType.name) && !isSymbol(token.tokenType.name));
}

/** Where the token ends, in UTF-16 units from the beginning of the source. */
export function getTokenEnd({ startOffset, image }: IToken): number {
  return startOffset + image.length;
}

/** The source that the token takes. */
export function getTokenSpan(token: IToken): Span {
  return { start: token.startOffset, end: getTokenEnd(token) };
}

/** A token that was meant: over a piece of source or, with an empty image, between two tokens. */
export function createTokenAt(startOffset: number, image: string, tokenType: TokenType): Token {
  return { image, startOffset, tokenTypeIdx: tokenType.tokenTypeIdx, tokenType };
}
