import { Lexer } from 'chevrotain';
import type { Span } from '../source.ts';
import {
  BinaryOperator,
  Minus,
  Name,
  PrefixOperator,
  TOKEN_TYPES,
  type Token,
  WhiteSpace,
  WORDS,
} from './vocabulary.ts';

/** A source split into tokens. */
export interface LexerResult {
  readonly tokens: Token[];
  /** Runs of characters that no token begins with. */
  readonly unexpected: readonly Span[];
}

const NONE: readonly Span[] = [];

let lexer: Lexer | undefined;

/** Splits a source into tokens, in linear time. The parser decides whether they form an expression. */
export function tokenize(source: string): LexerResult {
  // Created on first use, so that importing the module stays cheap.
  lexer ??= createLexer();
  const { tokens, errors } = lexer.tokenize(source);
  for (const token of tokens as Token[]) {
    const { tokenType, image } = token;
    if (tokenType !== Name && tokenType !== BinaryOperator && tokenType !== Minus && tokenType !== PrefixOperator)
      continue;
    // Words are case-insensitive (language, section 2).
    const word = WORDS.get(image) ?? WORDS.get(image.toLowerCase());
    if (word === undefined) continue;
    token.tokenType = word;
    token.tokenTypeIdx = word.tokenTypeIdx;
  }
  const unexpected =
    errors.length === 0 ? NONE : errors.map(({ offset, length }) => ({ start: offset, end: offset + length }));
  return { tokens: tokens as Token[], unexpected };
}

/** Creates the lexer. Tests validate its definitions, which never change at run time. */
export function createLexer(skipValidations = true): Lexer {
  return new Lexer([WhiteSpace, ...TOKEN_TYPES], {
    positionTracking: 'onlyOffset',
    ensureOptimizations: true,
    skipValidations,
  });
}
