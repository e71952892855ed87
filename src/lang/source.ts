import { assertNumber, assertParts, assertString } from './util/guard.ts';

/** A half-open range of the source text, in UTF-16 units from its beginning. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Checks a span.
 *
 * @throws {TypeError} for anything else.
 */
export function assertSpan(span: unknown, name: string): void {
  assertParts(span, name, { start: assertNumber, end: assertNumber });
}

/** A place in the source as people count: both from 1; the column in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

const LINE_BREAK = /\r\n|\r|\n/g;

/**
 * Line and column of an offset. `\r\n`, `\n` and `\r` each end a line.
 *
 * @throws {TypeError} for an argument of another type.
 */
export function positionAt(source: string, offset: number): Position {
  assertString(source, 'source');
  assertNumber(offset, 'offset');
  return new LineIndex(source).positionAt(offset);
}

/** A place in words. */
export function formatPosition({ line, column }: Position): string {
  return `line ${line}, column ${column}`;
}

/** A source by its lines, for many places in it. */
export class LineIndex {
  private readonly starts = [0];
  private readonly ends: number[] = [];

  constructor(private readonly source: string) {
    for (const lineBreak of source.matchAll(LINE_BREAK)) {
      this.ends.push(lineBreak.index);
      this.starts.push(lineBreak.index + lineBreak[0].length);
    }
  }

  positionAt(offset: number): Position {
    let [line, above] = [1, this.starts.length + 1];
    while (line < above - 1) {
      const middle = (line + above) >> 1;
      if (this.startOf(middle) <= offset) line = middle;
      else above = middle;
    }
    return { line, column: offset - this.startOf(line) + 1 };
  }

  /** The text of a line, counted from 1, without its line break. */
  text(line: number): string {
    return this.source.slice(this.startOf(line), this.ends[line - 1]);
  }

  private startOf(line: number): number {
    return this.starts[line - 1] ?? this.source.length;
  }
}
