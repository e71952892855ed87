import { dirname } from 'node:path';
import { replaceFile, syncFolder } from './files.ts';
import type { SegmentMark } from './log-manifest.ts';
import { readRanges } from './repair-segment.ts';

/** A file as a segment is written to it: as much of a `FileHandle` as that takes. */
export interface SegmentFile {
  writev(parts: readonly Uint8Array[], position: number): Promise<{ bytesWritten: number }>;
  datasync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens a file to write: a new one (`wx`) or one that exists (`r+`). */
export type OpenSegmentFile = (path: string, flags: 'wx' | 'r+') => Promise<SegmentFile>;

/** The segment of a log to which batches are added: each of them whole and on disk, or not there. */
export class SegmentWriter {
  /**
   * The next step after a failed write: cut off all bytes after `bytes` or, if that fails too, replace the file by a
   * copy.
   */
  private remedy: 'none' | 'cut' | 'replace' = 'none';

  private constructor(
    readonly path: string,
    private content: SegmentMark,
    private file: SegmentFile,
    private readonly openFile: OpenSegmentFile,
  ) {}

  get bytes(): number {
    return this.content.bytes;
  }

  get records(): number {
    return this.content.records;
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
    return new SegmentWriter(path, { bytes: 0, records: 0 }, file, openFile);
  }

  /** Goes on with a segment that holds whole batches only. */
  static async open(path: string, content: SegmentMark, openFile: OpenSegmentFile): Promise<SegmentWriter> {
    return new SegmentWriter(path, content, await openFile(path, 'r+'), openFile);
  }

  /**
   * Adds batches, which have so many records, on disk when it returns. Where it fails they are not there, nor after a
   * restart; only a disk that takes no change at all from then until the process ends can hold them still, as if the
   * process had been killed before it answered.
   */
  async append(batches: readonly Uint8Array[], records: number): Promise<void> {
    await this.mend();
    try {
      const end = await this.write(batches);
      await this.file.datasync();
      this.content = { bytes: end, records: this.records + records };
    } catch (error) {
      this.remedy = 'cut';
      // What cannot be mended now is mended before anything else is written.
      await this.mend().catch(() => undefined);
      throw error;
    }
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

  /** Where what is written ends. */
  private async write(batches: readonly Uint8Array[]): Promise<number> {
    let at = this.bytes;
    for (let rest = batches; rest.length > 0; ) {
      const { bytesWritten } = await this.file.writev(rest, at);
      at += bytesWritten;
      rest = behind(rest, bytesWritten);
    }
    return at;
  }

  private async cut(): Promise<void> {
    try {
      await this.file.truncate(this.bytes);
      await this.file.datasync();
      this.remedy = 'none';
    } catch {
      this.remedy = 'replace';
    }
  }

  private async replace(): Promise<void> {
    await replaceFile(this.path, readRanges(this.path, [{ start: 0, end: this.bytes }]));
    const before = this.file;
    this.file = await this.openFile(this.path, 'r+');
    this.remedy = 'none';
    await before.close().catch(() => undefined);
  }
}

/** What stands behind so many bytes. */
function behind(parts: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let left = bytes;
  for (const [at, part] of parts.entries()) {
    if (left < part.length) return [part.subarray(left), ...parts.slice(at + 1)];
    left -= part.length;
  }
  return [];
}
