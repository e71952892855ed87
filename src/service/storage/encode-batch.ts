import { crc32 } from 'node:zlib';

/** What a batch line begins with, behind the line before it. No record's line does. */
export const BATCH_LINE_START = Buffer.from('\n{"batch":{');

/** No batch line is longer. */
export const MAX_BATCH_LINE_BYTES = 128;

const BATCH_LINE = /^(\{"batch":\{"records":(\d{1,15}),"bytes":(\d{1,15}),"crc32":)(\d{1,10})\}\}\n/;

/** The line that closes a batch. */
export interface BatchLine {
  readonly records: number;
  /** How many bytes its records have, with their line breaks. */
  readonly bytes: number;
  /** Over all bytes of the batch that stand before it: those of the records, and `summed` of its own. */
  readonly crc32: number;
  readonly summed: number;
  readonly length: number;
}

/** A batch as a log holds it: its lines, and the line that tells whether they are whole. */
export function encodeBatch(lines: readonly string[]): Buffer {
  const records = `${lines.join('\n')}\n`;
  const size = Buffer.byteLength(records);
  const batch = Buffer.allocUnsafe(size + MAX_BATCH_LINE_BYTES);
  batch.write(records);
  const summed = size + batch.write(`{"batch":{"records":${lines.length},"bytes":${size},"crc32":`, size);
  return batch.subarray(0, summed + batch.write(`${crc32(batch.subarray(0, summed))}}}\n`, summed));
}

/** The batch line that begins there, if one does. */
export function readBatchLine(bytes: Buffer, at: number): BatchLine | undefined {
  const found = BATCH_LINE.exec(bytes.toString('latin1', at, at + MAX_BATCH_LINE_BYTES));
  if (found === null) return undefined;
  const [line, { length: summed } = '', records, size, crc] = found;
  return { records: Number(records), bytes: Number(size), crc32: Number(crc), summed, length: line.length };
}
