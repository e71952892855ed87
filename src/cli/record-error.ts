import { ExpressionTypeError } from '../language/errors.ts';
import type { Failure } from './crew/share.ts';

/** A type error with the record that raised it. */
export class RecordError extends Error {
  override readonly cause: ExpressionTypeError;

  constructor(file: string, { line, source, operator, found, span }: Failure) {
    super(`it failed on the record at ${file}:${line}`);
    this.cause = new ExpressionTypeError(source, operator, found, span);
  }
}
