import type { RequiredString, RequiredStrings } from '../../lang/check/required-strings.ts';

/** With more strings to search for, parsing the line is faster. */
const MAX_ALTERNATIVES = 16;

/**
 * The number of lines at the start of a block that show whether searching pays: it does if it skips at least one in
 * eight. Each block decides by itself, so that the same lines are checked whichever thread reads them.
 */
const SAMPLE_LINES = 256;
const MIN_SKIPPED = SAMPLE_LINES / 8;

/** The characters that JSON can write as a backslash and one character. */
const SHORT_ESCAPES = /["\\/\b\f\n\r\t]/;

/** Any character can be written so. A line with this escape must be parsed. */
const LONG_ESCAPE = '\\u';

/** Finds JSON lines that cannot contain all required strings, without parsing them. */
export class LinePrefilter {
  private readonly searches: readonly (readonly Finder[])[];
  private readonly escapes = new Finder(LONG_ESCAPE);
  private lines = 0;
  private skipped = 0;

  constructor(required: readonly RequiredStrings[]) {
    const few = required.filter((alternatives) => alternatives.length <= MAX_ALTERNATIVES);
    this.searches = few.map((alternatives) => alternatives.map((trace) => new Finder(toSearchString(trace))));
  }

  /** Starts a block of lines. */
  open(bytes: Buffer): void {
    this.lines = 0;
    this.skipped = 0;
    for (const finder of [this.escapes, ...this.searches.flat()]) finder.open(bytes);
  }

  /** Returns whether a line may have all required strings. It must be UTF-8 and follow the previous line. */
  passes(start: number, end: number): boolean {
    if (this.lines === SAMPLE_LINES) {
      if (this.skipped < MIN_SKIPPED) return true;
    } else {
      this.lines++;
    }
    for (const alternatives of this.searches) {
      if (isAnyIn(alternatives, start, end)) continue;
      if (this.escapes.isIn(start, end)) return true;
      this.skipped++;
      return false;
    }
    return true;
  }
}

function isAnyIn(alternatives: readonly Finder[], start: number, end: number): boolean {
  for (const finder of alternatives) if (finder.isIn(start, end)) return true;
  return false;
}

/** Searches a string in successive lines. Lines before the next occurrence cost nothing. */
class Finder {
  private readonly text: Buffer;
  private bytes: Buffer = Buffer.alloc(0);
  /** The position of the next occurrence. */
  private at = -1;

  constructor(text: string) {
    this.text = Buffer.from(text);
  }

  open(bytes: Buffer): void {
    this.bytes = bytes;
    this.at = -1;
  }

  isIn(start: number, end: number): boolean {
    if (this.at < start) {
      const found = this.bytes.indexOf(this.text, start);
      this.at = found === -1 ? this.bytes.length : found;
    }
    return this.at < end;
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
