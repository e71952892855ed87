import { mkdir, rm } from 'node:fs/promises';

/** Makes a folder with nothing in it, whatever was there. */
export async function makeEmptyFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
}
