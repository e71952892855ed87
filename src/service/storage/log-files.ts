import { open, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeFolder, replaceFile, syncFolder } from './files.ts';
import type { FolderHold } from './folder-hold.ts';
import { LogFileWriter, type OpenForWriting } from './log-file-writer.ts';
import { findLostFiles, type LogFileSize, readManifest, writeManifest } from './log-manifest.ts';
import { type LogDamage, readRanges, repairLogFile } from './repair-log-file.ts';

const FILE_BYTES = 2 ** 26;

const SUFFIX = '.ndjson';

export interface LogFilesOptions {
  /** The size in bytes from which on a file is closed and the next one created. Default: 64 MiB. */
  readonly fileBytes?: number;
  /** Called for bytes that are not a whole batch. */
  readonly report: (damage: LogDamage) => void;
  /** Opens files for writing. */
  readonly openFile?: OpenForWriting;
  /** The name of the last file that is no longer needed; empty, the default, if all are. */
  readonly flushed?: string;
  /** Whether a file was created before, so that one must exist. */
  readonly isBegun?: boolean;
  /** The right to change the folder, if other machines may take it. */
  readonly hold?: FolderHold | undefined;
}

/** A closed file of a log: whole batches of lines, each followed by a batch line with its checksum. */
export interface LogFile {
  readonly path: string;
  /** Its name within the log. Names ascend. */
  readonly name: string;
  /** The number of records in it. */
  readonly records: number;
}

interface ClosedFile extends LogFileSize {
  readonly path: string;
  /** Present once its batches were found to be whole. */
  readonly checked?: LogFile;
}

/**
 * The files of a log, numbered, in a folder. The newest one is written. A number is never reused: the newest
 * file stays, even if it is empty.
 */
export class LogFiles {
  /** By name, oldest first. */
  private readonly closed = new Map<string, ClosedFile>();
  private readonly losses: string[] = [];
  private newest: LogFileWriter | undefined;
  private nextNumber = 1;

  private constructor(
    private readonly folder: string,
    private readonly options: Required<LogFilesOptions>,
  ) {}

  /** Opens a folder, which is created if it is missing. Cuts off a batch that was being written at a crash. */
  static async open(
    folder: string,
    { fileBytes = FILE_BYTES, report, openFile = openPrivately, flushed = '', isBegun = false, hold }: LogFilesOptions,
  ): Promise<LogFiles> {
    const files = new LogFiles(folder, { fileBytes, report, openFile, flushed, isBegun, hold });
    await files.load();
    return files;
  }

  /** Sentences about the acknowledged records that are lost. */
  get lost(): readonly string[] {
    return this.losses;
  }

  get isEmpty(): boolean {
    if (this.newest && this.newest.bytes > 0) return false;
    return [...this.closed.values()].every(({ bytes }) => bytes === 0);
  }

  /** Appends batches with this number of records to the newest file: all of them or none. */
  async append(batches: readonly Uint8Array[], records: number): Promise<void> {
    const file = await this.openNewest();
    await file.append(batches, records);
    // The batches are on disk, but whoever has taken the folder may not know them.
    this.options.hold?.assertHeld();
    await this.saveManifest();
  }

  /** Returns the file to write to. Creates it if there is none, or if the newest is full. */
  async openNewest(): Promise<LogFileWriter> {
    if (this.newest && this.newest.bytes < this.options.fileBytes) return this.newest;
    return this.roll();
  }

  /** Closes the newest file, unless it is empty, and creates the next. */
  async sealNewest(): Promise<void> {
    if (this.newest && this.newest.bytes > 0) await this.roll();
  }

  /** Reads the closed files, repairs damaged ones and returns those that hold records, oldest first. */
  async checkClosed(): Promise<readonly LogFile[]> {
    const found: LogFile[] = [];
    for (const [name, { checked }] of [...this.closed]) found.push(checked ?? (await this.check(name)));
    const isEmpty = ({ records }: LogFile) => records === 0;
    await this.remove(found.filter(isEmpty));
    return found.filter((file) => !isEmpty(file));
  }

  /** Removes closed files. Ignores those that are gone already. */
  async remove(files: readonly LogFile[]): Promise<void> {
    const names = files.map(({ name }) => name).filter((name) => this.closed.has(name));
    if (names.length === 0) return;
    this.options.hold?.assertHeld();
    for (const name of names) this.closed.delete(name);
    await this.saveManifest();
    for (const name of names) await rm(this.pathOf(name), { force: true });
    await syncFolder(this.folder);
  }

  async close(): Promise<void> {
    await this.newest?.close();
  }

