import { SerialQueue } from '../locks/serial-queue.ts';
import { encodeBatch } from './encode-batch.ts';
import { FolderFormatError } from './folder-format.ts';
import { LeaseLostError } from './folder-hold.ts';
import { type LogFile, LogFiles, type LogFilesOptions } from './log-files.ts';
import { LogWriteError } from './log-write-error.ts';

/** The maximum size of the batches that are written and synced at once, unless a single batch is larger. */
const GROUP_BYTES = 2 ** 23;

interface PendingBatch {
  readonly bytes: Buffer;
  readonly records: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * An append-only log of records in a folder. An acknowledged batch is on disk once, whole and in order, however the
 * process ends.
 */
export class RecordLog {
  /** Serializes writes to the newest file and the creation of the next. */
  private readonly writing = new SerialQueue();
  /** Serializes work on closed files, which goes on while the newest is written. */
  private readonly maintenance = new SerialQueue();
  private readonly queue: PendingBatch[] = [];
  /** The number of batches that are neither written nor rejected yet. */
  private pending = 0;
  private isOpen = true;

  private constructor(
    private readonly folder: string,
    private readonly files: LogFiles,
  ) {}

  /**
   * Opens the log in a folder, which is created if it is missing. Cuts off a batch that was being written when the
   * process stopped.
   *
   * @throws {LogWriteError} if the log cannot be read or repaired.
   * @throws {FolderFormatError} if a newer release wrote the log.
   */
  static async open(folder: string, options: LogFilesOptions): Promise<RecordLog> {
    const files = await wrapErrors(folder, () => LogFiles.open(folder, options));
    return new RecordLog(folder, files);
  }

  /** Sentences about the acknowledged records that are lost. If there are any, the log must not be written again. */
  get lost(): readonly string[] {
    return this.files.lost;
  }

  /** Whether it holds no records and no batch is being added. */
  get isEmpty(): boolean {
    return this.pending === 0 && this.files.isEmpty;
  }

  /**
   * Appends a batch of lines durably. Lines must not contain line breaks. Batches that are added while others are
   * written are written together.
   *
   * @throws {LogWriteError} if that fails, for example because the disk is full. Then none of the lines is kept, and
   * the call can be repeated.
   * @throws {LeaseLostError} if another machine may have the folder. Then the lines may be kept.
   */
  async append(lines: readonly string[]): Promise<void> {
    this.assertOpen();
    if (lines.length === 0) return;
    const bytes = encodeBatch(lines);
    this.pending++;
    try {
      await new Promise<void>((resolve, reject) => {
        this.queue.push({ bytes, records: lines.length, resolve, reject });
        if (this.queue.length === 1) this.writing.take(() => this.writeGroup());
      });
    } finally {
      this.pending--;
    }
  }

  /** Creates a file if there is none, so that the caller can record durably that one must exist. */
  async begin(): Promise<void> {
    this.assertOpen();
    await this.writing.take(() => wrapErrors(this.folder, () => this.files.openNewest()));
  }

  /**
   * Closes the newest file and returns all closed files that hold records, oldest first. Reads their bytes, so
   * that damage on disk is reported and moved aside.
   *
   * @throws {LogWriteError}
   */
  async seal(): Promise<readonly LogFile[]> {
    this.assertOpen();
    return this.maintain(async () => {
      await this.writing.take(() => this.files.sealNewest());
      return this.files.checkClosed();
    });
  }

  /**
   * Removes sealed files. Ignores those that are gone already.
   *
   * @throws {LogWriteError}
   */
  async remove(files: readonly LogFile[]): Promise<void> {
    this.assertOpen();
    return this.maintain(() => this.files.remove(files));
  }

  /** Finishes the calls so far. Later calls throw. */
  async close(): Promise<void> {
    this.isOpen = false;
    await this.maintenance.take(async () => {
      // The queue may hold several groups.
      while (this.queue.length > 0) await this.writing.take(async () => undefined);
      await this.writing.take(() => this.files.close());
    });
  }

  /** Writes waiting batches: the whole group or none. Only one call waits at a time, so that calls do not pile up. */
  private async writeGroup(): Promise<void> {
    const group = this.takeGroup();
    if (this.queue.length > 0) this.writing.take(() => this.writeGroup());
    try {
      await this.files.append(
        group.map(({ bytes }) => bytes),
        group.reduce((sum, { records }) => sum + records, 0),
      );
      for (const { resolve } of group) resolve();
    } catch (error) {
      const reason = toLogError(this.folder, error);
      for (const { reject } of group) reject(reason);
    }
  }

  private takeGroup(): PendingBatch[] {
    let size = 0;
    const firstLeft = this.queue.findIndex(({ bytes }, index) => {
      size += bytes.length;
      return index > 0 && size > GROUP_BYTES;
    });
    return this.queue.splice(0, firstLeft === -1 ? this.queue.length : firstLeft);
  }

  private maintain<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.maintenance.take(() => wrapErrors(this.folder, work));
  }

  private assertOpen(): void {
    if (!this.isOpen) throw new Error(`The log in ${this.folder} is closed.`);
  }
}

async function wrapErrors<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toLogError(folder, error);
  }
}

function toLogError(folder: string, error: unknown): Error {
  const isKnown = error instanceof LeaseLostError || error instanceof FolderFormatError;
  return isKnown ? error : new LogWriteError(folder, error);
}
