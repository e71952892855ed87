/** A file that cannot be read, or not any further. The message names the file and is all that a person needs to see. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** What an error of the system means for a file; any other error as it is. */
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
      return new InputError(`${name} cannot be read: ${error.message}`, cause);
  }
}
