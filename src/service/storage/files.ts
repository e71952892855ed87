import { randomUUID } from 'node:crypto';
import { link, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

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
async function writeSynced(path: string, content: FileContent): Promise<void> {
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

/** Makes a file with its content at once, on disk when it returns. Fails with `EEXIST` where there is one, so that one of several callers succeeds. */
export async function createFile(path: string, content: FileContent): Promise<void> {
  const beside = `${path}.${randomUUID()}.tmp`;
  await writeSynced(beside, content);
  try {
    await link(beside, path);
  } finally {
    await rm(beside);
  }
  await syncFolder(dirname(path));
}

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

/**
 * What to tell of a folder that other users can read or write; undefined of one that they cannot, or that is not there.
 */
export async function checkFolderMode(folder: string): Promise<string | undefined> {
  const mode = await stat(folder).then(
    (found) => found.mode & 0o777,
    () => 0,
  );
  if ((mode & 0o066) === 0) return undefined;
  return `other users can read or write ${folder} (mode ${mode.toString(8)}): chmod -R go-rwx ${folder}`;
}

/** Returns when what was made, renamed and removed in a folder is on disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a folder with nothing in it, whatever was there. */
export async function makeEmptyFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
}
