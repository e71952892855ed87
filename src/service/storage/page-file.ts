import { type FileHandle, open, rm, utimes } from 'node:fs/promises';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

/** A finished file ends in an index as JSON and the length of that JSON in so many bytes. */
const LENGTH_BYTES = 4;

/** The maximum length of a read, far more than a page of people has. */
const MAX_READ_BYTES = 2 ** 30;

interface Index {
  /** The end of each page. */
  readonly ends: readonly number[];
  readonly about: unknown;
}

/** A finished file of pages, found by a later process. */
export interface FoundPages {
  readonly file: PageFile;
  /** The value that was passed to {@link PageFile.finish}. */
  readonly about: unknown;
  /** When it was last used, in milliseconds since 1970. */
  readonly usedAt: number;
}

/**
 * A file of pages of text, compressed one by one. Pages can be read while others are added. Later processes can read a
 * file that was finished.
 */
export class PageFile {
  /** The page that is being added. */
  private adding: string | undefined;

  private constructor(
    private readonly path: string,
    private readonly writer: FileHandle | undefined,
    /** The offset of the end of each page. */
    private ends: number[],
  ) {}

  static async create(path: string): Promise<PageFile> {
    return new PageFile(path, await open(path, 'ax', 0o600), []);
  }

  /** Opens a file that was finished; returns undefined for any other. */
  static async find(path: string): Promise<FoundPages | undefined> {
    const reader = await open(path, 'r');
    try {
      const { size, mtimeMs: usedAt } = await reader.stat();
      const length = (await readBytes(reader, size - LENGTH_BYTES, LENGTH_BYTES)).readUInt32BE();
      const { ends, about } = JSON.parse(
        (await readBytes(reader, size - LENGTH_BYTES - length, length)).toString(),
      ) as Index;
      const isWhole = (ends.at(-1) ?? 0) + length + LENGTH_BYTES === size;
      return isWhole ? { file: new PageFile(path, undefined, [...ends]), about, usedAt } : undefined;
    } catch {
      return undefined;
    } finally {
      await reader.close();
    }
  }

  /** The number of pages. */
  get length(): number {
    return this.ends.length + (this.adding === undefined ? 0 : 1);
  }

  /** The size of the pages that were written. */
  get bytes(): number {
    return this.ends.at(-1) ?? 0;
  }

  /**
   * Adds a page, which can be read at once. If it cannot be written, it is gone again. Callers must wait before they
   * add the next page.
   */
  async add(text: string): Promise<void> {
    this.adding = text;
    try {
      const page = await promisify(deflateRaw)(text, { level: 1 });
      await this.writer?.appendFile(page);
      this.ends.push(this.bytes + page.length);
    } finally {
      this.adding = undefined;
    }
  }

  /** Reads a page by its index. */
  async read(index: number): Promise<string> {
    if (this.adding !== undefined && index === this.ends.length) return this.adding;
    const start = this.ends[index - 1] ?? 0;
    const reader = await open(this.path, 'r');
    try {
      const page = await readBytes(reader, start, (this.ends[index] ?? start) - start);
      return (await promisify(inflateRaw)(page)).toString();
    } finally {
      await reader.close();
    }
  }

  /** Removes all pages. */
  async clear(): Promise<void> {
    this.ends = [];
    await this.writer?.truncate();
  }

  /** Closes the file for writing. With `about`, a value in JSON, later processes can find the file. */
  async finish(about?: unknown): Promise<void> {
    try {
      if (about === undefined) return;
      const index: Index = { ends: this.ends, about };
      const json = Buffer.from(JSON.stringify(index));
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32BE(json.length);
      await this.writer?.appendFile(Buffer.concat([json, length]));
    } finally {
      await this.writer?.close();
    }
  }

  /** Sets the time of last use to now. */
  async touch(): Promise<void> {
    const now = new Date();
    await utimes(this.path, now, now);
  }

  /** Removes the file. Reads in progress go on. */
  remove(): Promise<void> {
    return rm(this.path, { force: true });
  }
}

async function readBytes(reader: FileHandle, start: number, length: number): Promise<Buffer> {
  // Node.js ends the process for some numbers that a damaged file may contain.
  if (start < 0 || length > MAX_READ_BYTES) throw new RangeError('it is not a file of pages');
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await reader.read(bytes, 0, length, start);
  if (bytesRead < length) throw new Error('the file is cut off');
  return bytes;
}
