/** Stands for a string in a masked source. Sources with this character are not guessed. */
export const MARK = '\u0001';

/** A string in a masked source, for patterns. */
export const STRING = `${MARK}\\d+${MARK}`;

/** A property in a masked source: in brackets, or a name with or without dots. */
export const PROPERTY = `(?:(?:properties|user|event)\\[${STRING}\\]|(?!(?:and|or|not|in|is)\\b)[A-Za-z_$][\\w$]*(?:\\.[\\w$]+)*)`;

/** Strings in either quotes, also those that are never closed. */
const QUOTED = /"(?:[^"\\]|\\[\s\S])*(?:"|$)|'(?:[^'\\]|\\[\s\S])*(?:'|$)/g;

/** A source whose strings are replaced by marks, so that patterns match only what is outside of them. */
export interface MaskedSource {
  readonly code: string;
  readonly strings: readonly string[];
}

/** Masks the strings of a source. */
export function maskStrings(source: string): MaskedSource {
  const strings: string[] = [];
  const code = source.replace(QUOTED, (text) => `${MARK}${strings.push(text) - 1}${MARK}`);
  return { code, strings };
}

/** Puts the strings back. */
export function unmaskStrings({ code, strings }: MaskedSource): string {
  return code.replace(new RegExp(`${MARK}(\\d+)${MARK}`, 'g'), (_, index) => strings[Number(index)] ?? '');
}

/** Returns the text of a string with its quotes, as far as it has no escapes. */
export function readText(string: string): string {
  return string.slice(1, -1);
}
