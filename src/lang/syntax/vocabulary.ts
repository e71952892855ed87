import { createToken, type IToken, Lexer, type TokenType as LexerTokenType } from 'chevrotain';
import { SCOPES } from '../ast.ts';
import type { LogicalRow, StrictRow } from '../operators/row.ts';
import { BINARY, FUNCTIONS, LOGICAL, PREFIX } from '../operators/table.ts';
import type { Span } from '../source.ts';
import { FOREIGN_OPERATORS, FOREIGN_SYMBOLS } from './repair/foreign-words.ts';

/**
 * The classes by which editors colour an expression. `text` is a string, `keyword` an operator spelled as a word,
 * `property` the name of a property, `invalid` anything that is not part of the language.
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

/** A type of token: its pattern or spellings, its name, and its colour in editors. */
export interface TokenType extends LexerTokenType {
  readonly tokenTypeIdx: number;
  /** Its name in the grammar and in messages. A single word or symbol has its spelling as name. */
  readonly LABEL: string;
  /** Its words or symbols, in lower case. Empty for a type with a pattern. */
  readonly spellings: readonly string[];
  readonly highlight: HighlightKind;
  /** Its row in the operator table, if it is a prefix operator. */
  readonly prefix?: StrictRow | undefined;
  /** Its row in the operator table, if it is an infix operator. */
  readonly infix?: InfixRow | undefined;
}

export type InfixRow = LogicalRow | StrictRow;

/** A token of the source. */
export interface Token extends IToken {
  tokenType: TokenType;
  tokenTypeIdx: number;
}

const INFIX_ROWS: Readonly<Record<string, InfixRow>> = { ...LOGICAL, ...BINARY };
const PREFIX_ROWS: Readonly<Record<string, StrictRow>> = PREFIX;

// The grammar names `in`, which a list can follow, and `-`, which is a prefix and a binary operator.
const PREFIX_OPERATORS = Object.keys(PREFIX_ROWS).filter((name) => !(name in INFIX_ROWS));
const BINARY_OPERATORS = Object.keys(INFIX_ROWS).filter((name) => name !== 'in' && !(name in PREFIX_ROWS));

/** All symbols that are tokens. If two begin alike, the lexer takes the longer. */
const SYMBOLS = [
  ...PREFIX_OPERATORS,
  ...BINARY_OPERATORS,
  ...'-()[],.',
  '?.',
  ...FOREIGN_OPERATORS.keys(),
  ...FOREIGN_SYMBOLS,
  '//',
  '#',
].filter(isSymbol);

/** The first and last letter of each range of letters that words consist of. Curly quotes are not in a range. */
const LETTER_RANGES = ['AZ', 'az', '__', '$$', '\u00c0\u1fff', '\u2c00\ud7ff', '\uf900\ufdff'];
export const LETTERS = LETTER_RANGES.map((range) => Array.from(range, escapeLetter).join('-')).join('');
const DIGITS = '0123456789';
const QUOTES = '"\'';
const STRING = String.raw`"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*"|'[^'\\\r\n]*(?:\\[^\r\n][^'\\\r\n]*)*'`;
const NUMBER = String.raw`(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![.0-9${LETTERS}])`;
const NUMBER_LIKE = String.raw`\.?[0-9][.0-9${LETTERS}]*(?:(?<=[eE])[+-][.0-9${LETTERS}]*)*`;

/**
 * Defines a type by a pattern. `first` has the characters that it can begin with, so that Chevrotain need not parse the
 * pattern.
 */
function definePattern(name: string, highlight: HighlightKind, first: Iterable<string>, pattern: string): TokenType {
  const options = { pattern: new RegExp(pattern), start_chars_hint: [...first] };
  const type = createToken({ name, label: name.toLowerCase(), ...options });
  return Object.assign(type, { highlight, spellings: [] }) as LexerTokenType as TokenType;
}

/**
 * Defines a type by its words or symbols, with a label if there are several. The lexer matches every word as a name and
 * looks it up afterwards: one pattern for all words is faster than one for each.
 */
