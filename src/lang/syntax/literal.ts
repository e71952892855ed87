import type { IToken } from 'chevrotain';
import { type Diagnostic, diagnose } from '../diagnostic.ts';
import { isWellFormed } from '../util/strings.ts';
import { getTokenSpan } from './vocabulary.ts';

/** What is written behind the backslash of a short escape, and what that means. */
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

/** An escape, or what was meant to be one, in a quoted literal. */
export interface Escape {
  /** Where it begins in the literal. */
  readonly index: number;
  readonly written: string;
  /** What it means; undefined where that is nothing. */
  readonly meant: string | undefined;
}

/** Every backslash of a quoted literal with what belongs to it. */
export function* findEscapes(literal: string): Generator<Escape> {
  for (const { 0: written, 1: hexadecimal, 2: character = '', index } of literal.matchAll(ESCAPE)) {
    const meant =
      hexadecimal === undefined ? ESCAPED[character] : String.fromCharCode(Number.parseInt(hexadecimal, 16));
    yield { index, written, meant };
  }
}

/** The string that a quoted literal means. What is wrong with it is reported, and it means something all the same. */
export function readString(token: IToken, report: Report): string {
  const inner = token.image.slice(1, -1);
  if (isPlain(inner)) return inner;
  const text = inner.includes('\\') ? decode(token, report) : inner;
  if (!isWellFormed(text)) report(diagnose('lone-surrogate', getTokenSpan(token)));
  return text;
}

/** Whether a text is certain to mean itself: most hold neither a backslash nor a character beyond ASCII. */
function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x5c || unit > 0x7f) return false;
  }
  return true;
}

function decode({ image, startOffset }: IToken, report: Report): string {
  let text = '';
  let done = 1;
  for (const { index, written, meant } of findEscapes(image)) {
    const start = startOffset + index;
    if (meant === undefined) report(diagnose('invalid-escape', { start, end: start + written.length }, { written }));
    text += image.slice(done, index) + (meant ?? written.slice(1));
    done = index + written.length;
  }
  return text + image.slice(done, -1);
}

/** The number that a literal means; one too large for a double is reported. */
export function readNumber(token: IToken, report: Report): number {
  const number = Number(token.image);
  if (!Number.isFinite(number)) report(diagnose('number-too-large', getTokenSpan(token)));
  return number;
}
