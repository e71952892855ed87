/** A half-open range of the source text, in UTF-16 units from its beginning. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A place in the source as people count: both from 1; the column in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

const LINE_BREAK = /\r\n|\r|\n/g;

/** Line and column of an offset. `\r\n`, `\n` and `\r` each end a line. */
export function positionAt(source: string, offset: number): Position {
  let line = 1;
  let lineStart = 0;
  for (const lineBreak of source.matchAll(LINE_BREAK)) {
    const next = lineBreak.index + lineBreak[0].length;
    if (next > offset) break;
    line++;
    lineStart = next;
  }
  return { line, column: offset - lineStart + 1 };
}

/** The text of a line, counted from 1, without its line break. */
export function lineAt(source: string, line: number): string {
  return source.split(LINE_BREAK)[line - 1] ?? '';
}
