import type { Fix } from '../lang/diagnostic.ts';
import type { Span } from '../lang/source.ts';
import { tokenize } from '../lang/syntax/lexer.ts';
import { tryParse } from '../lang/syntax/parse.ts';
import { print } from '../lang/syntax/print.ts';
import * as T from '../lang/syntax/vocabulary.ts';

/**
 * What makes an expression canonical, in small changes, so that a cursor stays with its token; in source order. Undefined for a text
 * that is no expression.
 */
export function formatEdits(source: string): readonly Fix[] | undefined {
  const { tree } = tryParse(source);
  if (tree === undefined) return undefined;
  const text = print(tree);
  const canonical = piecesOf(text).map(({ start, end }) => text.slice(start, end));
  return piecesOf(source)
    .map((span, index) => ({ span, text: canonical[index] ?? '' }))
    .filter(({ span, text }) => source.slice(span.start, span.end) !== text);
}

/** By turns what stands between two tokens and a token. Only parentheses come and go: they count as what is between. */
function piecesOf(source: string): Span[] {
  const pieces: Span[] = [];
  let start = 0;
  for (const token of tokenize(source).tokens) {
    if (T.is(token, T.OpenParenthesis, T.CloseParenthesis)) continue;
    pieces.push({ start, end: token.startOffset }, T.getTokenSpan(token));
    start = T.getTokenEnd(token);
  }
  return [...pieces, { start, end: source.length }];
}
