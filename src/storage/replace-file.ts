import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** What a file is filled with: as a whole, or piece by piece. */
export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Gives a file a content, on disk when it returns: whoever reads it at any moment, after a crash too, finds the old content or the new one.
 * Callers take turns over one file.
 */
export async function replaceFile(path: string, content: FileContent): Promise<void> {
  const beside = `${path}.tmp`;
  await writeSynced(beside, content);
  await rename(beside, path);
  await syncFolder(dirname(path));
}

/** Writes a file that nobody else knows of, to be renamed or linked; where that fails nothing of it stays. */
export async function writeSynced(path: string, content: FileContent): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await writeFile(file, content);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