  private async load(): Promise<void> {
    const { flushed, isBegun } = this.options;
    await makeFolder(this.folder);
    const manifest = await readManifest(this.folder);
    const files = await readdir(this.folder);
    for (const unfinished of files.filter((name) => name.endsWith('.tmp'))) await rm(join(this.folder, unfinished));
    const names = files.filter((name) => /^\d+\.ndjson$/.test(name)).map((name) => basename(name, SUFFIX));
    names.sort((left, right) => Number(left) - Number(right));
    this.nextNumber = Math.max(0, ...[...names, ...Object.keys(manifest), flushed].map(Number)) + 1;
    this.losses.push(...findLostFiles(files, manifest, flushed));
    const last = names.at(-1);
    if (isBegun && Number(last ?? 0) <= Number(flushed)) this.losses.push('its newest file is missing');
    for (const name of names.slice(0, -1)) {
      const bytes = await this.sizeOf(name);
      const records = manifest[name]?.records ?? 0;
      this.closed.set(name, { path: this.pathOf(name), bytes, records });
      if (bytes < (manifest[name]?.bytes ?? 0)) await this.check(name);
    }
    if (last === undefined) return;
    const size = await this.repair(last, true, manifest[last]);
    if (this.options.hold === undefined)
      this.newest = await LogFileWriter.open(this.pathOf(last), size, this.options.openFile);
    else await this.leaveBehind(last, size);
  }

  /**
   * Closes the newest file of a process that has lost the folder, but may still write to its open file or flush the
   * file: replaces the file by a copy, and continues in a new file.
   */
  private async leaveBehind(name: string, { bytes, records }: LogFileSize): Promise<void> {
    const path = this.pathOf(name);
    if (bytes > 0) await replaceFile(path, readRanges(path, [{ start: 0, end: bytes }]), this.options.hold);
    this.closed.set(name, { path, bytes, records });
    await this.roll();
    if (bytes === 0) await this.remove([{ path, name, records }]);
  }

  /**
   * Creates the next file. Closes the one before only when the new one is on disk, so that a newest name remains.
   */
  private async roll(): Promise<LogFileWriter> {
    const { newest } = this;
    await newest?.repair();
    this.newest = await this.createNext();
    if (newest) {
      const { path, bytes, records } = newest;
      this.closed.set(basename(path, SUFFIX), { path, bytes, records });
      await newest.close();
    }
    return this.newest;
  }

  private async createNext(): Promise<LogFileWriter> {
    for (;;) {
      const name = String(this.nextNumber++).padStart(8, '0');
      try {
        return await LogFileWriter.create(this.pathOf(name), this.options.openFile);
      } catch (error) {
        // A process that has lost the folder may have taken the number.
        if (this.options.hold === undefined || (error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  }

  private async check(name: string): Promise<LogFile> {
    const { path, ...before } = this.closed.get(name) as ClosedFile;
    const { bytes, records } = await this.repair(name, false, before);
    const checked = { path, name, records };
    this.closed.set(name, { path, bytes, records, checked });
    return checked;
  }

  /** Repairs a file and returns its size. Records a loss if it held more before. */
  private async repair(name: string, isLast: boolean, before: LogFileSize | undefined): Promise<LogFileSize> {
    // Never cut off bytes that were acknowledged.
    const mayBeCut = isLast && (before === undefined || (await this.sizeOf(name)) >= before.bytes);
    let movedBytes = 0;
    const size = await repairLogFile(this.pathOf(name), mayBeCut, (damage) => {
      if (damage.movedTo !== undefined) movedBytes += damage.bytes;
      this.options.report(damage);
    });
    if (before !== undefined && size.records < before.records)
      this.losses.push(`${name}${SUFFIX} has ${size.records} of ${before.records} records`);
    else if (movedBytes > 0) this.losses.push(`${name}${SUFFIX} has ${movedBytes} damaged bytes`);
    return size;
  }

  /** Writes the manifest, unless something is lost: then the old manifest is the evidence. */
  private async saveManifest(): Promise<void> {
    if (this.losses.length > 0) return;
    const manifest: Record<string, LogFileSize> = {};
    for (const [name, { bytes, records }] of this.closed) manifest[name] = { bytes, records };
    if (this.newest)
      manifest[basename(this.newest.path, SUFFIX)] = { bytes: this.newest.bytes, records: this.newest.records };
    await writeManifest(this.folder, manifest);
  }

  private pathOf(name: string): string {
    return join(this.folder, `${name}${SUFFIX}`);
  }

  private async sizeOf(name: string): Promise<number> {
    return (await stat(this.pathOf(name))).size;
  }
}

/** Opens a file that only this user can read and write. */
const openPrivately: OpenForWriting = (path, flags) => open(path, flags, 0o600);
