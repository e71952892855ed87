import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { BATCH_LINE_START, type BatchLine, MAX_BATCH_LINE_BYTES, readBatchLine } from './encode-batch.ts';

const CHUNK_BYTES = 2 ** 20;

/** Bytes of a file, `end` not among them. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What the bytes of a segment are. */
export interface SegmentScan {
  /** How many records the whole batches hold. */
  readonly records: number;
  readonly whole: readonly ByteRange[];
  readonly damaged: readonly ByteRange[];
  /** What stands behind the last whole batch, unless a batch line is in it: then something was whole once. */
  readonly torn: ByteRange | undefined;
}

/** Tells which batches of a segment are whole, in memory that does not grow with it. */
export async function scanSegment(path: string): Promise<SegmentScan> {
  const file = await open(path, 'r');
  try {
    return await new SegmentScanner(file, (await file.stat()).size).scan();
  } finally {
    await file.close();
  }
}

class SegmentScanner {
  private readonly chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  /** Where in the file the chunk begins. */
  private at = 0;
  /** Up to where the file is known, and `crc` the sum from the last whole batch on. */
  private summed = 0;
  private crc = 0;
  /** Where the last whole batch ends, and whether a batch line that is none of its own stands behind it. */
  private end = 0;
  private marked = false;
  private records = 0;
  private readonly whole: ByteRange[] = [];
  private readonly damaged: ByteRange[] = [];

  constructor(
    private readonly file: FileHandle,
    private readonly size: number,
  ) {}

  async scan(): Promise<SegmentScan> {
    while (this.at < this.size) {
      const { bytesRead } = await this.file.read(this.chunk, 0, CHUNK_BYTES, this.at);
      if (bytesRead === 0) break;
      const next = await this.scanChunk(this.chunk.subarray(0, bytesRead));
      this.sum(next);
      this.at = next;
    }
    const tail = { start: this.end, end: this.size };
    const isTail = tail.start < tail.end;
    if (isTail && this.marked) this.damaged.push(tail);
    const torn = isTail && !this.marked ? tail : undefined;
    return { records: this.records, whole: this.whole, damaged: this.damaged, torn };
  }

  /** Where the next chunk begins, so that a batch line that is cut by the end of this one is whole in it. */
  private async scanChunk(chunk: Buffer): Promise<number> {
    const chunkEnd = this.at + chunk.length;
    const isLast = chunkEnd >= this.size;
    for (
      let found = chunk.indexOf(BATCH_LINE_START);
      found !== -1;
      found = chunk.indexOf(BATCH_LINE_START, found + 1)
    ) {
      if (!isLast && found + 1 + MAX_BATCH_LINE_BYTES > chunk.length) return this.at + found;
      const line = readBatchLine(chunk, found + 1);
      if (line !== undefined) await this.close(line, this.at + found + 1);
    }
    return isLast ? chunkEnd : chunkEnd - BATCH_LINE_START.length + 1;
  }

  /** Takes a batch line that begins there. */
  private async close(line: BatchLine, at: number): Promise<void> {
    const start = at - line.bytes;
    const isWhole = start >= this.end && (await this.crcFrom(start, at + line.summed)) === line.crc32;
    if (!isWhole) {
      this.marked = true;
      return;
    }
    if (start > this.end) this.damaged.push({ start: this.end, end: start });
    const before = start === this.end ? this.whole.pop() : undefined;
    this.end = at + line.length;
    this.whole.push({ start: before?.start ?? start, end: this.end });
    this.records += line.records;
    this.marked = false;
    this.summed = this.end;
    this.crc = 0;
  }

  /** Nothing is read twice unless damaged bytes stand before the batch. */
  private async crcFrom(start: number, end: number): Promise<number> {
    if (start === this.end) return this.sum(end);
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

  private sum(end: number): number {
    if (end > this.summed) {
      this.crc = crc32(this.chunk.subarray(this.summed - this.at, end - this.at), this.crc);
      this.summed = end;
    }
    return this.crc;
  }
}
