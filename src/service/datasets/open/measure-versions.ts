import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenProject } from './open-project.ts';

/** The size of a version in the data folder. */
export interface VersionSize {
  readonly project: string;
  readonly dataset: string;
  readonly version: string;
  /** The bytes of its flushed records. 0 if a database has them. */
  readonly bytes: number;
}

/** Measures all versions of projects, largest first. */
export async function measureVersions(projects: Iterable<OpenProject>): Promise<readonly VersionSize[]> {
  const sizes: VersionSize[] = [];
  for (const { project, datasets } of projects) {
    for (const [dataset, { versions }] of datasets) {
      for (const { record, stored } of versions) {
        const bytes = await measureFolder(stored.folder);
        sizes.push({ project: project?.name ?? '', dataset, version: record.versionId, bytes });
      }
    }
  }
  return sizes.sort((left, right) => right.bytes - left.bytes);
}

/** Returns the bytes of the files in a folder; 0 if there is none. */
async function measureFolder(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  // A file may be removed meanwhile.
  const sizes = names.map((name) =>
    stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
