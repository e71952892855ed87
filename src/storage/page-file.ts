import { type FileHandle, open, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

/** Pages of text in a file, compressed one by one, which are read while they and others are added. Nobody finds them in it after the process. */
export class PageFile {
  /** Where each page ends. */
  private ends: number[] = [];
  /** The text of the page that is being added. */
  private adding: string | undefined;

  private constructor(
    private readonly path: string,
    private readonly writer: FileHandle,
  ) {}

  static async create(path: string): Promise<PageFile> {
    return new PageFile(path, await open(path, 'ax', 0o600));
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
      await this.writer.appendFile(page);
      this.ends.push(this.bytes + page.length);
    } finally {
      this.adding = undefined;
    }
  }

  /** A page by its number, from 0 on. */
  async read(number: number): Promise<string> {
    if (this.adding !== undefined && number === this.ends.length) return this.adding;
    const start = this.ends[number - 1] ?? 0;
    const page = Buffer.alloc((this.ends[number] ?? start) - start);
    const reader = await open(this.path, 'r');
    try {
      await reader.read(page, 0, page.length, start);
    } finally {
      await reader.close();
    }
    return (await promisify(inflateRaw)(page)).toString();
  }

  /** Begins anew, with no page. */
  async clear(): Promise<void> {
    this.ends = [];
    await this.writer.truncate();
  }

  /** Nothing more is added. */
  finish(): Promise<void> {
    return this.writer.close();
  }

  /** What is being read is read to its end. */
  remove(): Promise<void> {
    return rm(this.path, { force: true });
  }
}
