import { InputError } from '../input/input-error.ts';

/** A mistake in the SQL, which is none of the file. */
const MISTAKE = /^(?:Parser|Binder|Catalog|INTERNAL) Error/;

/** What an error of DuckDB means for the file; any other error as it is. */
export function explainEngineError(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error.constructor !== Error || MISTAKE.test(error.message)) return error;
  const [reason] = error.message.split('\n');
  return new InputError(`${file} cannot be read: ${reason}`, { cause: error });
}