function defineWords(name: string, highlight: HighlightKind, spellings: readonly string[], several = ''): TokenType {
  const label = spellings.length === 1 ? spellings.join() : several;
  const symbols = spellings.filter(isSymbol);
  const symbolPattern = symbols.length > 0 ? new RegExp(symbols.map(toPattern).join('|')) : Lexer.NA;
  const type = createToken({
    name,
    label,
    pattern: symbolPattern,
    start_chars_hint: symbols.map((symbol) => symbol.charAt(0)),
  });
  return Object.assign(type, { highlight, spellings }) as LexerTokenType as TokenType;
}

/** Returns a pattern that matches a symbol, unless it is the beginning of a longer one. */
function toPattern(symbol: string): string {
  const longer = SYMBOLS.filter((other) => other.length > symbol.length && other.startsWith(symbol));
  const rest = longer.map((other) => escapeSymbol(other.slice(symbol.length)));
  return escapeSymbol(symbol) + (rest.length > 0 ? `(?!${rest.join('|')})` : '');
}

/** Escapes a symbol for a regular expression. */
export function escapeSymbol(symbol: string): string {
  return symbol.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&');
}

/** Yields a sample of each range that is enough for the lexer, which groups the characters beyond Latin-1. */
function* sampleLetters(): Generator<string> {
  for (const [first = '', last = ''] of LETTER_RANGES) {
    for (let code = first.charCodeAt(0); code < last.charCodeAt(0); code += code < 0x100 ? 1 : 0x40) {
      yield String.fromCharCode(code);
    }
    yield last;
  }
}

function escapeLetter(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x80 ? character : `\\u${code.toString(16).padStart(4, '0')}`;
}

function isSymbol(spelling: string): boolean {
  return !/^[a-z]/.test(spelling);
}

export const WhiteSpace = createToken({
  name: 'WhiteSpace',
  pattern: /[ \t\r\n]+/,
  start_chars_hint: [' ', '\t', '\r', '\n'],
  group: Lexer.SKIPPED,
});

export const StringLiteral = definePattern('String', 'text', QUOTES, STRING);
export const NumberLiteral = definePattern('Number', 'number', `.${DIGITS}`, NUMBER);
export const BooleanWord = defineWords('Boolean', 'constant', ['true', 'false'], 'boolean');
export const NowWord = defineWords('Now', 'constant', ['now']);
export const ScopeWord = defineWords('Scope', 'scope', SCOPES, 'scope');
export const FunctionWord = defineWords('Function', 'function', Object.keys(FUNCTIONS), 'function');

export const PrefixOperator = defineWords('PrefixOperator', 'operator', PREFIX_OPERATORS, 'prefix-operator');
export const In = defineWords('In', 'keyword', ['in']);
export const Minus = defineWords('Minus', 'operator', ['-']);
export const BinaryOperator = defineWords('BinaryOperator', 'operator', BINARY_OPERATORS, 'binary-operator');

export const OpenParenthesis = defineWords('OpenParenthesis', 'bracket', ['(']);
export const CloseParenthesis = defineWords('CloseParenthesis', 'bracket', [')']);
export const OpenBracket = defineWords('OpenBracket', 'bracket', ['[']);
export const CloseBracket = defineWords('CloseBracket', 'bracket', [']']);
export const Comma = defineWords('Comma', 'punctuation', [',']);

// The grammar has no rule for these. They exist so that diagnostics can explain them.
// The apostrophe of `isn't` would begin a string.
const NAME = `(?:is|are|was|does)n't(?![${LETTERS}0-9])|[${LETTERS}][${LETTERS}0-9]*`;
export const Name = definePattern('Name', 'invalid', sampleLetters(), NAME);
export const UnclosedString = definePattern('UnclosedString', 'invalid', QUOTES, String.raw`["'][^\r\n]*`);
export const CurlyString = definePattern(
  'CurlyString',
  'invalid',
  '“”‘’`',
  String.raw`\x60[^\x60\r\n]+\x60|[“”][^“”\r\n]*[“”]|‘(?:[^‘’\r\n]|’(?=[${LETTERS}]))*’(?![${LETTERS}])|[‘’][^‘’\r\n]*[‘’]`,
);
export const MalformedNumber = definePattern('MalformedNumber', 'invalid', `.${DIGITS}`, NUMBER_LIKE);
export const Comment = definePattern('Comment', 'invalid', '/#', String.raw`(?://|#)[^\r\n]*`);
export const ForeignOperator = defineWords(
  'ForeignOperator',
  'invalid',
  [...FOREIGN_OPERATORS.keys()],
  'foreign-operator',
);
export const ForeignSymbol = defineWords('ForeignSymbol', 'invalid', FOREIGN_SYMBOLS, 'foreign-symbol');
export const Dot = defineWords('Dot', 'invalid', ['.', '?.'], 'dot');

