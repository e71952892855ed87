import { type FileHandle, open, rm, utimes } from 'node:fs/promises';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

/** The last bytes of a file that is finished: how long the JSON before them is, which tells where the pages are. */
const LENGTH_BYTES = 4;

/** Far more than a page of people has. */
const MAX_AT_ONCE = 2 ** 30;

interface Index {
  readonly ends: readonly number[];
  readonly about: unknown;
}

/** A file of pages as a later process finds it. */
export interface FoundPages {
  readonly file: PageFile;
  /** The value that it was finished with. */
  readonly about: unknown;
  /** When it was last used, in milliseconds since 1970. */
  readonly usedAt: number;
}

/** Pages of text in a file, compressed one by one, which are read while they and others are added, and by later processes once it is finished. */
export class PageFile {
  /** The text of the page that is being added. */
  private adding: string | undefined;

  private constructor(
    private readonly path: string,
    private readonly writer: FileHandle | undefined,
    /** Where each page ends. */
    private ends: number[],
  ) {}

  static async create(path: string): Promise<PageFile> {
    return new PageFile(path, await open(path, 'ax', 0o600), []);
  }

  /** A file that was finished; undefined for any other. */
  static async find(path: string): Promise<FoundPages | undefined> {
    const reader = await open(path, 'r');
    try {
      const { size, mtimeMs: usedAt } = await reader.stat();
      const length = (await bytesAt(reader, size - LENGTH_BYTES, LENGTH_BYTES)).readUInt32BE();
      const { ends, about } = JSON.parse(
        (await bytesAt(reader, size - LENGTH_BYTES - length, length)).toString(),
      ) as Index;
      const isWhole = (ends.at(-1) ?? 0) + length + LENGTH_BYTES === size;
      return isWhole ? { file: new PageFile(path, undefined, [...ends]), about, usedAt } : undefined;
    } catch {
      return undefined;
    } finally {
      await reader.close();
    }
  }

  /** How many there are. */
  get length(): number {
    return this.ends.length + (this.adding === undefined ? 0 : 1);
  }

  get bytes(): number {
    return this.ends.at(-1) ?? 0;
  }

  /** Callers wait for one page before they add the next. It can be read from now on, and no more where it cannot be written. */
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

  /** A page by its number, from 0 on. */
  async read(number: number): Promise<string> {
    if (this.adding !== undefined && number === this.ends.length) return this.adding;
    const start = this.ends[number - 1] ?? 0;
    const reader = await open(this.path, 'r');
    try {
      const page = await bytesAt(reader, start, (this.ends[number] ?? start) - start);
      return (await promisify(inflateRaw)(page)).toString();
    } finally {
      await reader.close();
    }
  }

  /** Begins anew, with no page. */
  async clear(): Promise<void> {
    this.ends = [];
    await this.writer?.truncate();
  }

  /** Nothing more is added. With something to say about the pages, in JSON, a later process finds them. */
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

  /** Says that it is used now. */
  async touch(): Promise<void> {
    const now = new Date();
    await utimes(this.path, now, now);
  }

  /** What is being read is read to its end. */
  remove(): Promise<void> {
    return rm(this.path, { force: true });
  }
}

async function bytesAt(reader: FileHandle, start: number, length: number): Promise<Buffer> {
  // Node.js ends the process for some numbers that a damaged file may say.
  if (start < 0 || length > MAX_AT_ONCE) throw new RangeError('no file of pages has this');
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await reader.read(bytes, 0, length, start);
  if (bytesRead < length) throw new Error('the file is cut off');
  return bytes;
}
