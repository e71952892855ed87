const ESCAPE = '\x1b';

/** The sequence that sets a colour or another style. */
export const COLOUR = new RegExp(`${ESCAPE}\\[[\\d;]*m`, 'g');

/** Control characters (C0, DEL, C1) except tabs and line breaks, line separators and bidirectional controls. */
const CONTROLS = /(?!\t|\n|\r\n)[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu;

/**
 * Replaces the characters that can control a terminal, or change the order of a line, by escapes such as `\u001b`. JSON
 * stays the same JSON.
 *
 * @param kept What to keep. Default: nothing.
 */
export function escapeControls(text: string, kept?: RegExp): string {
  if (kept === undefined) return text.replace(CONTROLS, escapeUnit);
  const parts = text.split(kept).map((part) => escapeControls(part));
  const between = text.match(kept) ?? [];
  return parts.map((part, index) => part + (between[index] ?? '')).join('');
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
