import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';

/** The names of the folders in a folder, in order; none where it does not exist. */
export async function listFolders(folder: string): Promise<string[]> {
  return (await entriesOf(folder)).flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

/** The names of the JSON files in a folder, without the ending. As {@link listFolders}. */
export async function listJsonFiles(folder: string): Promise<string[]> {
  const names = (await entriesOf(folder)).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  return names.flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : [])).sort();
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
