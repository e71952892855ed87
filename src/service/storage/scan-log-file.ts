import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { BATCH_LINE_START, type BatchLine, MAX_BATCH_LINE_BYTES, readBatchLine } from './encode-batch.ts';

const CHUNK_BYTES = 2 ** 20;

/** A range of bytes in a file; `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Which bytes of a log file are whole batches. */
export interface LogFileScan {
  /** The number of records in whole batches. */
  readonly records: number;
  readonly whole: readonly ByteRange[];
  readonly damaged: readonly ByteRange[];
  /**
   * The bytes after the last whole batch. With a batch line in them they count as damaged: that batch was whole once.
   */
  readonly torn: ByteRange | undefined;
}

/** Finds the whole batches of a log file, in constant memory. */
export async function scanLogFile(path: string): Promise<LogFileScan> {
  const file = await open(path, 'r');
  try {
    return await new LogFileScanner(file, (await file.stat()).size).scan();
  } finally {
    await file.close();
  }
}

class LogFileScanner {
  private readonly chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  /** The offset of the chunk in the file. */
  private chunkStart = 0;
  /** The checksum of the bytes from the end of the last whole batch to `summed`. */
  private crc = 0;
  private summed = 0;
  /** The end of the last whole batch. */
  private end = 0;
  /** Whether a batch line that does not fit its batch follows the last whole batch. */
  private hasBadLine = false;
  private records = 0;
  private readonly whole: ByteRange[] = [];
  private readonly damaged: ByteRange[] = [];

  constructor(
    private readonly file: FileHandle,
    private readonly size: number,
  ) {}

  async scan(): Promise<LogFileScan> {
    while (this.chunkStart < this.size) {
      const { bytesRead } = await this.file.read(this.chunk, 0, CHUNK_BYTES, this.chunkStart);
      if (bytesRead === 0) break;
      const next = await this.scanChunk(this.chunk.subarray(0, bytesRead));
      this.sumUpTo(next);
      this.chunkStart = next;
    }
    const tail = { start: this.end, end: this.size };
    const isTail = tail.start < tail.end;
    if (isTail && this.hasBadLine) this.damaged.push(tail);
    const torn = isTail && !this.hasBadLine ? tail : undefined;
    return { records: this.records, whole: this.whole, damaged: this.damaged, torn };
  }

  /**
   * Scans a chunk and returns the offset of the next. A batch line cut by the end of this chunk is whole in the next.
   */
  private async scanChunk(chunk: Buffer): Promise<number> {
    const chunkEnd = this.chunkStart + chunk.length;
    const isLast = chunkEnd >= this.size;
    for (
      let found = chunk.indexOf(BATCH_LINE_START);
      found !== -1;
      found = chunk.indexOf(BATCH_LINE_START, found + 1)
    ) {
      if (!isLast && found + 1 + MAX_BATCH_LINE_BYTES > chunk.length) return this.chunkStart + found;
      const line = readBatchLine(chunk, found + 1);
      if (line !== undefined) await this.closeBatch(line, this.chunkStart + found + 1);
    }
    return isLast ? chunkEnd : chunkEnd - BATCH_LINE_START.length + 1;
  }

  /** Ends a batch with the batch line at an offset of the file. */
  private async closeBatch(line: BatchLine, at: number): Promise<void> {
    const start = at - line.bytes;
    const isWhole = start >= this.end && (await this.computeCrc(start, at + line.summed)) === line.crc32;
    if (!isWhole) {
      this.hasBadLine = true;
      return;
    }
    if (start > this.end) this.damaged.push({ start: this.end, end: start });
    const before = start === this.end ? this.whole.pop() : undefined;
    this.end = at + line.length;
    this.whole.push({ start: before?.start ?? start, end: this.end });
    this.records += line.records;
    this.hasBadLine = false;
    this.summed = this.end;
    this.crc = 0;
  }

  /** Returns the checksum of a range. Reads bytes again only if damaged bytes precede the range. */
  private async computeCrc(start: number, end: number): Promise<number> {
    if (start === this.end) return this.sumUpTo(end);
    let crc = 0;
    const bytes = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let at = start; at < end; ) {
      const { bytesRead } = await this.file.read(bytes, 0, Math.min(CHUNK_BYTES, end - at), at);
      if (bytesRead === 0) break;
      crc = crc32(bytes.subarray(0, bytesRead), crc);
      at += bytesRead;
    }
    return crc;
  }

  /** Extends the checksum up to an offset within the chunk and returns it. */
  private sumUpTo(end: number): number {
    if (end > this.summed) {
      this.crc = crc32(this.chunk.subarray(this.summed - this.chunkStart, end - this.chunkStart), this.crc);
      this.summed = end;
    }
    return this.crc;
  }
}
