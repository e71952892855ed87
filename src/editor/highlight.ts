import type { Span } from '../lang/source.ts';
import { tokenize } from '../lang/syntax/lexer.ts';
import { findEscapes } from '../lang/syntax/literal.ts';
import { DEFAULT_LENGTH } from '../lang/syntax/parse.ts';
import * as T from '../lang/syntax/vocabulary.ts';

/** A span of the source and its highlight kind. */
export interface Highlight {
  readonly kind: T.HighlightKind;
  readonly span: Span;
}

/**
 * Returns the highlights of a source, in source order and without white space.
 *
 * The source need not be a valid expression. One longer than 65,536 characters, the maximum of an expression, has none.
 */
export function highlight(source: string): readonly Highlight[] {
  if (source.length > DEFAULT_LENGTH) return [];
  const { tokens, unexpected } = tokenize(source);
  const found: Highlight[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.tokenType === T.StringLiteral)
      addString(found, isPropertyName(tokens, index) ? 'property' : 'text', token);
    else found.push({ kind: token.tokenType.highlight, span: T.getTokenSpan(token) });
  }
  if (unexpected.length === 0) return found;
  const invalid = unexpected.map((span) => ({ kind: 'invalid', span }) as const);
  return [...found, ...invalid].sort((left, right) => left.span.start - right.span.start);
}

/** Tells whether a string is the name of a property. */
function isPropertyName(tokens: readonly T.Token[], index: number): boolean {
  return T.is(tokens[index - 1], T.OpenBracket) && T.is(tokens[index - 2], T.ScopeWord);
}

/** Adds a string as several highlights: its escapes have their own kind. */
function addString(found: Highlight[], kind: T.HighlightKind, token: T.Token): void {
  const { start, end } = T.getTokenSpan(token);
  let done = start;
  for (const { index, written, value } of findEscapes(token.image)) {
    const span = { start: start + index, end: start + index + written.length };
    if (done < span.start) found.push({ kind, span: { start: done, end: span.start } });
    found.push({ kind: value === undefined ? 'invalid' : 'escape', span });
    done = span.end;
  }
  found.push({ kind, span: { start: done, end } });
}
