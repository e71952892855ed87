/*
 * Finds the ends of JSON values without parsing them. Each function takes the start of a part in UTF-8 bytes and
 * returns the position after it, or UNSURE if it is not JSON or nested too deep. No byte is at UNSURE, so a function
 * that starts there returns UNSURE too. The bytes must end with a line feed: no function passes it,
 * so none checks for the end.
 */

export const UNSURE = -1;

/** Deeply nested input must not exhaust the stack. */
const MAX_DEPTH = 64;

const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const UPPER_E = 0x45;
const LOWER_U = 0x75;

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

const ESCAPES: ReadonlySet<number | undefined> = new Set(Buffer.from('"\\/bfnrt'));
const HEX_DIGITS: ReadonlySet<number | undefined> = new Set(Buffer.from('0123456789abcdefABCDEF'));

const LITERALS: ReadonlyMap<number | undefined, Buffer> = new Map(
  ['true', 'false', 'null'].map((text) => [text.charCodeAt(0), Buffer.from(text)] as const),
);

/** Skips any value. */
export function skipValue(bytes: Buffer, at: number, level = 0): number {
  const first = bytes[at] as number;
  if (first === QUOTE) return skipString(bytes, at);
  if (first === OPEN_BRACE) return skipObject(bytes, at, level + 1);
  if (first === OPEN_BRACKET) return skipArray(bytes, at, level + 1);
  return first <= NINE ? skipNumber(bytes, at) : skipLiteral(bytes, at);
}

/** Skips a string with its quotes. */
function skipString(bytes: Buffer, at: number): number {
  if (bytes[at] !== QUOTE) return UNSURE;
  for (let end = at + 1; ; end++) {
    const byte = bytes[end] as number;
    if (byte > BACKSLASH) continue;
    if (byte === QUOTE) return end + 1;
    if (byte < SPACE) return UNSURE;
    if (byte === BACKSLASH) {
      end = skipEscape(bytes, end);
      if (end === UNSURE) return UNSURE;
    }
  }
}

/** Skips a string without escapes. Returns UNSURE for one with escapes. */
export function skipPlainString(bytes: Buffer, at: number): number {
  if (bytes[at] !== QUOTE) return UNSURE;
  for (let end = at + 1; ; end++) {
    const byte = bytes[end] as number;
    if (byte === QUOTE) return end + 1;
    if (byte === BACKSLASH || byte < SPACE) return UNSURE;
  }
}

/** Returns the last byte of the escape that begins at a backslash. */
function skipEscape(bytes: Buffer, at: number): number {
  if (bytes[at + 1] !== LOWER_U) return ESCAPES.has(bytes[at + 1]) ? at + 1 : UNSURE;
  for (let digit = at + 2; digit < at + 6; digit++) if (!HEX_DIGITS.has(bytes[digit])) return UNSURE;
  return at + 5;
}

function skipObject(bytes: Buffer, at: number, level: number): number {
  if (level > MAX_DEPTH) return UNSURE;
  let next = skipSpace(bytes, at + 1);
  if (bytes[next] === CLOSE_BRACE) return next + 1;
  while (next !== UNSURE) {
    next = skipColon(bytes, skipString(bytes, next));
    next = skipSpace(bytes, skipValue(bytes, next, level));
    if (bytes[next] === CLOSE_BRACE) return next + 1;
    next = skipComma(bytes, next);
  }
  return UNSURE;
}

function skipArray(bytes: Buffer, at: number, level: number): number {
  if (level > MAX_DEPTH) return UNSURE;
  let next = skipSpace(bytes, at + 1);
  if (bytes[next] === CLOSE_BRACKET) return next + 1;
  while (next !== UNSURE) {
    next = skipSpace(bytes, skipValue(bytes, next, level));
    if (bytes[next] === CLOSE_BRACKET) return next + 1;
    next = skipComma(bytes, next);
  }
  return UNSURE;
}

function skipNumber(bytes: Buffer, at: number): number {
  let end = bytes[at] === MINUS ? at + 1 : at;
  end = bytes[end] === ZERO ? end + 1 : skipDigits(bytes, end);
  if (bytes[end] === DOT) end = skipDigits(bytes, end + 1);
  if (bytes[end] === LOWER_E || bytes[end] === UPPER_E) {
    const signed = bytes[end + 1] === PLUS || bytes[end + 1] === MINUS;
    end = skipDigits(bytes, signed ? end + 2 : end + 1);
  }
  return end;
}

/** Skips at least one digit. */
function skipDigits(bytes: Buffer, at: number): number {
  let end = at;
  while (isDigit(bytes[end])) end++;
  return end > at ? end : UNSURE;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function skipLiteral(bytes: Buffer, at: number): number {
  const literal = LITERALS.get(bytes[at]);
  return literal?.every((byte, index) => bytes[at + index] === byte) ? at + literal.length : UNSURE;
}

/** Skips the colon after a name and the space around it. */
export function skipColon(bytes: Buffer, at: number): number {
  const colon = skipSpace(bytes, at);
  return bytes[colon] === COLON ? skipSpace(bytes, colon + 1) : UNSURE;
}

/** Skips a comma and the space after it. */
export function skipComma(bytes: Buffer, at: number): number {
  return bytes[at] === COMMA ? skipSpace(bytes, at + 1) : UNSURE;
}

/** Skips white space except line feeds. */
export function skipSpace(bytes: Buffer, at: number): number {
  let end = at;
  while (bytes[end] === SPACE || bytes[end] === TAB || bytes[end] === CARRIAGE_RETURN) end++;
  return end;
}
