import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeFolder, syncFolder } from '../../storage/files.ts';
import { FolderInUseError, FolderLock } from '../../storage/folder-lock.ts';
import { assertServerIsHere } from '../../storage/lock-folder.ts';
import type { StoreFiles } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { Catalog } from '../catalog/catalog.ts';
import { listFolders, paths } from '../files/paths.ts';
import type { ReportEvent } from '../service-event.ts';
import { DatasetVersion } from './dataset-version.ts';
import { readVersionFile } from './version-file.ts';
import { changeState, chooseCreationTime, createVersionId, createVersionRecord } from './version-record.ts';

/** The project and dataset of a version. */
export interface Destination {
  readonly project: string;
  readonly datasetId: string;
}

/** Fills a new version with records. */
export type FillVersion = (version: DatasetVersion, store: Store) => Promise<void>;

/**
 * Creates a live version of a dataset from the records that `fill` appends or loads. It becomes the newest version.
 *
 * The version is built in a separate folder and then moved, so that no one sees half of it. Works while a server has
 * the folder open and while other processes make versions.
 *
 * @param openStore opens a store with the given files, which are removed with it; the store is closed at the end
 * @returns its `version_id`
 * @throws {FolderInUseError} if a server on another machine has the folder
 * @throws {CatalogError} if the project or dataset does not exist, or was deleted meanwhile. Rethrows errors of `fill`
 *   and the store. Leaves nothing behind on failure.
 */
export async function makeVersion(
  folder: string,
  { project, datasetId }: Destination,
  openStore: (files: StoreFiles) => Promise<Store>,
  report: ReportEvent,
  fill: FillVersion,
): Promise<string> {
  const assertDataset = () => new Catalog(folder).dataset(project, datasetId);
  await assertServerIsHere(folder);
  await assertDataset();
  const { versionId, aside, lock } = await reserve(folder);
  const openTemporary = () => openStore({ temporaryFolder: join(aside, 'temporary') });
  try {
    const versions = paths.versions(folder, project, datasetId);
    await withStore(openTemporary, async (store) => {
      await removeAbandoned(folder, store);
      await buildVersion(aside, versions, store, report, fill);
    });
    const place = join(versions, versionId);
    try {
      await assertDataset();
      await makeFolder(versions);
      await rename(join(aside, 'version', versionId), place);
      await syncFolder(versions);
      // A concurrent deletion may have listed the versions before this one was moved.
      await assertDataset();
    } catch (error) {
      await withStore(openTemporary, (store) => store.drop(DatasetVersion.storedIn(place, versionId)));
      await rm(place, { recursive: true, force: true });
      throw error;
    }
    return versionId;
  } finally {
    await rm(aside, { recursive: true, force: true });
    await lock.release();
  }
}

/** Creates and locks a folder named after a new version. */
async function reserve(folder: string) {
  for (;;) {
    const versionId = createVersionId();
    const aside = join(paths.incoming(folder), versionId);
    await makeFolder(aside);
    try {
      return { versionId, aside, lock: await FolderLock.take(aside) };
    } catch (error) {
      // Another process may have removed the folder as abandoned before it was locked.
      const isTaken = error instanceof FolderInUseError || (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isTaken) throw error;
    }
  }
}

async function buildVersion(
  aside: string,
  versions: string,
  store: Store,
  report: ReportEvent,
  fill: FillVersion,
): Promise<void> {
  const now = new Date().toISOString();
  const folder = join(aside, 'version', basename(aside));
  const record = changeState(createVersionRecord(basename(aside), now), { readable: true, writable: true }, now);
  const version = await DatasetVersion.create(folder, record, report);
  try {
    await fill(version, store);
    await version.process(store);
    const createdAt = chooseCreationTime(await readRecords(versions));
    await version.change((record) => ({ ...record, createdAt }));
    await version.close();
  } catch (error) {
    await version.close();
    await store.drop(version.stored);
    throw error;
  }
}

/** Runs `use` with a store and closes it: files of an open store must not be moved. */
async function withStore(open: () => Promise<Store>, use: (store: Store) => Promise<void>): Promise<void> {
  const store = await open();
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

async function readRecords(versions: string) {
  const files = await Promise.all((await listFolders(versions)).map((id) => readVersionFile(join(versions, id))));
  return files.flatMap((file) => (file === undefined ? [] : [file.record]));
}

/** Removes unfinished versions of processes that have exited. */
export async function removeAbandoned(folder: string, store: Store): Promise<void> {
  const incoming = paths.incoming(folder);
  for (const versionId of await listFolders(incoming)) {
    const aside = join(incoming, versionId);
    let lock: FolderLock;
    try {
      lock = await FolderLock.take(aside);
    } catch (error) {
      // Another process may have removed it meanwhile.
      if (error instanceof FolderInUseError || (error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      throw error;
    }
    const version = join(aside, 'abandoned');
    // The process may have exited after it moved the version, which has the same ID in the store. It may also run on
    // another machine, where locks are not seen: then only one of the two moves succeeds.
    if ((await tryRename(join(aside, 'version', versionId), version)) || existsSync(version))
      await store.drop(DatasetVersion.storedIn(version, versionId));
    await rm(aside, { recursive: true, force: true });
    await lock.release();
  }
}

async function tryRename(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
