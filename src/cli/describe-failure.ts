import { CommanderError } from 'commander';
import { escapeUnprintable } from '../base/strings.ts';
import { ExpressionError } from '../lang/errors.ts';
import { CatalogError } from '../service/datasets/files/errors.ts';
import { FolderFormatError } from '../service/storage/folder-format.ts';
import { FolderInUseError } from '../service/storage/folder-lock.ts';
import { LogWriteError } from '../service/storage/log-write-error.ts';
import { MissingDuckdbError, StoreError } from '../service/store/store-error.ts';
import { toJsonDiagnostics } from './answers/diagnostics-json.ts';
import { ServiceApiError } from './api/service-api.ts';
import { EXIT, UsageError } from './exit.ts';
import { InputError } from './input/input-error.ts';
import { RecordError } from './record-error.ts';
import type { OutputStream } from './terminal/output-stream.ts';

/** The message and the exit code of an error. */
interface Failure {
  /** Missing if the message was already printed. */
  readonly text?: string;
  readonly code: number;
}

/** The parts of a failure: an expression with its diagnostics, a message, or both. */
interface FailureParts {
  readonly code: number;
  readonly expression?: ExpressionError;
  readonly message?: string;
}

/** Returns the message for any error, as `stream` can show it, and the exit code. Never shows a stack trace. */
export function describeFailure(error: unknown, stream: OutputStream): Failure {
  const { code, expression, message } = classifyFailure(error);
  if (error instanceof CommanderError) return { code };
  const texts = [
    ...(expression === undefined ? [] : [stream.rendered(expression.source, expression.diagnostics)]),
    ...(message === undefined ? [] : [`${stream.label('error')} ${escapeUnprintable(message)}`]),
  ];
  return { text: texts.join('\n'), code };
}

/** Returns any error as JSON, for programs, and the exit code. */
export function describeFailureAsJson(error: unknown): Failure {
  const { code, expression, message } = classifyFailure(error);
  if (code === EXIT.ok) return { code };
  const described = {
    exit: code,
    message: message ?? expression?.message,
    ...(expression !== undefined && {
      source: expression.source,
      diagnostics: toJsonDiagnostics(expression.source, expression.diagnostics),
    }),
  };
  return { text: JSON.stringify({ error: described }), code };
}

function classifyFailure(error: unknown): FailureParts {
  if (error instanceof CommanderError)
    return { code: error.exitCode === 0 ? EXIT.ok : EXIT.usage, message: error.message.replace(/^error: /, '') };
  if (error instanceof ExpressionError) return { code: EXIT.expression, expression: error };
  if (error instanceof RecordError) return { code: EXIT.expression, expression: error.cause, message: error.message };
  const isUsage = [UsageError, CatalogError, FolderInUseError, FolderFormatError, MissingDuckdbError].some(
    (one) => error instanceof one,
  );
  if (isUsage && error instanceof Error) return { code: EXIT.usage, message: error.message };
  if (error instanceof InputError || error instanceof StoreError || error instanceof LogWriteError)
    return { code: EXIT.data, message: error.message };
  if (error instanceof ServiceApiError) return { code: error.exitCode, message: error.message };
  // For example a read-only folder or a full disk.
  if (error instanceof Error && 'syscall' in error)
    return { code: EXIT.data, message: `system error: ${error.message}` };
  const message = error instanceof Error ? error.message : String(error);
  return { code: EXIT.internal, message: `internal error: ${message}. Please report it.` };
}
