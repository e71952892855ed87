import { readFile } from 'node:fs/promises';
import { readSchema } from '../check/read-schema.ts';
import type { Schema } from '../check/schema.ts';
import { UsageError } from './exit.ts';
import { explainSystemError } from './input/input-error.ts';

/**
 * Reads a schema from a file of JSON.
 *
 * @throws {InputError} where the file cannot be read, {@link UsageError} where it holds no schema.
 */
export async function loadSchema(file: string): Promise<Schema> {
  const text = await readFile(file, 'utf8').catch((error) => Promise.reject(explainSystemError(error, file)));
  try {
    return readSchema(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch (error) {
    throw new UsageError(`The schema ${file} cannot be used: ${(error as Error).message}`);
  }
}
