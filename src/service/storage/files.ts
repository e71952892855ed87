import { randomUUID } from 'node:crypto';
import { link, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { FolderHold } from './folder-hold.ts';

/** The content of a file, as a whole or in chunks. */
export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Replaces the content of a file, or creates it, atomically and durably: a reader finds the old content or the new one,
 * also after a crash. Callers must not replace the same file concurrently.
 *
 * @param hold The right to change the folder, if other machines may take it: then nothing is replaced without it.
 */
export async function replaceFile(path: string, content: FileContent, hold?: FolderHold): Promise<void> {
  // A process that has lost the folder may still be writing its own.
  const temporary = hold === undefined ? `${path}.tmp` : `${path}.${randomUUID()}.tmp`;
  await writeSynced(temporary, content);
  hold?.assertHeld();
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Writes a file that is still to be renamed or linked. Removes it if that fails. */
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

/**
 * Creates a file atomically and durably. Fails with `EEXIST` if it exists, so that only one of several callers
 * succeeds.
 */
export async function createFile(path: string, content: FileContent): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  await writeSynced(temporary, content);
  try {
    await link(temporary, path);
  } finally {
    await rm(temporary);
  }
  await syncFolder(dirname(path));
}

/** Creates a folder and its missing parents durably, for this user only. Does nothing if it exists. */
export async function makeFolder(folder: string): Promise<void> {
  const path = resolve(folder);
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const top = dirname(resolve(first));
  for (let made = path; made !== top; made = dirname(made)) await syncFolder(dirname(made));
}

/** Returns a warning if other users can read or write a folder; undefined if they cannot, or if it is missing. */
export async function checkFolderMode(folder: string): Promise<string | undefined> {
  const mode = await stat(folder).then(
    (found) => found.mode & 0o777,
    () => 0,
  );
  if ((mode & 0o066) === 0) return undefined;
  return `other users can read or write ${folder} (mode ${mode.toString(8)}): chmod -R go-rwx ${folder}`;
}

/** Makes the files that were created, renamed and removed in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates an empty folder. Removes everything in it if it exists. */
export async function makeEmptyFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
}

/** Returns whether an error only means that too many files are open, so that it says nothing about the file. */
export function isOutOfFiles(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE';
}
