import type { RequiredString, RequiredStrings } from '../../lang/check/required-strings.ts';

/** With more strings to search for, reading the line is faster. */
const MAX_ALTERNATIVES = 16;

/** The characters that JSON can write as a backslash and one character. */
const SHORT_ESCAPES = /["\\/\b\f\n\r\t]/;

/** The strings that a line must contain to have all required strings. */
export class LinePrefilter {
  /** Lists of alternatives, as they are in lines without long escapes. */
  readonly searches: readonly (readonly string[])[];

  constructor(required: readonly RequiredStrings[]) {
    const few = required.filter((alternatives) => alternatives.length <= MAX_ALTERNATIVES);
    this.searches = few.map((alternatives) => alternatives.map((trace) => toSearchString(trace)));
  }
}

/**
 * Returns the part of a required string to search for in a line without long escapes: the longest piece without
 * characters that have a short escape. It includes the closing quote of a whole string, but not the opening one: a
 * search that begins with a quote, the most frequent character, takes many times as long.
 */
function toSearchString({ text, whole }: RequiredString): string {
  const pieces = text.split(SHORT_ESCAPES);
  if (whole) pieces.push(`${pieces.pop()}"`);
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest));
}
