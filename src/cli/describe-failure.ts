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

/** The message and the exit code of an error. */
interface Failure {
  /** Missing if the message was already printed. */
  readonly text?: string;
  readonly code: number;
}

/** Returns the message for any error, as `stream` can show it, and the exit code. Never shows a stack trace. */
export function describeFailure(error: unknown, stream: OutputStream): Failure {
  if (error instanceof CommanderError) return { code: error.exitCode === 0 ? EXIT.ok : EXIT.usage };
  if (error instanceof ExpressionError) {
    return { text: stream.rendered(error.source, error.diagnostics), code: EXIT.expression };
  }
  if (error instanceof RecordError) {
    const { text } = describeFailure(error.cause, stream);
    return { text: `${text}\n${formatError(error.message)}`, code: EXIT.expression };
  }
  const isUsage = [UsageError, CatalogError, FolderInUseError, MissingDuckdbError].some((one) => error instanceof one);
  if (isUsage && error instanceof Error) return { text: formatError(error.message), code: EXIT.usage };
  if (error instanceof InputError || error instanceof StoreError || error instanceof LogWriteError)
    return { text: formatError(error.message), code: EXIT.data };
  if (error instanceof ServiceApiError) return { text: formatError(error.message), code: error.exitCode };
  // For example a read-only folder or a full disk.
  if (error instanceof Error && 'syscall' in error)
    return { text: formatError(`system error: ${error.message}`), code: EXIT.data };
  const message = error instanceof Error ? error.message : String(error);
  return { text: formatError(`internal error: ${message}. Please report it.`), code: EXIT.internal };
}

function formatError(message: string): string {
  return `error: ${escapeUnprintable(message)}`;
}

/** A type error with the records that raised it. */
export class RecordError extends Error {
  override readonly cause: ExpressionTypeError;

  /** @param records A description of the records, such as "the record at events.ndjson:3". */
  constructor(records: string, { source, operator, found, span }: Omit<ChunkTypeError, 'line'>) {
    super(`the expression failed on ${records}`);
    this.cause = new ExpressionTypeError(source, operator, found, span);
  }
}
