import { type Diagnostic, diagnose } from '../language/diagnostic.ts';
import type { Span } from '../language/source.ts';
import { isWellFormed } from '../util/is-well-formed.ts';

const ESCAPED: Readonly<Record<string, string>> = {
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

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g;

type Report = (diagnostic: Diagnostic) => void;

/** The text that a quoted literal means. What is wrong with it is reported, and it means something all the same. */
export function readText(source: string, { start, end }: Span, report: Report): string {
  const inner = source.slice(start + 1, end - 1);
  if (isPlain(inner)) return inner;
  const text = inner.includes('\\') ? decode(inner, start + 1, report) : inner;
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

function decode(inner: string, offset: number, report: Report): string {
  return inner.replace(ESCAPE, (written, hexadecimal: string | undefined, character: string, at: number) => {
    if (hexadecimal !== undefined) return String.fromCharCode(Number.parseInt(hexadecimal, 16));
    const meant = ESCAPED[character];
    if (meant !== undefined) return meant;
    const span = { start: offset + at, end: offset + at + written.length };
    report(diagnose('invalid-escape', span, { written }));
    return character;
  });
}

/** The number that a literal means; one too large for a double is reported. */
export function readNumber(source: string, { start, end }: Span, report: Report): number {
  const number = Number(source.slice(start, end));
  if (!Number.isFinite(number)) report(diagnose('number-too-large', { start, end }));
  return number;
}
