/** A file that cannot be read, or not any further. The message names the file and is all that a person needs to see. */
export class InputError extends Error {
  override readonly name = 'InputError';
}
