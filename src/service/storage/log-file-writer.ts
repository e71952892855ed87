import { dirname } from 'node:path';
import { replaceFile, syncFolder } from './files.ts';
import type { LogFileSize } from './log-manifest.ts';
import { readRanges } from './repair-log-file.ts';

/** The part of `FileHandle` that writing a log file needs. */
export interface WritableFile {
  writev(parts: readonly Uint8Array[], position: number): Promise<{ bytesWritten: number }>;
  datasync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens a file for writing: a new one (`wx`) or an existing one (`r+`). */
export type OpenForWriting = (path: string, flags: 'wx' | 'r+') => Promise<WritableFile>;

/** Appends batches to the newest file of a log. A batch is whole and on disk, or absent. */
export class LogFileWriter {
  /**
   * The next step after a failed write: cut off all bytes after `bytes` or, if that fails too, replace the file by a
   * copy.
   */
  private remedy: 'none' | 'cut' | 'replace' = 'none';

  private constructor(
    readonly path: string,
    private size: LogFileSize,
    private file: WritableFile,
    private readonly openFile: OpenForWriting,
  ) {}

  get bytes(): number {
    return this.size.bytes;
  }

  get records(): number {
    return this.size.records;
  }

  /** Creates a file. Its name is durable when this returns. */
  static async create(path: string, openFile: OpenForWriting): Promise<LogFileWriter> {
    const file = await openFile(path, 'wx');
    try {
      await syncFolder(dirname(path));
    } catch (error) {
      await file.close();
      throw error;
    }
    return new LogFileWriter(path, { bytes: 0, records: 0 }, file, openFile);
  }

  /** Opens a file of this size that holds whole batches only. */
  static async open(path: string, size: LogFileSize, openFile: OpenForWriting): Promise<LogFileWriter> {
    return new LogFileWriter(path, size, await openFile(path, 'r+'), openFile);
  }

  /**
   * Appends batches durably. If it fails, the batches are absent, also after a restart. They can remain only if the
   * disk refuses all changes until the process ends, as if the process had been killed before it acknowledged them.
   *
   * @param records the number of records in the batches
   */
  async append(batches: readonly Uint8Array[], records: number): Promise<void> {
    await this.repair();
    try {
      const end = await this.write(batches);
      await this.file.datasync();
      this.size = { bytes: end, records: this.records + records };
    } catch (error) {
      this.remedy = 'cut';
      // If the repair fails, it is repeated before the next write.
      await this.repair().catch(() => undefined);
      throw error;
    }
  }

  /** Removes what a failed write left behind. While that fails too, the file must not be used. */
  async repair(): Promise<void> {
    if (this.remedy === 'cut') await this.cut();
    if (this.remedy === 'replace') await this.replace();
  }

  async close(): Promise<void> {
    await this.repair().catch(() => undefined);
    // Acknowledged batches are on disk whether this works or not.
    await this.file.close().catch(() => undefined);
  }

  /** Writes batches at the end of the file and returns the new end. */
  private async write(batches: readonly Uint8Array[]): Promise<number> {
    let end = this.bytes;
    for (let rest = batches; rest.length > 0; ) {
      const { bytesWritten } = await this.file.writev(rest, end);
      end += bytesWritten;
      rest = skipBytes(rest, bytesWritten);
    }
    return end;
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

/** Returns the bytes of `parts` after the first `bytes`. */
function skipBytes(parts: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let left = bytes;
  for (const [index, part] of parts.entries()) {
    if (left < part.length) return [part.subarray(left), ...parts.slice(index + 1)];
    left -= part.length;
  }
  return [];
}
