const LONE_SURROGATES = /\p{Surrogate}/gu;

/** The same JSON with U+FFFD for every half of a surrogate pair, in names too: of names that become one, the last stays. */
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
 * A text in double quotes, as JSON and as a literal of the language, with as few escapes as a terminal or an editor lets be: what
 * controls them is escaped.
 */
export function quoteString(text: string): string {
  return JSON.stringify(text).replace(UNSAFE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A property as it is written in an expression. */
export function formatProperty(scope: string, name: string): string {
  return `${scope}[${quoteString(name)}]`;
}

const ZERO_WIDTH = /^[\p{Mark}\p{Format}\p{Control}]$/u;
const DOUBLE_WIDTH =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6])$/u;

/** Terminal columns that the text takes: East Asian and emoji characters take two, combining marks none. */
export function measureWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (ZERO_WIDTH.test(character)) continue;
    width += DOUBLE_WIDTH.test(character) ? 2 : 1;
  }
  return width;
}

/** The text, or as much of it as fits a width before an ellipsis. */
export function truncate(text: string, width: number): string {
  let [taken, end] = [0, 0];
  for (const character of text) {
    taken += measureWidth(character);
    if (taken > width) return `${text.slice(0, end)}…`;
    if (taken < width) end += character.length;
  }
  return text;
}

/** A number as people read it: `70,051`. */
export function formatInteger(count: number): string {
  return count.toLocaleString('en-US');
}

/** A number of things: `1 event`, `70,051 events`. */
export function pluralize(count: number, thing: string): string {
  return `${formatInteger(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/** A record of comma-separated values (RFC 4180). */
export function formatCsvRecord(cells: readonly (string | number)[]): string {
  return cells.map((cell) => csvCell(String(cell))).join(',');
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Text that is safe to show: control characters, halves of surrogate pairs and marks that turn the writing direction are replaced. */
export function escapeUnprintable(text: string): string {
  return text.replace(/\t/g, ' ').replace(/[\p{Cc}\p{Cs}\u2028\u2029\p{Bidi_Control}]/gu, '\ufffd');
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether every half of a surrogate pair has its other half. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}
