import { ExpressionTypeError } from '../language/errors.ts';
import type { ChunkTypeError } from './crew/share.ts';

/** A type error with the records that raised it. */
export class RecordError extends Error {
  override readonly cause: ExpressionTypeError;

  /** The records in words: "the record at events.ndjson:3". */
  constructor(records: string, { source, operator, found, span }: Omit<ChunkTypeError, 'line'>) {
    super(`it failed on ${records}`);
    this.cause = new ExpressionTypeError(source, operator, found, span);
  }
}
