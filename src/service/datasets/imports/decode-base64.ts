import { ServiceError } from '../../../queries/service-error.ts';
import { quoteForMessage } from './quote-for-message.ts';

/** Allows both alphabets, the space that an unencoded `+` becomes in a form, and MIME line breaks. */
const NOT_DIGIT = /[^\w+/\- \r\n]/;

const PADDING = /^=[\r\n]*(?:=[\r\n]*)?$/;

const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const PLUS = 0x2b;

/**
 * Decodes base64 in the standard and URL-safe alphabets, mixed or not, padded or not, with spaces for `+` and line
 * breaks anywhere.
 *
 * @throws {ServiceError} 400 for anything else
 */
export function decodeBase64(data: string): Buffer {
  const found = data.search(NOT_DIGIT);
  const end = found === -1 ? data.length : found;
  const padding = data.slice(end);
  if (padding !== '' && !PADDING.test(padding)) refuse(describeWrongCharacter(data, end));
  const digits = readDigits(data.slice(0, end));
  const count = digits.length + padding.split('=').length - 1;
  if (digits.length % 4 === 1 || (padding !== '' && count % 4 !== 0))
    refuse(`its ${count} characters end within a byte`);
  return Buffer.from(digits, 'base64');
}

/** Normalizes the digits byte by byte: `replaceAll` blocks for seconds on millions of spaces. */
function readDigits(text: string): string {
  if (!/[ \r\n]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  let length = 0;
  for (const byte of bytes) if (byte !== CR && byte !== LF) bytes[length++] = byte === SPACE ? PLUS : byte;
  return bytes.toString('latin1', 0, length);
}

function refuse(problem: string): never {
  throw new ServiceError(400, `data is not base64: ${problem}. Encode the JSON of the records as base64.`);
}

function describeWrongCharacter(data: string, at: number): string {
  const character = String.fromCodePoint(data.codePointAt(at) ?? 0);
  return `${quoteForMessage(character)} at character ${at + 1}`;
}
