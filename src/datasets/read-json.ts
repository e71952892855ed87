import { readFile } from 'node:fs/promises';
import { CatalogError } from './catalog-error.ts';

/** What a file holds. Undefined where there is no file: its folder was made and the file not yet, or no longer. */
export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CatalogError(`${path} cannot be read: ${(error as Error).message}`);
  }
}
