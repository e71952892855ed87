import { access, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SerialQueue } from '../../lang/util/serial-queue.ts';
import { createFile, makeFolder, replaceFile, syncFolder } from '../storage/files.ts';
import type { TellDamage } from './errors.ts';
import { listFolders } from './paths.ts';
import { readJson, readSound } from './read-json.ts';
import { reportFullDisk } from './report-full-disk.ts';

const FILE = 'content.json';

/**
 * Small files of JSON, each with a number of its own that is never given again. A number is a folder, which stays when
 * its file is removed: only one process can make it, so that commands and a server make, remove and read them at once.
 * Only one process replaces files.
 */
export class NumberedFiles<Content extends object> {
  private readonly writing = new SerialQueue();

  constructor(
    private readonly isSound: (json: unknown) => json is Content,
    private readonly tell: TellDamage,
  ) {}

  /** In order, without those that cannot be read. */
  async all(folder: string): Promise<(Content & { readonly id: number })[]> {
    const ids = (await numbersIn(folder)).sort((left, right) => left - right);
    return readSound(
      ids.map((id) => this.find(folder, id)),
      this.tell,
    );
  }

  /** @throws {DamagedFileError} where it cannot be read. */
  async find(folder: string, id: number): Promise<(Content & { readonly id: number }) | undefined> {
    const content = await readJson(fileOf(folder, id), this.isSound);
    return content && { id, ...content };
  }

  /** Makes a file with the next number. */
  async add(folder: string, content: Content): Promise<Content & { readonly id: number }> {
    return reportFullDisk(
      this.writing.take(async () => {
        await makeFolder(folder);
        const id = await newNumber(folder);
        await createFile(fileOf(folder, id), text(content));
        return { id, ...content };
      }),
    );
  }

  /** Replaces what a file holds; whether there is one. */
  async replace(folder: string, id: number, content: Content): Promise<boolean> {
    return reportFullDisk(
      this.writing.take(async () => {
        if (!(await exists(fileOf(folder, id)))) return false;
        await replaceFile(fileOf(folder, id), text(content));
        return true;
      }),
    );
  }

  /** Removes a file; whether there was one. */
  async remove(folder: string, id: number): Promise<boolean> {
    return reportFullDisk(
      this.writing.take(async () => {
        try {
          await rm(fileOf(folder, id));
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

async function newNumber(folder: string): Promise<number> {
  for (let id = Math.max(0, ...(await numbersIn(folder))) + 1; ; id++) {
    try {
      await mkdir(join(folder, String(id)));
      await syncFolder(folder);
      return id;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

async function numbersIn(folder: string): Promise<number[]> {
  return (await listFolders(folder)).map(Number);
}

function fileOf(folder: string, id: number): string {
  return join(folder, String(id), FILE);
}

function text(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}
