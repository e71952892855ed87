import type { RunSql } from '../../api/verify/probe-table.ts';
import type { Dialect } from '../../lang/engines/sql/dialect.ts';
import { InputError } from '../input/input-error.ts';

/** A database that answers statements. */
export interface SqlConnection {
  readonly dialect: Dialect;
  /** Rejects with an {@link InputError} if a statement fails or the database cannot be reached. */
  readonly run: RunSql;
  close(): Promise<void>;
}

/** Turns the error of a driver into one for people, with the first line of its message. */
export function describeDatabaseError({ name }: Dialect, error: unknown): InputError {
  // Node.js tries several addresses of a host, and the error of them all has no message.
  const [first = error] = error instanceof AggregateError ? error.errors : [error];
  const message = first instanceof Error ? first.message : String(first);
  return new InputError(`${name}: ${message.split('\n', 1)[0]}`, { cause: error });
}
