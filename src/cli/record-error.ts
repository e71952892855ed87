import { ExpressionTypeError } from '../lang/errors.ts';
import type { ChunkTypeError } from './workers/chunk-processor.ts';

/** A type error with the records that raised it. */
export class RecordError extends Error {
  override readonly cause: ExpressionTypeError;

  /** @param records A description of the records, such as "the record at events.ndjson:3". */
  constructor(records: string, { source, operator, found, span }: Omit<ChunkTypeError, 'line'>) {
    super(`the expression failed on ${records}`);
    this.cause = new ExpressionTypeError(source, operator, found, span);
  }
}
