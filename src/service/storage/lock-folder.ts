import { migrateFolder } from './folder-format.ts';
import { FolderLease, getLeaseHolder } from './folder-lease.ts';
import { type AnswerLine, FolderInUseError, FolderLock } from './folder-lock.ts';
import { LeaseFiles } from './lease-files.ts';

/** A folder that no other process changes. */
export interface LockedFolder {
  /** The lease of a folder that servers share; undefined if they do not. */
  readonly lease: FolderLease | undefined;
  release(): Promise<void>;
}

/**
 * Locks a data folder, on this machine and, if servers of several machines share it, among these. Brings it to the format
 * of this release.
 *
 * @param answer answers the lines that other processes of this machine send
 * @param lease the lease of the folder, if this process has it. Its owner releases it.
 * @throws {FolderInUseError} if another process has the folder
 * @throws {FolderFormatError} if this release cannot read the folder
 */
export async function lockFolder(folder: string, answer?: AnswerLine, lease?: FolderLease): Promise<LockedFolder> {
  if (lease !== undefined) {
    // A stopped process that lost the lease may still have its socket open.
    const lock = await takeMigrated(folder, answer, true, lease);
    return { lease, release: () => lock.release() };
  }
  const own = await takeSharedLease(folder);
  try {
    const lock = await takeMigrated(folder, answer, own !== undefined, own);
    return {
      lease: own,
      async release() {
        await lock.release();
        await own?.release();
      },
    };
  } catch (error) {
    await own?.release();
    throw error;
  }
}

async function takeMigrated(
  folder: string,
  answer: AnswerLine | undefined,
  isShared: boolean,
  lease: FolderLease | undefined,
): Promise<FolderLock> {
  const lock = await FolderLock.take(folder, answer, isShared);
  try {
    await migrateFolder(folder, lease);
    return lock;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Refuses a command that works beside a server, unless that server is on this machine or none is running: neither could
 * see the locks of the other.
 *
 * @throws {FolderInUseError}
 */
export async function assertServerIsHere(folder: string): Promise<void> {
  const files = await LeaseFiles.find(folder);
  if (files === undefined) return;
  const holder = getLeaseHolder(await files.read());
  if (holder !== undefined && !(await FolderLock.isHeldHere(folder)))
    throw new FolderInUseError(folder, `a server on another machine, ${holder}`, 'Run the command there.');
}

async function takeSharedLease(folder: string): Promise<FolderLease | undefined> {
  const files = await LeaseFiles.find(folder);
  if (files === undefined) return undefined;
  const lease = new FolderLease(files);
  await lease.takeIdle(folder);
  // From then on, the process cannot change the folder.
  lease.keep(() => undefined);
  return lease;
}
