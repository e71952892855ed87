import { randomUUID } from 'node:crypto';
import { link, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type FileContent, writeSynced } from './replace-file.ts';
import { syncFolder } from './sync-folder.ts';

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
