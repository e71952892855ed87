import { readFile } from 'node:fs/promises';
import { isOutOfFiles } from '../../storage/files.ts';
import { DamagedFileError, type TellDamage } from './errors.ts';

/**
 * Reads a JSON file. Returns undefined if the file does not exist, as while its folder is created or removed.
 *
 * @throws {DamagedFileError} if the content is invalid or the file cannot be read
 * @throws {Error} of the system if too many files are open
 */
export async function readJson<T>(path: string, isSound: (json: unknown) => json is T): Promise<T | undefined> {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (isOutOfFiles(error)) throw error;
    throw new DamagedFileError(path, (error as Error).message);
  }
  if (isSound(json)) return json;
  throw new DamagedFileError(path, 'it does not hold what belongs in it');
}

/** Returns the content of the files that exist and are valid. Passes all others to `tell`. */
export async function readSound<T>(reading: readonly Promise<T | undefined>[], tell: TellDamage): Promise<T[]> {
  const found = await Promise.all(reading.map((one) => one.catch((error) => tellIfDamaged(error, tell))));
  return found.filter((one) => one !== undefined);
}

function tellIfDamaged(error: unknown, tell: TellDamage): undefined {
  if (!(error instanceof DamagedFileError)) throw error;
  tell(error);
}
