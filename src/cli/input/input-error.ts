import { NOT_UTF8 } from '../../data/problems.ts';

/** A file cannot be read. The message names the file and is complete for users. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** Adds to the reason why a record is broken what to do about an encoding that is not UTF-8. */
export function adviseEncoding(reason: string): string {
  return reason.endsWith(NOT_UTF8) ? `${reason} (Western European text needs --encoding latin1)` : reason;
}

/** Turns a system error into an `InputError` that names the file. Returns other errors unchanged. */
export function explainSystemError(error: unknown, name: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return error;
  const cause = { cause: error };
  switch (error.code) {
    case 'ENOENT':
      return new InputError(`No such file: ${name}`, cause);
    case 'EISDIR':
      return new InputError(`${name} is a directory`, cause);
    case 'EACCES':
      return new InputError(`No permission to read ${name}`, cause);
    default:
      return new InputError(`Cannot read ${name}: ${error.message}`, cause);
  }
}
