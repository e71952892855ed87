import type { RequiredString, RequiredStrings } from '../../lang/check/required-strings.ts';

/** Beyond so many texts to look for, reading the line takes less time. */
const MAX_ALTERNATIVES = 16;

/** What JSON spells with a backslash and one more character. */
const SHORT_ESCAPES = /["\\/\b\f\n\r\t]/;

/** Any character may be spelled so; where this stands, only reading the line can tell. */
const LONG_ESCAPE = '\\u';

/** Tells lines of JSON that have all of some traces from those that do not, without reading them. */
export class LinePrefilter {
  private readonly sought: readonly (readonly Finder[])[];
  private readonly escapes = new Finder(LONG_ESCAPE);

  constructor(traces: readonly RequiredStrings[]) {
    const few = traces.filter((alternatives) => alternatives.length <= MAX_ALTERNATIVES);
    this.sought = few.map((alternatives) => alternatives.map((trace) => new Finder(spelled(trace))));
  }

  /** Begins a block of lines. */
  open(bytes: Buffer): void {
    for (const finder of [this.escapes, ...this.sought.flat()]) finder.open(bytes);
  }

  /** Whether this line, which must be UTF-8 and lie behind the last one, may have all traces. A line that has them passes. */
  passes(start: number, end: number): boolean {
    for (const alternatives of this.sought) {
      if (!isAnyIn(alternatives, start, end)) return this.escapes.isIn(start, end);
    }
    return true;
  }
}

function isAnyIn(alternatives: readonly Finder[], start: number, end: number): boolean {
  for (const finder of alternatives) if (finder.isIn(start, end)) return true;
  return false;
}

/** Finds a text in one line after another, so that lines without it are passed over at once. */
class Finder {
  private readonly text: Buffer;
  private bytes: Buffer = Buffer.alloc(0);
  /** Where the text stands next. */
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
 * What stands in a line with the trace, unless there are long escapes in it: the longest piece without characters that have a short
 * one. The quote that ends a whole text belongs to it, the one that begins it does not: with a quote in front, which is the
 * most frequent of all characters, the search takes many times as long.
 */
function spelled({ text, whole }: RequiredString): string {
  const pieces = text.split(SHORT_ESCAPES);
  if (whole) pieces.push(`${pieces.pop()}"`);
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest));
}
