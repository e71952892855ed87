import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/**
 * Makes a folder and those above it that are missing, for this user only, on disk when it returns. Does nothing where
 * it exists.
 */
export async function makeFolder(folder: string): Promise<void> {
  const path = resolve(folder);
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const top = dirname(resolve(first));
  for (let made = path; made !== top; made = dirname(made)) await syncFolder(dirname(made));
}
