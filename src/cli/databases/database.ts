import type { RunSql } from '../../api/verify/probe-table.ts';
import type { Dialect } from '../../lang/engines/sql/dialect.ts';
import { InputError } from '../input/input-error.ts';

/** A connection to a database. */
export interface SqlConnection {
  readonly dialect: Dialect;
  /** Rejects with an {@link InputError} if a statement fails or the database cannot be reached. */
  readonly run: RunSql;
  close(): Promise<void>;
}

/** Turns an error of a driver into an InputError with the first line of its message. */
export function describeDatabaseError({ name }: Dialect, error: unknown): InputError {
  // Node.js tries all addresses of a host. Its AggregateError has no message.
  const [first = error] = error instanceof AggregateError ? error.errors : [error];
  const message = first instanceof Error ? first.message : String(first);
  return new InputError(`${name}: ${message.split('\n', 1)[0]}`, { cause: error });
}
