import type { Span } from '../language/source.ts';
import { FOREIGN_OPERATORS } from './foreign-words.ts';
import * as T from './token.ts';

/** A source taken apart. */
export interface Tokenized {
  readonly tokens: readonly T.Token[];
  /** The runs of characters that begin no token. */
  readonly strays: readonly Span[];
}

/** Takes any text apart, in time linear in its length. What of it belongs where is for the parser to say. */
export function tokenize(source: string): Tokenized {
  const tokens: T.Token[] = [];
  const strays: Span[] = [];
  let offset = 0;
  while (offset < source.length) {
    const unit = source.charCodeAt(offset);
    if (isSpace(unit)) {
      offset++;
      continue;
    }
    const token = tokenAt(source, offset, unit);
    if (token === undefined) {
      const start = strays.at(-1)?.end === offset ? (strays.pop() as Span).start : offset;
      strays.push({ start, end: ++offset });
    } else {
      tokens.push(token);
      offset = token.end;
    }
  }
  return { tokens, strays };
}

function tokenAt(source: string, start: number, unit: number): T.Token | undefined {
  if (isLetter(unit)) return wordAt(source, start);
  if (unit === DOUBLE_QUOTE || unit === SINGLE_QUOTE) return textAt(source, start, unit);
  if (isDigit(unit) || (unit === DOT && isDigit(source.charCodeAt(start + 1)))) return numberAt(source, start);
  return markAt(source, start, unit) ?? curlyTextAt(source, start);
}

/** Words are case-insensitive (language, section 2); one that goes on is a name. */
function wordAt(source: string, start: number): T.Token {
  let end = start + 1;
  while (end < source.length && isWordPart(source.charCodeAt(end))) end++;
  const word = source.slice(start, end);
  return { type: T.VOCABULARY.get(word) ?? T.VOCABULARY.get(word.toLowerCase()) ?? T.Name, start, end };
}

/** As far as the quote that closes it or, without one, the end of the line. */
function textAt(source: string, start: number, quote: number): T.Token {
  let end = start + 1;
  while (end < source.length) {
    const unit = source.charCodeAt(end);
    if (isLineBreak(unit)) break;
    end++;
    if (unit === quote) return { type: T.Text, start, end };
    if (unit === BACKSLASH && end < source.length && !isLineBreak(source.charCodeAt(end))) end++;
  }
  return { type: T.UnclosedText, start, end };
}

const NUMERAL = /^(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/** All that runs on, so that what is no number is one mistake. */
function numberAt(source: string, start: number): T.Token {
  let end = start + 1;
  for (let before = 0; end < source.length; end++) {
    const unit = source.charCodeAt(end);
    const isSign = (unit === PLUS || unit === MINUS) && (before === UPPER_E || before === LOWER_E);
    if (!isWordPart(unit) && unit !== DOT && !isSign) break;
    before = unit;
  }
  return { type: NUMERAL.test(source.slice(start, end)) ? T.Numeral : T.MalformedNumber, start, end };
}

type Mark = readonly [text: string, type: T.TokenType];

const MARKS: readonly Mark[] = [
  ...[...T.VOCABULARY].filter(([text]) => !isLetter(text.charCodeAt(0))),
  ...Array.from(FOREIGN_OPERATORS.keys(), (text) => [text, T.ForeignOperator] as const),
  ['//', T.Comment],
  ['#', T.Comment],
];

/** The marks that begin with each unit, longest first: of two that begin alike the longer is taken. */
const MARKS_OF: (readonly Mark[] | undefined)[] = Array.from({ length: 128 }, () => undefined);

for (const mark of MARKS.toSorted(([left], [right]) => right.length - left.length)) {
  const first = mark[0].charCodeAt(0);
  MARKS_OF[first] = [...(MARKS_OF[first] ?? []), mark];
}

function markAt(source: string, start: number, unit: number): T.Token | undefined {
  const alike = MARKS_OF[unit];
  if (alike === undefined) return undefined;
  for (const [text, type] of alike) {
    if (text.length > 1 && !source.startsWith(text, start)) continue;
    return { type, start, end: type === T.Comment ? endOfLine(source, start) : start + text.length };
  }
  return undefined;
}

function endOfLine(source: string, start: number): number {
  let end = start;
  while (end < source.length && !isLineBreak(source.charCodeAt(end))) end++;
  return end;
}

const CURLY_TEXT = /[“”][^“”\r\n]*[“”]|[‘’][^‘’\r\n]*[‘’]/y;

function curlyTextAt(source: string, start: number): T.Token | undefined {
  CURLY_TEXT.lastIndex = start;
  return CURLY_TEXT.test(source) ? { type: T.CurlyText, start, end: CURLY_TEXT.lastIndex } : undefined;
}

const [DOUBLE_QUOTE, SINGLE_QUOTE, BACKSLASH, DOT] = [0x22, 0x27, 0x5c, 0x2e];
const [PLUS, MINUS, UPPER_E, LOWER_E] = [0x2b, 0x2d, 0x45, 0x65];

function isLineBreak(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || isLineBreak(unit);
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isLetter(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) || // a to z
    (unit >= 0x41 && unit <= 0x5a) || // A to Z
    unit === 0x5f || // _
    unit === 0x24 || // $
    // Beyond ASCII, without the block that holds the curly quotes.
    (unit >= 0xc0 && unit <= 0x1fff) ||
    (unit >= 0x2c00 && unit <= 0xd7ff) ||
    (unit >= 0xf900 && unit <= 0xfdff)
  );
}

function isWordPart(unit: number): boolean {
  return isLetter(unit) || isDigit(unit);
}
