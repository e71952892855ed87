import type { Span } from '../language/source.ts';
import { escapesIn } from '../syntax/literal.ts';
import * as T from '../syntax/token.ts';
import { tokenize } from '../syntax/tokenize.ts';

/** What a token is to an eye: `keyword` is a word between or before operands, `property` a name in brackets, `invalid` no token of the language, or no escape. */
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

/** A piece of the source and what to show it as. */
export interface Highlight {
  readonly kind: HighlightKind;
  readonly span: Span;
}

/** Everything in a text that is not white space, in source order, as the lexer takes it apart. Any text will do. */
export function highlight(source: string): readonly Highlight[] {
  const { tokens, strays } = tokenize(source);
  const found: Highlight[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === T.Text) addText(found, source, isName(tokens, index) ? 'property' : 'text', T.spanOf(token));
    else found.push({ kind: KINDS.get(token.type) ?? 'invalid', span: T.spanOf(token) });
  }
  if (strays.length === 0) return found;
  const invalid = strays.map((span) => ({ kind: 'invalid', span }) as const);
  return [...found, ...invalid].sort((left, right) => left.span.start - right.span.start);
}

/** Whether a text stands where the name of a property does. */
function isName(tokens: readonly T.Token[], index: number): boolean {
  return T.is(tokens[index - 1], T.OpenBracket) && T.is(tokens[index - 2], T.Scope);
}

/** Adds a text in pieces, its escapes apart. */
function addText(found: Highlight[], source: string, kind: HighlightKind, { start, end }: Span): void {
  let done = start;
  for (const { span, meant } of escapesIn(source, { start, end })) {
    if (done < span.start) found.push({ kind, span: { start: done, end: span.start } });
    found.push({ kind: meant === undefined ? 'invalid' : 'escape', span });
    done = span.end;
  }
  found.push({ kind, span: { start: done, end } });
}

/** What every token of one type is shown as. The others are none of the language. */
const KINDS: ReadonlyMap<T.TokenType, HighlightKind> = new Map(
  [T.Numeral, ...T.VOCABULARY.values()].map((type) => [type, kindOf(type)]),
);

function kindOf(type: T.TokenType): HighlightKind {
  if (type === T.Numeral) return 'number';
  if (type === T.Now || type.category === T.BooleanWord) return 'constant';
  if (type.category === T.Scope) return 'scope';
  if (type.category === T.FunctionWord) return 'function';
  if (type === T.Comma) return 'punctuation';
  if (isBracket(type)) return 'bracket';
  if (type.infix === undefined && type.prefix === undefined) return 'invalid';
  return /^[a-z]/.test(type.name) ? 'keyword' : 'operator';
}

function isBracket(type: T.TokenType): boolean {
  return [...T.CLOSING].some((pair) => pair.includes(type));
}
