import { isWellFormed } from '../../base/strings.ts';
import type { Span } from '../source.ts';
import { takeSteps } from '../steps.ts';
import { refuseAt } from './refusal.ts';

export interface ForeignToken {
  /** `quoted` is a name in quotes. The text of a string or a quoted name is its value. */
  readonly kind: 'string' | 'number' | 'word' | 'quoted' | 'symbol' | 'end';
  readonly text: string;
  readonly span: Span;
}

/** How a language writes comments, strings and quoted names. */
export interface TokenRules {
  /** Matches comments, and `/*` without an end up to the end of the source. Sticky. */
  readonly comments?: RegExp;
  /** By quote: whether it holds a string or a name, and whether a backslash escapes (else the quote is doubled). */
  readonly quotes: Readonly<Record<string, { readonly kind: 'string' | 'quoted'; readonly backslash: boolean }>>;
  /** Matches names in brackets, which become quoted names with their brackets. Sticky. */
  readonly brackets?: RegExp;
  /** Symbols of more than one character. Sticky. */
  readonly symbols: RegExp;
}

/** In UTF-16 units, as that of the language. */
const MAX_LENGTH = 65_536;

const SPACE = /[\s\ufeff]+/y;
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /[\p{L}_$@][\p{L}\p{N}_$@]*/uy;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** Splits a source into tokens; the last has the kind `end`. */
export function splitTokens(source: string, rules: TokenRules): readonly ForeignToken[] {
  if (source.length > MAX_LENGTH) {
    refuseAt('size', { start: MAX_LENGTH, end: source.length }, `The filter is longer than ${MAX_LENGTH} characters.`);
  }
  const tokens: ForeignToken[] = [];
  let at = 0;
  const match = (pattern: RegExp | undefined): string | undefined => {
    if (pattern === undefined) return undefined;
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  while (at < source.length) {
    const skipped = match(SPACE) ?? match(rules.comments);
    if (skipped !== undefined) {
      const isOpen = skipped.startsWith('/*') && (skipped.length < 4 || !skipped.endsWith('*/'));
      if (isOpen) refuseAt('syntax', { start: at, end: source.length }, 'This comment is never closed.');
      at += skipped.length;
      continue;
    }
    const token = readToken(source, at, rules, match);
    tokens.push(token);
    at = token.span.end;
  }
  return [...tokens, { kind: 'end', text: '', span: { start: source.length, end: source.length } }];
}

function readToken(
  source: string,
  start: number,
  rules: TokenRules,
  match: (pattern: RegExp | undefined) => string | undefined,
): ForeignToken {
  const quote = rules.quotes[source[start] as string];
  if (quote !== undefined) return { kind: quote.kind, ...readQuoted(source, start, quote.backslash) };
  const patterns = [
    ['quoted', rules.brackets],
    ['number', NUMBER],
    ['word', WORD],
    ['symbol', rules.symbols],
  ] as const;
  for (const [kind, pattern] of patterns) {
    const text = match(pattern);
    if (text !== undefined) return { kind, text, span: { start, end: start + text.length } };
  }
  const text = String.fromCodePoint(source.codePointAt(start) ?? 0);
  return { kind: 'symbol', text, span: { start, end: start + text.length } };
}

/** Reads a quoted string or name. */
function readQuoted(source: string, start: number, backslash: boolean): { text: string; span: Span } {
  const quote = source[start] as string;
  let text = '';
  for (let at = start + 1; at < source.length; at++) {
    const unit = source[at] as string;
    if (unit === quote && (backslash || source[at + 1] !== quote)) {
      const span = { start, end: at + 1 };
      if (!isWellFormed(text)) refuseAt('syntax', span, 'This string contains half of a surrogate pair.');
      return { text, span };
    }
    if (unit === quote) at++;
    if (unit !== '\\' || !backslash) {
      text += unit;
      continue;
    }
    const sequence = /^(?:u([0-9a-fA-F]{4})|([^a-zA-Z0-9]|[ntrbf]))/.exec(source.slice(at + 1, at + 6));
    if (sequence === null) refuseAt('syntax', { start: at, end: at + 2 }, 'This escape sequence is not understood.');
    text += sequence[1]
      ? String.fromCharCode(Number.parseInt(sequence[1], 16))
      : (ESCAPES[sequence[2] ?? ''] ?? sequence[2]);
    at += sequence[0].length;
  }
  return refuseAt('syntax', { start, end: source.length }, `This ${quote} is never closed.`);
}

/** A position in the tokens of a source. */
export class TokenCursor {
  private index = 0;
  private depth = 0;
  /** Assumptions of the translation, as sentences. */
  readonly notes = new Set<string>();

  constructor(private readonly tokens: readonly ForeignToken[]) {}

  get next(): ForeignToken {
    return this.tokens[this.index] as ForeignToken;
  }

  /** Returns a token after the next one, or the end. */
  peek(distance: number): ForeignToken {
    return this.tokens[Math.min(this.index + distance, this.tokens.length - 1)] as ForeignToken;
  }

  take(): ForeignToken {
    takeSteps(1);
    const token = this.next;
    if (this.index < this.tokens.length - 1) this.index++;
    return token;
  }

  /** Returns whether the next token is one of some symbols or words, in any case. */
  sees(...texts: readonly string[]): boolean {
    return isSeen(this.next, texts);
  }

  seesAfter(distance: number, ...texts: readonly string[]): boolean {
    return isSeen(this.peek(distance), texts);
  }

  /** Takes the next token if it is one of some symbols or words. */
  accept(...texts: readonly string[]): ForeignToken | undefined {
    return this.sees(...texts) ? this.take() : undefined;
  }

  expect(text: string): ForeignToken {
    return this.accept(text) ?? refuseAt('syntax', this.next.span, `Expected ${text} here.`);
  }

  /** Refuses the next token, for which no rule is left. */
  refuseNext(): never {
    const { kind, span, text } = this.next;
    if (kind === 'end') return refuseAt('syntax', span, 'The filter ends too early.');
    return refuseAt('syntax', span, `${kind === 'string' ? 'A string' : `\`${text}\``} is not understood here.`);
  }

  /** The span from a token to the last one taken. */
  since({ span: { start } }: ForeignToken): Span {
    return { start, end: this.tokens[Math.max(0, this.index - 1)]?.span.end ?? start };
  }

  /** Parses a nested part, to a limited depth. */
  nest<Result>(parse: () => Result): Result {
    if (this.depth >= 80) refuseAt('size', this.next.span, 'The filter is nested too deep.');
    this.depth++;
    const result = parse();
    this.depth--;
    return result;
  }
}

function isSeen({ kind, text }: ForeignToken, texts: readonly string[]): boolean {
  return (kind === 'word' || kind === 'symbol') && texts.includes(text.toUpperCase());
}
