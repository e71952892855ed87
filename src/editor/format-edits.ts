import type { Fix } from '../lang/diagnostic.ts';
import type { Span } from '../lang/source.ts';
import { tokenize } from '../lang/syntax/lexer.ts';
import { tryParse } from '../lang/syntax/parse.ts';
import { print } from '../lang/syntax/print.ts';
import * as T from '../lang/syntax/vocabulary.ts';

/**
 * Returns the edits that format an expression, in source order. They are small, so that a cursor stays at its token.
 *
 * @returns `undefined` if the source has a syntax error.
 */
export function formatEdits(source: string): readonly Fix[] | undefined {
  const { tree } = tryParse(source);
  if (tree === undefined) return undefined;
  const formatted = print(tree);
  const canonical = splitSource(formatted).map(({ start, end }) => formatted.slice(start, end));
  return splitSource(source)
    .map((span, index) => ({ span, text: canonical[index] ?? '' }))
    .filter(({ span, text }) => source.slice(span.start, span.end) !== text);
}

/** Splits a source into gaps and tokens, in turn. Parentheses, which formatting adds and removes, belong to gaps. */
function splitSource(source: string): Span[] {
  const pieces: Span[] = [];
  let start = 0;
  for (const token of tokenize(source).tokens) {
    if (T.is(token, T.OpenParenthesis, T.CloseParenthesis)) continue;
    pieces.push({ start, end: token.startOffset }, T.getTokenSpan(token));
    start = T.getTokenEnd(token);
  }
  return [...pieces, { start, end: source.length }];
}
