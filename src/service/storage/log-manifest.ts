import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseChecked, stringifyChecked } from './checked-json.ts';

const FILE = 'manifest.json';

/** What a segment held when the manifest was written: as much, or more, must be found in it later. */
export interface SegmentMark {
  readonly bytes: number;
  readonly records: number;
}

/** The segments of a log by name. */
export type Marks = Readonly<Record<string, SegmentMark>>;

/**
 * Notes what the segments of a log hold. It is written after each batch but never synced, which would double what a
 * batch costs: it outlives the process, and after a power failure it may be old or damaged. So it says the least that
 * must be there, never all, and where it cannot be read it says nothing.
 */
export async function writeManifest(folder: string, marks: Marks): Promise<void> {
  // What is missing in it only makes it say less.
  await writeFile(join(folder, FILE), stringifyChecked(marks), { mode: 0o600 }).catch(() => undefined);
}

/** What {@link writeManifest} noted last. */
export async function readManifest(folder: string): Promise<Marks> {
  try {
    return parseChecked(await readFile(join(folder, FILE), 'utf8')) as Marks;
  } catch {
    return {};
  }
}

/**
 * The files of a log that are lost, in words, by what is in its folder. Segments up to the last that is flushed may be
 * gone.
 */
export function findLostFiles(files: readonly string[], marks: Marks, flushed: string): string[] {
  const isNeeded = (name: string) => Number.parseInt(name, 10) > Number(flushed);
  const missing = Object.entries(marks).flatMap(([name, { records }]) => {
    const isLost = records > 0 && isNeeded(name) && !files.includes(`${name}.ndjson`);
    return isLost ? [`${name}.ndjson with ${records} records is missing`] : [];
  });
  const moved = files.filter((name) => name.includes('.damaged-') && isNeeded(name));
  return [...missing, ...moved.map((name) => `${name} has records that cannot be read`)];
}
