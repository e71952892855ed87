import { assertNumber, assertParts, assertString } from '../base/guard.ts';

/** A half-open range of the source, in UTF-16 units from 0. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** @throws {TypeError} if the value is not a span. */
export function assertSpan(span: unknown, name: string): void {
  assertParts(span, name, { start: assertNumber, end: assertNumber });
}

/** A position in the source: line and column, both from 1. The column counts UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

const LINE_BREAK = /\r\n|\r|\n/g;

/**
 * Returns the line and the column of an offset in UTF-16 units. `\r\n`, `\n` and `\r` each end a line.
 *
 * @throws {TypeError} if an argument has the wrong type.
 */
export function positionAt(source: string, offset: number): Position {
  assertString(source, 'source');
  assertNumber(offset, 'offset');
  return new LineIndex(source).positionAt(offset);
}

/** Formats a position as `line 1, column 5`. */
export function formatPosition({ line, column }: Position): string {
  return `line ${line}, column ${column}`;
}

/** An index of the lines of a source, to look up many positions. */
export class LineIndex {
  private readonly starts = [0];
  private readonly ends: number[] = [];

  constructor(private readonly source: string) {
    for (const lineBreak of source.matchAll(LINE_BREAK)) {
      this.ends.push(lineBreak.index);
      this.starts.push(lineBreak.index + lineBreak[0].length);
    }
  }

  /** Finds the line of an offset by binary search. */
  positionAt(offset: number): Position {
    let [line, above] = [1, this.starts.length + 1];
    while (line < above - 1) {
      const middle = (line + above) >> 1;
      if (this.startOf(middle) <= offset) line = middle;
      else above = middle;
    }
    return { line, column: offset - this.startOf(line) + 1 };
  }

  /** Returns a line, counted from 1, without its line break. */
  getLine(line: number): string {
    return this.source.slice(this.startOf(line), this.ends[line - 1]);
  }

  private startOf(line: number): number {
    return this.starts[line - 1] ?? this.source.length;
  }
}
