import { HeldRecord } from '../../data/held-record.ts';
import { describeTooLong } from '../../data/problems.ts';

/** Neighbouring lines of a file, to be read wherever there is time. */
export interface LineBlock {
  /** Whole lines, each with its line feed. No other block has bytes in the same memory. */
  readonly bytes: Buffer;
  /** What is wrong with a line whose bytes were not kept; it is alone in its block. */
  readonly problem?: string;
}

const LINE_FEED = 0x0a;
const LAST_LINE_END = Buffer.from('\n');

/** Cuts chunks at the ends of lines: a block comes with every chunk that ends a line, so that nothing waits for more. */
export async function* splitLineBlocks(chunks: AsyncIterable<Buffer>, limit?: number): AsyncGenerator<LineBlock> {
  const begun = new HeldRecord(limit);
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) yield* ended(begun, chunk.subarray(0, end));
    begun.add(chunk.subarray(end));
  }
  if (!begun.isEmpty) yield* ended(begun, LAST_LINE_END);
}

/** The line that was begun, which the bytes end, and the whole lines behind it. */
function* ended(begun: HeldRecord, bytes: Buffer): Generator<LineBlock> {
  const first = bytes.indexOf(LINE_FEED);
  begun.add(bytes.subarray(0, first));
  const parts = begun.take();
  if (parts !== undefined) {
    yield { bytes: joined([...parts, bytes.subarray(first)]) };
    return;
  }
  yield { bytes: Buffer.alloc(0), problem: describeTooLong(begun.limit) };
  if (first + 1 < bytes.length) yield { bytes: joined([bytes.subarray(first + 1)]) };
}

/** As `Buffer.concat`, but never in the memory that small buffers share. */
function joined(parts: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
