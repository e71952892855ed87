import { type Diagnostic, diagnose } from '../language/diagnostic.ts';
import type { Span } from '../language/source.ts';
import { isWellFormed } from '../util/is-well-formed.ts';

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

/** An escape, or what was meant to be one, as it stands in a text. */
export interface Escape {
  readonly span: Span;
  readonly written: string;
  /** What it means; undefined where that is nothing. */
  readonly meant: string | undefined;
}

/** Every backslash of a quoted literal with what belongs to it. */
export function* escapesIn(source: string, { start, end }: Span): Generator<Escape> {
  for (const { 0: written, 1: hexadecimal, 2: character = '', index } of source.slice(start, end).matchAll(ESCAPE)) {
    const meant =
      hexadecimal === undefined ? ESCAPED[character] : String.fromCharCode(Number.parseInt(hexadecimal, 16));
    yield { span: { start: start + index, end: start + index + written.length }, written, meant };
  }
}

/** The text that a quoted literal means. What is wrong with it is reported, and it means something all the same. */
export function readText(source: string, { start, end }: Span, report: Report): string {
  const inner = source.slice(start + 1, end - 1);
  if (isPlain(inner)) return inner;
  const text = inner.includes('\\') ? decode(source, { start, end }, report) : inner;
  if (!isWellFormed(text)) report(diagnose('lone-surrogate', { start, end }));
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

function decode(source: string, { start, end }: Span, report: Report): string {
  let text = '';
  let done = start + 1;
  for (const { span, written, meant } of escapesIn(source, { start, end })) {
    if (meant === undefined) report(diagnose('invalid-escape', span, { written }));
    text += source.slice(done, span.start) + (meant ?? written.slice(1));
    done = span.end;
  }
  return text + source.slice(done, end - 1);
}

/** The number that a literal means; one too large for a double is reported. */
export function readNumber(source: string, { start, end }: Span, report: Report): number {
  const number = Number(source.slice(start, end));
  if (!Number.isFinite(number)) report(diagnose('number-too-large', { start, end }));
  return number;
}
