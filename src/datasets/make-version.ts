import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FolderInUseError, FolderLock } from '../storage/folder-lock.ts';
import { makeFolder } from '../storage/make-folder.ts';
import { syncFolder } from '../storage/sync-folder.ts';
import type { Store } from '../store/store.ts';
import { Catalog } from './catalog.ts';
import { DatasetVersion } from './dataset-version.ts';
import { foldersIn } from './folders-in.ts';
import { paths } from './paths.ts';
import type { ReportEvent } from './service-event.ts';
import { newVersion, newVersionId, withState } from './version-record.ts';

/** Where a version goes. */
export interface Destination {
  readonly project: string;
  readonly datasetId: string;
}

/**
 * Makes a live version of a dataset of what `fill` appends or loads: aside, and in its place when it is whole, so that no one ever sees half
 * of it. Works beside a server that has the folder open, which takes the version in within seconds. The store is closed then.
 *
 * @returns its `version_id`.
 * @throws {CatalogError} where there is no such project or dataset; and what `fill` and the store throw, when nothing is left of it.
 */
export async function makeVersion(
  folder: string,
  { project, datasetId }: Destination,
  store: Store,
  report: ReportEvent,
  fill: (version: DatasetVersion) => Promise<void>,
): Promise<string> {
  await new Catalog(folder).dataset(project, datasetId);
  await removeAbandoned(folder, store);
  const versionId = newVersionId();
  const aside = join(paths.incoming(folder), versionId);
  await makeFolder(aside);
  const lock = await FolderLock.take(aside);
  try {
    const version = await makeAside(join(aside, 'version'), versionId, store, report, fill);
    await version.close();
    await store.close();
    const place = join(paths.versions(folder, project, datasetId), versionId);
    await makeFolder(dirname(place));
    await rename(join(aside, 'version'), place);
    await syncFolder(dirname(place));
    return versionId;
  } finally {
    await rm(aside, { recursive: true });
    await lock.release();
  }
}

async function makeAside(
  folder: string,
  versionId: string,
  store: Store,
  report: ReportEvent,
  fill: (version: DatasetVersion) => Promise<void>,
): Promise<DatasetVersion> {
  const now = new Date().toISOString();
  const record = withState(newVersion(versionId, now), { readable: true, writable: true }, now);
  const version = await DatasetVersion.create(folder, record, report);
  try {
    await fill(version);
    await version.process(store);
    return version;
  } catch (error) {
    await version.close();
    await store.drop(version.stored);
    throw error;
  }
}

/** Removes unfinished versions of processes that are gone. */
export async function removeAbandoned(folder: string, store: Store): Promise<void> {
  const incoming = paths.incoming(folder);
  for (const versionId of await foldersIn(incoming)) {
    const aside = join(incoming, versionId);
    try {
      await FolderLock.take(aside);
    } catch (error) {
      if (error instanceof FolderInUseError) continue;
      throw error;
    }
    await store.drop(DatasetVersion.storedIn(join(aside, 'version'), versionId));
    await rm(aside, { recursive: true });
  }
}
