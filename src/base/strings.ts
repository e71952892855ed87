const LONE_SURROGATES = /\p{Surrogate}/gu;

/**
 * Replaces every lone surrogate in the strings and names of parsed JSON by U+FFFD. If two names become equal, the last
 * one wins.
 */
export function toWellFormed(json: unknown): unknown {
  if (typeof json === 'string') return json.replace(LONE_SURROGATES, '\ufffd');
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map(toWellFormed);
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name.replace(LONE_SURROGATES, '\ufffd'), toWellFormed(value)]),
  );
}

const UNSAFE = /[\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu;

/**
 * Quotes a string as JSON, which is also a literal of the language. Escapes characters that control terminals and
 * editors, and no others that JSON does not require.
 */
export function quoteString(string: string): string {
  return JSON.stringify(string).replace(UNSAFE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Formats a property as in an expression, such as `properties["plan"]`. */
export function formatProperty(scope: string, name: string): string {
  return `${scope}[${quoteString(name)}]`;
}

const ZERO_WIDTH = /^[\p{Mark}\p{Format}\p{Control}]$/u;
const DOUBLE_WIDTH =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6])$/u;

/** Returns the terminal columns of a string. East Asian characters and emoji have two, combining marks none. */
export function measureWidth(string: string): number {
  let width = 0;
  for (const character of string) {
    if (ZERO_WIDTH.test(character)) continue;
    width += DOUBLE_WIDTH.test(character) ? 2 : 1;
  }
  return width;
}

/** Truncates a string to a width in terminal columns, including the ellipsis. */
export function truncate(string: string, width: number): string {
  let [taken, end] = [0, 0];
  for (const character of string) {
    taken += measureWidth(character);
    if (taken > width) return `${string.slice(0, end)}…`;
    if (taken < width) end += character.length;
  }
  return string;
}

/** Formats an integer as `70,051`. */
export function formatInteger(count: number): string {
  return count.toLocaleString('en-US');
}

/** Formats a count with its noun: `1 event`, `70,051 events`. */
export function pluralize(count: number, noun: string): string {
  return `${formatInteger(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a CSV record (RFC 4180) without a line break. */
export function formatCsvRecord(cells: readonly (string | number)[]): string {
  return cells.map((cell) => formatCsvCell(String(cell))).join(',');
}

function formatCsvCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Replaces control characters, lone surrogates and bidirectional controls by U+FFFD, and tabs by spaces. */
export function escapeUnprintable(string: string): string {
  return string.replace(/\t/g, ' ').replace(/[\p{Cc}\p{Cs}\u2028\u2029\p{Bidi_Control}]/gu, '\ufffd');
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Returns whether a string has no lone surrogates. */
export function isWellFormed(string: string): boolean {
  return !LONE_SURROGATE.test(string);
}
