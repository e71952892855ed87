import type { Span } from '../lang/source.ts';
import { tokenize } from '../lang/syntax/lexer.ts';
import { findEscapes } from '../lang/syntax/literal.ts';
import { DEFAULT_LENGTH } from '../lang/syntax/parse.ts';
import * as T from '../lang/syntax/vocabulary.ts';

/** A piece of the source and what to show it as. */
export interface Highlight {
  readonly kind: T.HighlightKind;
  readonly span: Span;
}

/**
 * Everything in a text that is not white space, in source order, as the lexer takes it apart. Any text will do, but nothing in one
 * that is longer than an expression may be: 65,536 characters.
 */
export function highlight(source: string): readonly Highlight[] {
  if (source.length > DEFAULT_LENGTH) return [];
  const { tokens, unexpected } = tokenize(source);
  const found: Highlight[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.tokenType === T.StringLiteral) addString(found, isName(tokens, index) ? 'property' : 'text', token);
    else found.push({ kind: token.tokenType.highlight, span: T.getTokenSpan(token) });
  }
  if (unexpected.length === 0) return found;
  const invalid = unexpected.map((span) => ({ kind: 'invalid', span }) as const);
  return [...found, ...invalid].sort((left, right) => left.span.start - right.span.start);
}

/** Whether a text stands where the name of a property does. */
function isName(tokens: readonly T.Token[], index: number): boolean {
  return T.is(tokens[index - 1], T.OpenBracket) && T.is(tokens[index - 2], T.ScopeWord);
}

/** Adds a string in pieces, its escapes apart. */
function addString(found: Highlight[], kind: T.HighlightKind, token: T.Token): void {
  const { start, end } = T.getTokenSpan(token);
  let done = start;
  for (const { index, written, meant } of findEscapes(token.image)) {
    const span = { start: start + index, end: start + index + written.length };
    if (done < span.start) found.push({ kind, span: { start: done, end: span.start } });
    found.push({ kind: meant === undefined ? 'invalid' : 'escape', span });
    done = span.end;
  }
  found.push({ kind, span: { start: done, end } });
}
