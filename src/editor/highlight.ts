import type { Span } from '../language/source.ts';
import * as T from '../syntax/token.ts';
import { tokenize } from '../syntax/tokenize.ts';

/** What a token is to an eye: `keyword` is a word between or before operands, `property` a name in brackets, `invalid` no token of the language. */
export const HIGHLIGHTS = [
  'text',
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

/** A piece of the source and what to show it as. */
export interface Highlight {
  readonly kind: HighlightKind;
  readonly span: Span;
}

/** Everything in a text that is not white space, in source order, as the lexer takes it apart. Any text will do. */
export function highlight(source: string): readonly Highlight[] {
  const { tokens, strays } = tokenize(source);
  const found = tokens.map((token, index) => ({ kind: kindOf(token, tokens, index), span: T.spanOf(token) }));
  const invalid = strays.map((span) => ({ kind: 'invalid', span }) as const);
  return [...found, ...invalid].sort((left, right) => left.span.start - right.span.start);
}

function kindOf(token: T.Token, tokens: readonly T.Token[], index: number): HighlightKind {
  const is = (...types: readonly T.TokenType[]) => types.some((type) => T.is(token, type));
  if (is(T.Text)) {
    return T.is(tokens[index - 1], T.OpenBracket) && T.is(tokens[index - 2], T.Scope) ? 'property' : 'text';
  }
  if (is(T.Numeral)) return 'number';
  if (is(T.BooleanWord, T.Now)) return 'constant';
  if (is(T.Scope)) return 'scope';
  if (is(T.FunctionWord)) return 'function';
  if (T.isOpening(token) || T.isClosing(token)) return 'bracket';
  if (is(T.Comma)) return 'punctuation';
  if (token.type.infix === undefined && token.type.prefix === undefined) return 'invalid';
  return T.isWord(token) ? 'keyword' : 'operator';
}
