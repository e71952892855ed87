import { ServiceError } from './service-error.ts';
import { shown } from './shown.ts';

/** Digits of both alphabets, and the blank that a `+` becomes where a form is not encoded. */
const NO_DIGIT = /[^\w+/\- ]/;

const BLANK = 0x20;
const PLUS = 0x2b;

/**
 * The bytes that base64 stands for, in the standard and the URL-safe alphabet, even mixed, padded or not, with blanks for `+`.
 *
 * @throws {ServiceError} where it is anything else.
 */
export function decodeBase64(data: string): Buffer {
  const found = data.search(NO_DIGIT);
  const end = found === -1 ? data.length : found;
  const padding = data.length - end;
  if (padding > 0 && !/^={1,2}$/.test(data.slice(end, end + 3))) refuse(notDigit(data, end));
  if (end % 4 === 1 || (padding > 0 && data.length % 4 !== 0))
    refuse(`its ${data.length} characters end within a byte`);
  const digits = data.slice(0, end);
  return Buffer.from(digits.includes(' ') ? withPluses(digits) : digits, 'base64');
}

/** `replaceAll` takes seconds for millions of blanks, in which nothing else is answered. */
function withPluses(digits: string): string {
  const bytes = Buffer.from(digits, 'latin1');
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === BLANK) bytes[at] = PLUS;
  return bytes.toString('latin1');
}

function refuse(problem: string): never {
  throw new ServiceError(
    400,
    `data is not base64: ${problem}. Encode the JSON of the records as base64, without line breaks.`,
  );
}

function notDigit(data: string, at: number): string {
  const character = String.fromCodePoint(data.codePointAt(at) ?? 0);
  return `${shown(character)} at character ${at + 1}`;
}
