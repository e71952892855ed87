import type { ExpressionTypeError } from '../language/errors.ts';

/** A type error with the record that raised it. */
export class RecordError extends Error {
  /** Where the record is, for people. */
  readonly place: string;

  constructor(
    file: string,
    line: number,
    override readonly cause: ExpressionTypeError,
  ) {
    super(cause.message);
    this.place = `The record is at ${file === '-' ? 'standard input' : file}:${line}.`;
  }
}
