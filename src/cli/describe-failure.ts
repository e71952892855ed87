import { CommanderError } from 'commander';
import { ExpressionError, ExpressionTypeError } from '../lang/errors.ts';
import { escapeUnprintable } from '../lang/util/strings.ts';
import { CatalogError } from '../service/datasets/errors.ts';
import { FolderInUseError } from '../service/storage/folder-lock.ts';
import { LogWriteError } from '../service/storage/log-write-error.ts';
import { MissingDuckdbError, StoreError } from '../service/store/store-error.ts';
import { ServiceApiError } from './api/service-api.ts';
import { EXIT, UsageError } from './exit.ts';
import { InputError } from './input/input-error.ts';
import type { OutputStream } from './terminal/output-stream.ts';
import type { ChunkTypeError } from './workers/chunk-processor.ts';

/** What there is to tell of a failure. */
interface Failure {
  /** The text for people; none where all is said already. */
  readonly text?: string;
  readonly code: number;
}

/** What to tell people on a stream of an error, whichever it is, and the exit code. No stack trace reaches a user. */
export function describeFailure(error: unknown, stream: OutputStream): Failure {
  if (error instanceof CommanderError) return { code: error.exitCode === 0 ? EXIT.ok : EXIT.usage };
  if (error instanceof ExpressionError) {
    return { text: stream.rendered(error.source, error.diagnostics), code: EXIT.expression };
  }
  if (error instanceof RecordError) {
    const { text } = describeFailure(error.cause, stream);
    return { text: `${text}\n${line(error.message)}`, code: EXIT.expression };
  }
  const isUsage = [UsageError, CatalogError, FolderInUseError, MissingDuckdbError].some((one) => error instanceof one);
  if (isUsage && error instanceof Error) return { text: line(error.message), code: EXIT.usage };
  if (error instanceof InputError || error instanceof StoreError || error instanceof LogWriteError)
    return { text: line(error.message), code: EXIT.data };
  if (error instanceof ServiceApiError) return { text: line(error.message), code: error.exitCode };
  // Such as a folder that may not be written, or a disk that is full.
  if (error instanceof Error && 'syscall' in error)
    return { text: line(`the system refuses: ${error.message}`), code: EXIT.data };
  const message = error instanceof Error ? error.message : String(error);
  return { text: line(`${message} (a mistake in onwhere: please report it)`), code: EXIT.internal };
}

function line(message: string): string {
  return `error: ${escapeUnprintable(message)}`;
}

/** A type error with the records that raised it. */
export class RecordError extends Error {
  override readonly cause: ExpressionTypeError;

  /** The records in words: "the record at events.ndjson:3". */
  constructor(records: string, { source, operator, found, span }: Omit<ChunkTypeError, 'line'>) {
    super(`it failed on ${records}`);
    this.cause = new ExpressionTypeError(source, operator, found, span);
  }
}
