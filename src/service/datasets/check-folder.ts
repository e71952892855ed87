import { readdir, rename } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { makeFolder, syncFolder } from '../storage/files.ts';
import { FolderFormatError } from '../storage/folder-format.ts';
import { readManifest } from '../storage/log-manifest.ts';
import { scanLogFile } from '../storage/scan-log-file.ts';
import { RECORD_KINDS, type Store } from '../store/store.ts';
import { DamagedVersionError, DatabaseLostError, NewerVersionError } from '../store/store-error.ts';
import { Catalog } from './catalog/catalog.ts';
import type { DamagedFileError } from './files/errors.ts';
import { listFolders, paths } from './files/paths.ts';
import { Annotations } from './saved/annotations.ts';
import { Funnels } from './saved/funnels.ts';
import { SavedFilters } from './saved/saved-filters.ts';
import type { ServiceEvent } from './service-event.ts';
import { DatasetVersion } from './versions/dataset-version.ts';

/** A damaged file or version folder. */
export interface FolderDamage {
  readonly path: string;
  readonly problem: string;
}

/**
 * Checks every catalog file and every byte of every version for damage. No other process may have the folder open.
 *
 * @throws {FolderFormatError} for a version that a newer release wrote
 */
export async function* checkFolder(folder: string, store: Store): AsyncGenerator<FolderDamage> {
  const catalog = new Catalog(folder);
  const damagedFiles: DamagedFileError[] = [];
  const tell = (error: DamagedFileError) => void damagedFiles.push(error);
  await catalog.projects(tell);
  // Check the contents of damaged folders too.
  for (const project of await listFolders(paths.projects(folder))) {
    await catalog.datasets(project, tell);
    await catalog.keys(project, tell);
    await new Annotations(folder, tell).list(project);
    await new Funnels(folder, tell).list(project);
    await new SavedFilters(folder, tell).list(project);
    for (const dataset of await listFolders(paths.datasets(folder, project))) {
      for (const id of await catalog.versions(project, dataset)) {
        const path = join(paths.versions(folder, project, dataset), id);
        const problem = await findVersionProblem(path, store);
        if (problem !== undefined) yield { path, problem };
      }
    }
  }
  for (const { path, problem } of damagedFiles) yield { path, problem };
}

/**
 * Moves a damaged file or folder into `damaged` in the data folder and returns its new path. Never deletes anything.
 */
export async function moveAside(folder: string, { path }: FolderDamage): Promise<string> {
  const place = relative(folder, path);
  for (let number = 1; ; number++) {
    const moved = join(folder, 'damaged', String(number), place);
    await makeFolder(dirname(moved));
    if ((await readdir(dirname(moved))).includes(place.slice(dirname(place).length + 1))) continue;
    // The damage may be that the file is missing.
    await rename(path, moved).catch((error) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await syncFolder(dirname(moved));
    await syncFolder(dirname(path));
    return moved;
  }
}

/** Describes the damage of a version; undefined if it is sound. */
async function findVersionProblem(folder: string, store: Store): Promise<string | undefined> {
  const details: string[] = [];
  const note = (event: ServiceEvent) => {
    if (event.kind === 'version damaged' && event.details !== '') details.push(event.details);
  };
  for (const kind of RECORD_KINDS) await readManifest(join(folder, kind));
  const version = await DatasetVersion.open(folder, note);
  if (version === undefined || version.record.deleted) return undefined;
  try {
    if (version.damage !== undefined) return [version.damage, ...details].join(': ');
    return (await findLogProblem(folder)) ?? (await findStoreProblem(version, store));
  } finally {
    await version.close();
  }
}

async function findLogProblem(folder: string): Promise<string | undefined> {
  for (const kind of RECORD_KINDS) {
    const names = await readdir(join(folder, kind)).catch(() => []);
    for (const name of names.filter((one) => one.endsWith('.ndjson'))) {
      const [damaged] = (await scanLogFile(join(folder, kind, name))).damaged;
      if (damaged !== undefined) return `bytes ${damaged.start} to ${damaged.end} of ${kind}/${name} are damaged`;
    }
  }
  return undefined;
}

async function findStoreProblem({ stored }: DatasetVersion, store: Store): Promise<string | undefined> {
  try {
    await store.verify(stored);
    return undefined;
  } catch (error) {
    if (error instanceof DatabaseLostError) return 'the database crashes when it reads it';
    if (!(error instanceof DamagedVersionError)) throw error;
    if (error instanceof NewerVersionError) throw new FolderFormatError(`${stored.folder}: ${error.damage}`);
    return [error.damage, error.details].filter((text) => text !== '').join(': ');
  }
}
