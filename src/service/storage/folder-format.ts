import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from './files.ts';
import type { FolderHold } from './folder-hold.ts';

/** The format of data folders that this release reads and writes. */
const FOLDER_FORMAT = 1;

const FILE = 'format.json';

/** Thrown if a data folder has a format that this release cannot read. The message is for operators. */
export class FolderFormatError extends Error {}

/**
 * Refuses a data folder of a newer format, and writes the number of this format into an older or empty one. Folders
 * before format 1 have no number, and all of their files are still read, so this number is the whole migration.
 *
 * @throws {FolderFormatError}
 */
export async function migrateFolder(folder: string, hold?: FolderHold): Promise<void> {
  const format = await readFormat(folder);
  if (format > FOLDER_FORMAT) {
    const formats = `has format ${format}, and this release of onwhere reads up to format ${FOLDER_FORMAT}`;
    throw new FolderFormatError(`${folder} ${formats}: use the release that wrote it, or a newer one`);
  }
  if (format < FOLDER_FORMAT)
    await replaceFile(join(folder, FILE), `${JSON.stringify({ format: FOLDER_FORMAT })}\n`, hold);
}

/** Returns the format of a folder; 0 if it has no number. */
async function readFormat(folder: string): Promise<number> {
  const path = join(folder, FILE);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  const [, format] = /^\{"format":(\d+)\}\n$/.exec(text) ?? [];
  if (format === undefined) throw new FolderFormatError(`${path} is not {"format":<number>}: restore it or remove it`);
  return Number(format);
}
