import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseChecked, stringifyChecked } from './checked-json.ts';
import { FolderFormatError } from './folder-format.ts';

const FILE = 'manifest.json';

/** The size of a log file when the manifest was written. The file must never be smaller later. */
export interface LogFileSize {
  readonly bytes: number;
  readonly records: number;
}

/** The sizes of the files of a log by name. */
export type Manifest = Readonly<Record<string, LogFileSize>>;

/** The format of manifests. Those before format 1 have no number, and the sizes of files only. */
const FORMAT = 1;

/**
 * Writes the manifest of a log.
 *
 * It is written after each batch but never synced, which would double the cost of a batch. It survives the process, but
 * may be old or damaged after a power failure. So it is a lower bound of the content of the log, and an unreadable
 * manifest counts as empty.
 */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  // A failure only makes the lower bound lower.
  await writeFile(join(folder, FILE), stringifyChecked({ format: FORMAT, ...manifest }), { mode: 0o600 }).catch(
    () => undefined,
  );
}

/**
 * Reads the manifest of a log; empty if it is missing or damaged.
 *
 * @throws {FolderFormatError} if a newer release wrote it
 */
export async function readManifest(folder: string): Promise<Manifest> {
  let content: object;
  try {
    content = parseChecked(await readFile(join(folder, FILE), 'utf8'));
  } catch {
    return {};
  }
  const { format = 0, ...manifest } = content as { readonly format?: number };
  if (format <= FORMAT) return manifest as Manifest;
  const formats = `has format ${format}, and this release of onwhere reads up to format ${FORMAT}`;
  throw new FolderFormatError(`${join(folder, FILE)} ${formats}: use the release that wrote it, or a newer one`);
}

/**
 * Returns a sentence about each lost file of a log: a file of the manifest that is missing, and bytes that were
 * moved aside. Files up to `flushed` are no longer needed.
 *
 * @param files the names of the files in its folder
 */
export function findLostFiles(files: readonly string[], manifest: Manifest, flushed: string): string[] {
  const isNeeded = (name: string) => Number.parseInt(name, 10) > Number(flushed);
  const missing = Object.entries(manifest).flatMap(([name, { records }]) => {
    const isLost = records > 0 && isNeeded(name) && !files.includes(`${name}.ndjson`);
    return isLost ? [`${name}.ndjson with ${records} records is missing`] : [];
  });
  const moved = files.filter((name) => name.includes('.damaged-') && isNeeded(name));
  return [...missing, ...moved.map((name) => `${name} has records that cannot be read`)];
}
