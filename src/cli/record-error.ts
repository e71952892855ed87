import type { ExpressionTypeError } from '../language/errors.ts';

/** A type error with the record that raised it. */
export class RecordError extends Error {
  constructor(
    file: string,
    line: number,
    override readonly cause: ExpressionTypeError,
  ) {
    super(`it failed on the record at ${file === '-' ? 'standard input' : file}:${line}`);
  }
}
