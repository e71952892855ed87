import { access, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SerialQueue } from '../../locks/serial-queue.ts';
import { createFile, makeFolder, replaceFile, syncFolder } from '../../storage/files.ts';
import { reportFullDisk } from '../../storage/report-full-disk.ts';
import type { TellDamage } from '../files/errors.ts';
import { listFolders } from '../files/paths.ts';
import { readJson, readSound } from '../files/read-json.ts';

const FILE = 'content.json';

/**
 * Small JSON files, each with a unique number that is never reused.
 *
 * Each number is a folder that remains when its file is removed. Only one process can create a folder, so commands and
 * a server may add, remove and read files concurrently. Only one process may replace files.
 */
export class NumberedFiles<Content extends object> {
  private readonly writing = new SerialQueue();

  constructor(
    private readonly isSound: (json: unknown) => json is Content,
    private readonly tell: TellDamage,
  ) {}

  /** Returns all files ordered by number. Passes those that cannot be read to `tell`. */
  async all(folder: string): Promise<(Content & { readonly id: number })[]> {
    const ids = (await listNumbers(folder)).sort((left, right) => left - right);
    return readSound(
      ids.map((id) => this.find(folder, id)),
      this.tell,
    );
  }

  /** @throws {DamagedFileError} if the file cannot be read */
  async find(folder: string, id: number): Promise<(Content & { readonly id: number }) | undefined> {
    const content = await readJson(getPath(folder, id), this.isSound);
    return content && { id, ...content };
  }

  /** Creates a file with the next number. */
  async add(folder: string, content: Content): Promise<Content & { readonly id: number }> {
    return reportFullDisk(
      this.writing.take(async () => {
        await makeFolder(folder);
        const id = await createNumber(folder);
        await createFile(getPath(folder, id), stringify(content));
        return { id, ...content };
      }),
    );
  }

  /** Replaces a file and returns whether it exists. */
  async replace(folder: string, id: number, content: Content): Promise<boolean> {
    return reportFullDisk(
      this.writing.take(async () => {
        if (!(await exists(getPath(folder, id)))) return false;
        await replaceFile(getPath(folder, id), stringify(content));
        return true;
      }),
    );
  }

  /** Removes a file and returns whether it existed. */
  async remove(folder: string, id: number): Promise<boolean> {
    return reportFullDisk(
      this.writing.take(async () => {
        try {
          await rm(getPath(folder, id));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
          throw error;
        }
        await syncFolder(join(folder, String(id)));
        return true;
      }),
    );
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function createNumber(folder: string): Promise<number> {
  for (let id = Math.max(0, ...(await listNumbers(folder))) + 1; ; id++) {
    try {
      await mkdir(join(folder, String(id)));
      await syncFolder(folder);
      return id;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

async function listNumbers(folder: string): Promise<number[]> {
  return (await listFolders(folder)).map(Number);
}

function getPath(folder: string, id: number): string {
  return join(folder, String(id), FILE);
}

function stringify(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}
