import { open } from 'node:fs/promises';

/** Returns when what was made, renamed and removed in a folder is on disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
