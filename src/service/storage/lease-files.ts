import { randomUUID } from 'node:crypto';
import { access, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFile, makeFolder, syncFolder } from './files.ts';

/** Reads and moves the name of a lease. */
export interface LeaseNames {
  /** Returns a name that the lease has, or had. */
  read(): Promise<string>;
  /**
   * Changes a name that the lease has now, atomically. Returns false if the lease has another name.
   */
  move(from: string, to: string): Promise<boolean>;
}

/** The name of a lease that no one has had yet. */
const FIRST = '0-free';

/** A listing made while the file is renamed may miss it or have it twice. */
const ATTEMPTS = 20;

/**
 * A lease as the only file in the folder `lease` of a data folder. Its name says who has it.
 *
 * The disk may be one that several machines share. There, renaming a file is atomic, always reaches the server of the
 * disk, and fails if another machine has renamed it. Reading may return an old state from a cache, which is harmless:
 * no name comes twice, so moving an old name fails.
 */
export class LeaseFiles implements LeaseNames {
  private constructor(private readonly folder: string) {}

  /** Opens the lease of a data folder, and creates it if there is none. */
  static async open(dataFolder: string): Promise<LeaseFiles> {
    const folder = getLeaseFolder(dataFolder);
    if (!(await exists(folder))) await create(folder);
    return new LeaseFiles(folder);
  }

  /** Opens the lease of a data folder; undefined if the folder is not shared. */
  static async find(dataFolder: string): Promise<LeaseFiles | undefined> {
    const folder = getLeaseFolder(dataFolder);
    return (await exists(folder)) ? new LeaseFiles(folder) : undefined;
  }

  async read(): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      const names = await readdir(this.folder);
      const [name] = names;
      if (name !== undefined && names.length === 1) return name;
      if (attempt === ATTEMPTS)
        throw new Error(
          `${this.folder} must have exactly one file, not ${names.length}: stop all servers, remove it, and start again`,
        );
    }
  }

  async move(from: string, to: string): Promise<boolean> {
    try {
      await rename(join(this.folder, from), join(this.folder, to));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      // NFS may repeat a request whose response was lost, and report that of the second one.
      return exists(join(this.folder, to));
    }
  }
}

function getLeaseFolder(dataFolder: string): string {
  return join(dataFolder, 'lease');
}

/** Creates a lease. Only one of several callers succeeds, as a folder that is not empty cannot be replaced. */
async function create(folder: string): Promise<void> {
  const temporary = `${folder}.${randomUUID()}`;
  await makeFolder(temporary);
  try {
    await createFile(join(temporary, FIRST), '');
    await rename(temporary, folder);
    await syncFolder(dirname(folder));
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
