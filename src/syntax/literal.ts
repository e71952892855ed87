import { type Diagnostic, diagnose } from '../language/diagnostic.ts';

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
const LONE_SURROGATE = /\p{Surrogate}/u;

type Report = (diagnostic: Diagnostic) => void;

/** The text that a quoted literal means. What is wrong with it is reported, and it means something all the same. */
export function readText(image: string, offset: number, report: Report): string {
  const inner = image.slice(1, -1);
  const text = inner.includes('\\') ? decode(inner, offset + 1, report) : inner;
  if (!isWellFormed(text)) report(diagnose('lone-surrogate', { start: offset, end: offset + image.length }));
  return text;
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

/** Whether every half of a surrogate pair has its other half. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

/** The number that a literal means; one too large for a double is reported. */
export function readNumber(image: string, offset: number, report: Report): number {
  const number = Number(image);
  if (!Number.isFinite(number)) report(diagnose('number-too-large', { start: offset, end: offset + image.length }));
  return number;
}
