import type { IToken } from 'chevrotain';
import { isWellFormed } from '../../base/strings.ts';
import { type Diagnostic, diagnose } from '../diagnostic.ts';
import { getTokenSpan } from './vocabulary.ts';

/** The characters of short escape sequences, by the character after the backslash. */
export const ESCAPED: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/gu;

type Report = (diagnostic: Diagnostic) => void;

/** An escape sequence in a quoted literal. It can be invalid. */
export interface Escape {
  /** Its start in the literal, in UTF-16 units. */
  readonly index: number;
  readonly written: string;
  /** The UTF-16 unit that it encodes, undefined if it is invalid. */
  readonly value: string | undefined;
}

/** Yields the escape sequences of a quoted literal, valid and invalid. */
export function* findEscapes(literal: string): Generator<Escape> {
  for (const { 0: written, 1: hexadecimal, 2: character = '', index } of literal.matchAll(ESCAPE)) {
    const value =
      hexadecimal === undefined ? ESCAPED[character] : String.fromCharCode(Number.parseInt(hexadecimal, 16));
    yield { index, written, value };
  }
}

/** Returns the value of a quoted literal. Reports invalid parts and reads them anyway. */
export function readString(token: IToken, report: Report): string {
  const inner = token.image.slice(1, -1);
  if (isPlain(inner)) return inner;
  const value = inner.includes('\\') ? decode(token, report) : inner;
  if (!isWellFormed(value)) report(diagnose('lone-surrogate', getTokenSpan(token)));
  return value;
}

/** Returns true for ASCII without a backslash, as most strings are: these need no decoding and no check. */
function isPlain(inner: string): boolean {
  for (let index = 0; index < inner.length; index++) {
    const unit = inner.charCodeAt(index);
    if (unit === 0x5c || unit > 0x7f) return false;
  }
  return true;
}

function decode({ image, startOffset }: IToken, report: Report): string {
  let decoded = '';
  let done = 1;
  for (const { index, written, value } of findEscapes(image)) {
    const start = startOffset + index;
    if (value === undefined) report(diagnose('invalid-escape', { start, end: start + written.length }, { written }));
    decoded += image.slice(done, index) + (value ?? written.slice(1));
    done = index + written.length;
  }
  return decoded + image.slice(done, -1);
}

/** Returns the value of a number literal. Reports a number too large for a double. */
export function readNumber(token: IToken, report: Report): number {
  const number = Number(token.image);
  if (!Number.isFinite(number)) report(diagnose('number-too-large', getTokenSpan(token)));
  return number;
}
