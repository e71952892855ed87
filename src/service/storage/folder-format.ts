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
 * Writes the number of this format into an older or empty data folder. Folders before format 1 have no number, and all
 * of their files are still read, so this number is the whole migration.
 *
 * @throws {FolderFormatError} if the folder has a newer format
 */
export async function migrateFolder(folder: string, hold?: FolderHold): Promise<void> {
  if ((await readKnownFormat(folder)) < FOLDER_FORMAT)
    await replaceFile(join(folder, FILE), `${JSON.stringify({ format: FOLDER_FORMAT })}\n`, hold);
}

/**
 * Returns the format of a folder; 0 if it has no number or does not exist.
 *
 * @throws {FolderFormatError} if this release cannot read it
 */
export async function readKnownFormat(folder: string): Promise<number> {
  const format = await readFormat(folder);
  if (format <= FOLDER_FORMAT) return format;
  const formats = `has format ${format}, and this release of onwhere reads up to format ${FOLDER_FORMAT}`;
  throw new FolderFormatError(`${folder} ${formats}: use the release that wrote it, or a newer one`);
}

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
