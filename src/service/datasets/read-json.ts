import { readFile } from 'node:fs/promises';
import { isOutOfFiles } from '../storage/is-out-of-files.ts';
import { DamagedFileError, type TellDamage } from './errors.ts';

/**
 * What a file holds. Undefined where there is no file: its folder was made and the file not yet, or no longer.
 *
 * @throws {DamagedFileError} where it holds something else, or cannot be read; {Error} of the system where too many
 * files are open.
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

/** What files hold that are there and sound; all others are told. */
export async function readSound<T>(reading: readonly Promise<T | undefined>[], tell: TellDamage): Promise<T[]> {
  const found = await Promise.all(reading.map((one) => one.catch((error) => told(error, tell))));
  return found.filter((one) => one !== undefined);
}

function told(error: unknown, tell: TellDamage): undefined {
  if (!(error instanceof DamagedFileError)) throw error;
  tell(error);
}
