import { dirname } from 'node:path';
import { bytesIn } from './mend-segment.ts';
import { replaceFile } from './replace-file.ts';
import { syncFolder } from './sync-folder.ts';

/** A file as a segment is written to it: as much of a `FileHandle` as that takes. */
export interface SegmentFile {
  write(bytes: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
  datasync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens a file to write: a new one (`wx`) or one that exists (`r+`). */
export type OpenSegmentFile = (path: string, flags: 'wx' | 'r+') => Promise<SegmentFile>;

/** The segment of a log to which batches are added: each of them whole and on disk, or not there. */
export class SegmentWriter {
  /** What is to be done about a failure: cut off what stands behind `length` or, where that fails too, replace the file by a copy. */
  private remedy: 'none' | 'cut' | 'replace' = 'none';

  private constructor(
    readonly path: string,
    /** How many bytes it holds. */
    private length: number,
    private file: SegmentFile,
    private readonly openFile: OpenSegmentFile,
  ) {}

  get bytes(): number {
    return this.length;
  }

  /** Begins a segment. When it returns its name is taken, whatever happens. */
  static async create(path: string, openFile: OpenSegmentFile): Promise<SegmentWriter> {
    const file = await openFile(path, 'wx');
    try {
      await syncFolder(dirname(path));
    } catch (error) {
      await file.close();
      throw error;
    }
    return new SegmentWriter(path, 0, file, openFile);
  }

  /** Goes on with a segment of so many bytes, all of them whole batches. */
  static async open(path: string, bytes: number, openFile: OpenSegmentFile): Promise<SegmentWriter> {
    return new SegmentWriter(path, bytes, await openFile(path, 'r+'), openFile);
  }

  /** Adds batches, on disk when it returns. Where it fails they are not there, nor after a restart. */
  async append(batches: Uint8Array): Promise<void> {
    await this.mend();
    try {
      await this.write(batches);
      await this.file.datasync();
    } catch (error) {
      this.remedy = 'cut';
      // What cannot be mended now is mended before anything else is written.
      await this.mend().catch(() => undefined);
      throw error;
    }
    this.length += batches.length;
  }

  /** Takes away what a failure left behind. As long as that fails too, nothing else may be done with the segment. */
  async mend(): Promise<void> {
    if (this.remedy === 'cut') await this.cut();
    if (this.remedy === 'replace') await this.replace();
  }

  async close(): Promise<void> {
    await this.mend().catch(() => undefined);
    // What was acknowledged is on disk whether this works or not.
    await this.file.close().catch(() => undefined);
  }

  private async write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.file.write(bytes, done, bytes.length - done, this.length + done);
      done += bytesWritten;
    }
  }

  private async cut(): Promise<void> {
    try {
      await this.file.truncate(this.length);
      await this.file.datasync();
      this.remedy = 'none';
    } catch {
      this.remedy = 'replace';
    }
  }

  private async replace(): Promise<void> {
    await replaceFile(this.path, bytesIn(this.path, [{ start: 0, end: this.length }]));
    const before = this.file;
    this.file = await this.openFile(this.path, 'r+');
    this.remedy = 'none';
    await before.close().catch(() => undefined);
  }
}
