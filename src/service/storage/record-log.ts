import { open, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { SerialQueue } from '../../lang/util/serial-queue.ts';
import { encodeBatch } from './encode-batch.ts';
import { makeFolder, syncFolder } from './files.ts';
import { findLostFiles, readManifest, type SegmentMark, writeManifest } from './log-manifest.ts';
import type { LogSegment } from './log-segment.ts';
import { LogWriteError } from './log-write-error.ts';
import { type LogDamage, repairSegment, type SegmentContent } from './repair-segment.ts';
import { type OpenSegmentFile, SegmentWriter } from './segment-writer.ts';

const SEGMENT_BYTES = 2 ** 26;

/** How much is written and synced at once, unless a single batch has more. */
const GROUP_BYTES = 2 ** 23;

const SUFFIX = '.ndjson';

export interface RecordLogOptions {
  /** A segment that has as many is closed, and the next one begun. */
  readonly segmentBytes?: number;
  /** Takes what is found that is no whole batch. */
  readonly report: (damage: LogDamage) => void;
  /** How the segments are opened to be written. */
  readonly openFile?: OpenSegmentFile;
  /** The name of the last segment that is needed no more; none without it. */
  readonly flushed?: string;
  /** Whether a segment was begun before, so that there must be one. */
  readonly isBegun?: boolean;
}

interface PendingBatch {
  readonly bytes: Buffer;
  readonly records: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A segment to which nothing is written any more. */
interface ClosedSegment extends SegmentMark {
  readonly path: string;
  /** Known once its batches were found to be whole. */
  readonly checked?: LogSegment;
}

/**
 * A folder of segments that hold batches of records. A batch that was acknowledged is on disk, and is there once, whole
 * and in its place, however the process ends. A name of a segment is never used again: the newest segment stays, if
 * only empty.
 */
export class RecordLog {
  /** Turns for what writes to the newest segment or begins another. */
  private readonly writing = new SerialQueue();
  /** Turns for what is done to closed segments, while the newest is written. */
  private readonly keeping = new SerialQueue();
  private readonly queue: PendingBatch[] = [];
  /** How many batches were neither written nor rejected yet. */
  private pending = 0;
  /** By name, oldest first. */
  private readonly closed = new Map<string, ClosedSegment>();
  private readonly losses: string[] = [];
  private newest: SegmentWriter | undefined;
  private nextNumber = 1;
  private isOpen = true;

  private constructor(
    private readonly folder: string,
    private readonly options: Required<RecordLogOptions>,
  ) {}

  /**
   * Opens the log in a folder, which is made where it is missing. A batch that was being written when the process
   * stopped is cut off.
   *
   * @throws {LogWriteError} where the log cannot be brought into order.
   */
  static async open(
    folder: string,
    { segmentBytes = SEGMENT_BYTES, report, openFile = openPrivately, flushed = '', isBegun = false }: RecordLogOptions,
  ): Promise<RecordLog> {
    const log = new RecordLog(folder, { segmentBytes, report, openFile, flushed, isBegun });
    await log.guarded(() => log.find());
    return log;
  }

  /**
   * Says which acknowledged records are lost, in words. Where there are any, nobody should write to the log again.
   */
  get lost(): readonly string[] {
    return this.losses;
  }

  /** Whether it holds no records, and none are on their way. */
  get isEmpty(): boolean {
    if (this.pending > 0 || (this.newest && this.newest.bytes > 0)) return false;
    return [...this.closed.values()].every(({ bytes }) => bytes === 0);
  }

  /**
   * Adds a batch of lines, none of which has a line break. When it returns all of them are on disk. What is added while
   * other batches are being written is written together.
   *
   * @throws {LogWriteError} where it cannot, such as for want of disk space: then none of them is kept, and it can be
   * tried again.
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

  /** Makes sure that there is a segment to write to, so that it can be noted elsewhere that there must be one. */
  async begin(): Promise<void> {
    this.assertOpen();
    await this.writing.take(() => this.guarded(() => this.writable()));
  }

  /**
   * All records that were added before, in segments to which nothing is written any more, oldest first. Their bytes are
   * read, so that what was damaged on disk is reported and moved aside.
   *
   * @throws {LogWriteError}
   */
  async seal(): Promise<readonly LogSegment[]> {
    this.assertOpen();
    return this.keeping.take(() => this.guarded(() => this.closeAndCheck()));
  }

  /**
   * Forgets segments that were sealed. Those that are gone already are passed over.
   *
   * @throws {LogWriteError}
   */
  async remove(segments: readonly LogSegment[]): Promise<void> {
    this.assertOpen();
    return this.keeping.take(() => this.guarded(() => this.unlink(segments.map(({ name }) => name))));
  }

  /** Finishes what it was given, and takes nothing more. */
  async close(): Promise<void> {
    this.isOpen = false;
    await this.keeping.take(async () => {
      // What is waiting may take more than one turn.
      while (this.queue.length > 0) await this.writing.take(async () => undefined);
      await this.writing.take(async () => this.newest?.close());
    });
  }

  private async find(): Promise<void> {
    const { flushed, isBegun } = this.options;
    await makeFolder(this.folder);
    const files = await readdir(this.folder);
    for (const left of files.filter((name) => name.endsWith('.tmp'))) await rm(join(this.folder, left));
    const marks = await readManifest(this.folder);
    const names = files.filter((name) => /^\d+\.ndjson$/.test(name)).map((name) => basename(name, SUFFIX));
    names.sort((one, other) => Number(one) - Number(other));
    this.nextNumber = Math.max(0, ...[...names, ...Object.keys(marks), flushed].map(Number)) + 1;
    this.losses.push(...findLostFiles(files, marks, flushed));
    const last = names.at(-1);
    if (isBegun && Number(last ?? 0) <= Number(flushed)) this.losses.push('its newest file is missing');
    for (const name of names.slice(0, -1)) {
      const bytes = await this.sizeOf(name);
      const records = marks[name]?.records ?? 0;
      this.closed.set(name, { path: this.pathOf(name), bytes, records });
      if (bytes < (marks[name]?.bytes ?? 0)) await this.check(name);
    }
    if (last === undefined) return;
    const path = this.pathOf(last);
    const { bytes, records } = await this.mend(last, true, marks[last]);
    this.newest = await SegmentWriter.open(path, { bytes, records }, this.options.openFile);
  }

  /**
   * Writes batches that are waiting, all of the group or none. It has one turn as long as any are: more would pile up.
   */
  private async writeGroup(): Promise<void> {
    const group = this.takeGroup();
    if (this.queue.length > 0) this.writing.take(() => this.writeGroup());
    try {
      const segment = await this.writable();
      await segment.append(
        group.map(({ bytes }) => bytes),
        group.reduce((sum, { records }) => sum + records, 0),
      );
      await this.note();
      for (const { resolve } of group) resolve();
    } catch (error) {
      for (const { reject } of group) reject(new LogWriteError(this.folder, error));
    }
  }

  private takeGroup(): PendingBatch[] {
    let size = 0;
    const tooMuch = this.queue.findIndex(({ bytes }, at) => {
      size += bytes.length;
      return at > 0 && size > GROUP_BYTES;
    });
    return this.queue.splice(0, tooMuch === -1 ? this.queue.length : tooMuch);
  }

  private async writable(): Promise<SegmentWriter> {
    if (this.newest && this.newest.bytes < this.options.segmentBytes) return this.newest;
    return this.roll();
  }

  /**
   * Begins a segment. The one before it is closed only when the new one is on disk, so that there always is a newest
   * name.
   */
  private async roll(): Promise<SegmentWriter> {
    const { newest } = this;
    await newest?.mend();
    const name = String(this.nextNumber++).padStart(8, '0');
    this.newest = await SegmentWriter.create(this.pathOf(name), this.options.openFile);
    if (newest) {
      const { path, bytes, records } = newest;
      this.closed.set(basename(path, SUFFIX), { path, bytes, records });
      await newest.close();
    }
    return this.newest;
  }

  private async closeAndCheck(): Promise<LogSegment[]> {
    await this.writing.take(async () => {
      if (this.newest && this.newest.bytes > 0) await this.roll();
    });
    const found: LogSegment[] = [];
    for (const [name, { checked }] of [...this.closed]) found.push(checked ?? (await this.check(name)));
    const isEmpty = ({ records }: LogSegment) => records === 0;
    await this.unlink(found.filter(isEmpty).map(({ name }) => name));
    return found.filter((segment) => !isEmpty(segment));
  }

  private async check(name: string): Promise<LogSegment> {
    const { path, bytes, records } = this.closed.get(name) as ClosedSegment;
    const content = await this.mend(name, false, { bytes, records });
    const checked = { path, name, records: content.records };
    this.closed.set(name, { path, ...content, checked });
    return checked;
  }

  /** Mends a segment, and says what is lost where it held more. */
  private async mend(name: string, isLast: boolean, mark: SegmentMark | undefined): Promise<SegmentContent> {
    const path = this.pathOf(name);
    // Bytes that were acknowledged are never cut off.
    const mayBeCut = isLast && (mark === undefined || (await this.sizeOf(name)) >= mark.bytes);
    let moved = 0;
    const content = await repairSegment(path, mayBeCut, (damage) => {
      if (damage.movedTo !== undefined) moved += damage.bytes;
      this.options.report(damage);
    });
    if (mark !== undefined && content.records < mark.records)
      this.losses.push(`${name}${SUFFIX} has ${content.records} of ${mark.records} records`);
    else if (moved > 0) this.losses.push(`${name}${SUFFIX} has ${moved} damaged bytes`);
    return content;
  }

  /** Notes what there is, unless the note before tells what is lost. */
  private async note(): Promise<void> {
    if (this.losses.length > 0) return;
    const marks: Record<string, SegmentMark> = {};
    for (const [name, { bytes, records }] of this.closed) marks[name] = { bytes, records };
    if (this.newest)
      marks[basename(this.newest.path, SUFFIX)] = { bytes: this.newest.bytes, records: this.newest.records };
    await writeManifest(this.folder, marks);
  }

  private async unlink(names: readonly string[]): Promise<void> {
    const known = names.filter((name) => this.closed.has(name));
    if (known.length === 0) return;
    const paths = known.map((name) => this.pathOf(name));
    for (const name of known) this.closed.delete(name);
    await this.note();
    for (const path of paths) await rm(path, { force: true });
    await syncFolder(this.folder);
  }

  private pathOf(name: string): string {
    return join(this.folder, `${name}${SUFFIX}`);
  }

  private async sizeOf(name: string): Promise<number> {
    return (await stat(this.pathOf(name))).size;
  }

  private async guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw new LogWriteError(this.folder, error);
    }
  }

  private assertOpen(): void {
    if (!this.isOpen) throw new Error(`The log in ${this.folder} is closed.`);
  }
}

/** A new file is for this user only. */
const openPrivately: OpenSegmentFile = (path, flags) => open(path, flags, 0o600);
