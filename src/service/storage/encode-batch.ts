import { crc32 } from 'node:zlib';

/** The start of a batch line, with the line break before it. No line of a record starts like this. */
export const BATCH_LINE_START = Buffer.from('\n{"batch":{');

/** The maximum length of a batch line. */
export const MAX_BATCH_LINE_BYTES = 128;

const BATCH_LINE = /^(\{"batch":\{"records":(\d{1,15}),"bytes":(\d{1,15}),"crc32":)(\d{1,10})\}\}\n/;

/** The line that closes a batch: its size and checksum. */
export interface BatchLine {
  readonly records: number;
  /** The size of its records, with their line breaks. */
  readonly bytes: number;
  /** The checksum of the records and of the first `summed` bytes of this line. */
  readonly crc32: number;
  readonly summed: number;
  readonly length: number;
}

/** Returns a batch as stored in the log: its lines, then the batch line with their checksum. */
export function encodeBatch(lines: readonly string[]): Buffer {
  const records = `${lines.join('\n')}\n`;
  const size = Buffer.byteLength(records);
  const batch = Buffer.allocUnsafe(size + MAX_BATCH_LINE_BYTES);
  batch.write(records);
  const summed = size + batch.write(`{"batch":{"records":${lines.length},"bytes":${size},"crc32":`, size);
  return batch.subarray(0, summed + batch.write(`${crc32(batch.subarray(0, summed))}}}\n`, summed));
}

/** Parses the batch line at an offset; returns undefined if there is none. */
export function readBatchLine(bytes: Buffer, offset: number): BatchLine | undefined {
  const found = BATCH_LINE.exec(bytes.toString('latin1', offset, offset + MAX_BATCH_LINE_BYTES));
  if (found === null) return undefined;
  const [line, { length: summed } = '', records, size, crc] = found;
  return { records: Number(records), bytes: Number(size), crc32: Number(crc), summed, length: line.length };
}
