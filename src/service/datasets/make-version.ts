import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeFolder, syncFolder } from '../storage/files.ts';
import { FolderInUseError, FolderLock } from '../storage/folder-lock.ts';
import type { Store } from '../store/store.ts';
import { Catalog } from './catalog.ts';
import { DatasetVersion } from './dataset-version.ts';
import { listFolders, paths } from './paths.ts';
import type { ReportEvent } from './service-event.ts';
import { readVersionFile } from './version-file.ts';
import { changeState, chooseCreationTime, createVersionId, createVersionRecord } from './version-record.ts';

/** Where a version goes. */
export interface Destination {
  readonly project: string;
  readonly datasetId: string;
}

/** Appends or loads what a version is to hold. */
export type FillVersion = (version: DatasetVersion, store: Store) => Promise<void>;

/**
 * Makes a live version of a dataset of what `fill` appends or loads: aside, and in its place when it is whole, so that
 * no one ever sees half of it. From then on it is the newest. Works beside a server that has the folder open, and
 * beside others that make versions.
 *
 * @param openStore opens a store whose temporary files go to a folder, which is removed with it; it is closed at the
 *   end.
 * @returns its `version_id`.
 * @throws {CatalogError} where there is no such project or dataset, or no longer when it is whole; and what `fill` and
 *   the store throw, when nothing is left of it.
 */
export async function makeVersion(
  folder: string,
  { project, datasetId }: Destination,
  openStore: (temporaryFolder: string) => Promise<Store>,
  report: ReportEvent,
  fill: FillVersion,
): Promise<string> {
  const expectDataset = () => new Catalog(folder).dataset(project, datasetId);
  await expectDataset();
  const { versionId, aside, lock } = await reserve(folder);
  const openTemporary = () => openStore(join(aside, 'temporary'));
  try {
    const versions = paths.versions(folder, project, datasetId);
    await usingStore(openTemporary, async (store) => {
      await removeAbandoned(folder, store);
      await makeAside(aside, versions, store, report, fill);
    });
    const place = join(versions, versionId);
    try {
      await expectDataset();
      await makeFolder(versions);
      await rename(join(aside, 'version', versionId), place);
      await syncFolder(versions);
      // Whoever deletes the dataset meanwhile may have looked for its versions before this one was there.
      await expectDataset();
    } catch (error) {
      await usingStore(openTemporary, (store) => store.drop(DatasetVersion.storedIn(place, versionId)));
      await rm(place, { recursive: true, force: true });
      throw error;
    }
    return versionId;
  } finally {
    await rm(aside, { recursive: true, force: true });
    await lock.release();
  }
}

/** A folder that is this process's, named after a new version. */
async function reserve(folder: string) {
  for (;;) {
    const versionId = createVersionId();
    const aside = join(paths.incoming(folder), versionId);
    await makeFolder(aside);
    try {
      return { versionId, aside, lock: await FolderLock.take(aside) };
    } catch (error) {
      // Before it had a lock, another process took it for abandoned.
      const isTaken = error instanceof FolderInUseError || (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isTaken) throw error;
    }
  }
}

async function makeAside(
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
    const createdAt = chooseCreationTime(await recordsIn(versions));
    await version.change((record) => ({ ...record, createdAt }));
    await version.close();
  } catch (error) {
    await version.close();
    await store.drop(version.stored);
    throw error;
  }
}

/** A store must be closed before files of it are moved. */
async function usingStore(open: () => Promise<Store>, use: (store: Store) => Promise<void>): Promise<void> {
  const store = await open();
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

async function recordsIn(versions: string) {
  const files = await Promise.all((await listFolders(versions)).map((id) => readVersionFile(join(versions, id))));
  return files.flatMap((file) => (file === undefined ? [] : [file.record]));
}

/** Removes unfinished versions of processes that are gone. */
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
    const version = join(aside, 'version', versionId);
    // The process may have ended when the version was in its place already, where a store knows it by the same id.
    if (existsSync(version)) await store.drop(DatasetVersion.storedIn(version, versionId));
    await rm(aside, { recursive: true, force: true });
    await lock.release();
  }
}