/** All token types. If two match at one position, the lexer takes the first. */
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
  ForeignSymbol,
  ScopeWord,
  FunctionWord,
  BooleanWord,
  NowWord,
];

/** The types whose words and symbols have token types, because they differ in meaning. */
const WORD_TYPES = [ScopeWord, FunctionWord, BooleanWord, NowWord, PrefixOperator, In, Minus, BinaryOperator];

/**
 * The token type of each word and symbol of the language. It has the index of its general type, so that the grammar
 * accepts it as that type without the slower categories of Chevrotain.
 */
export const WORDS: ReadonlyMap<string, TokenType> = new Map(
  WORD_TYPES.flatMap((type) => type.spellings.map((name) => [name, createWord(type, name)])),
);

function createWord(type: TokenType, name: string): TokenType {
  const highlight = type.highlight === 'operator' && !isSymbol(name) ? 'keyword' : type.highlight;
  const rows = { prefix: PREFIX_ROWS[name], infix: INFIX_ROWS[name] };
  return { ...type, ...rows, name, LABEL: name, spellings: [name], highlight };
}

/** Returns the token type of a word or symbol of the language. */
export function findWord(name: string): TokenType {
  const word = WORDS.get(name);
  if (word === undefined) throw new Error(`Unknown word ${name}`);
  return word;
}

/** The closing bracket of each opening one. */
export const CLOSING: ReadonlyMap<TokenType, TokenType> = new Map([
  [OpenParenthesis, CloseParenthesis],
  [OpenBracket, CloseBracket],
]);

/** Returns whether a token exists and has one of these types. */
export function is(token: Token | undefined, ...types: readonly TokenType[]): boolean {
  return token !== undefined && types.some(({ tokenTypeIdx }) => tokenTypeIdx === token.tokenTypeIdx);
}

/** Returns whether a token is an opening parenthesis or bracket. */
export function isOpening(token: Token): boolean {
  return CLOSING.has(token.tokenType);
}

/** Returns whether a token is a closing parenthesis or bracket. */
export function isClosing(token: Token): boolean {
  return is(token, CloseParenthesis, CloseBracket);
}

/** Returns whether a token is `and` or `or`. */
export function isLogical({ tokenType }: Token): boolean {
  return tokenType.infix?.fixity === 'logical';
}

/** Returns whether a token is a string, a number or a boolean. */
export function isLiteral(token: Token | undefined): boolean {
  return is(token, StringLiteral, NumberLiteral, BooleanWord);
}

/** Returns whether an operand can begin with a token, or was meant to. */
export function isOperandStart(token: Token | undefined): boolean {
  const literals = [StringLiteral, UnclosedString, CurlyString, NumberLiteral, MalformedNumber];
  return is(token, ...literals, BooleanWord, NowWord, ScopeWord, FunctionWord, Name, PrefixOperator, OpenParenthesis);
}

/** Returns whether an operand can end with a token, so that only an operator or the end can follow. */
export function isOperandEnd(token: Token | undefined): boolean {
  return isLiteral(token) || is(token, NowWord, CloseParenthesis, CloseBracket);
}

/** Returns whether a token is a word, of the language or not. */
export function isWord(token: Token | undefined): boolean {
  return is(token, Name) || (token !== undefined && WORDS.has(token.tokenType.name) && !isSymbol(token.tokenType.name));
}

/** Returns the end of a token, in UTF-16 units from the start of the source. */
export function getTokenEnd({ startOffset, image }: IToken): number {
  return startOffset + image.length;
}

/** Returns the span of a token. */
export function getTokenSpan(token: IToken): Span {
  return { start: token.startOffset, end: getTokenEnd(token) };
}

/** Creates a token for a repair: in place of a piece of source or, with an empty image, between two tokens. */
export function createTokenAt(startOffset: number, image: string, tokenType: TokenType): Token {
  return { image, startOffset, tokenTypeIdx: tokenType.tokenTypeIdx, tokenType };
}
