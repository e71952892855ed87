import { HeldRecord } from '../../data/held-record.ts';
import { describeTooLong } from '../../data/problems.ts';
import { RecycledMemory } from './recycled-memory.ts';

/** Consecutive lines of a file, which any thread can parse. */
export interface LineBlock {
  /** Whole lines with their line feeds, in memory that no other block shares. */
  readonly bytes: Buffer;
  /** The problem of a line whose bytes were dropped. The block has no other lines. */
  readonly problem?: string;
  /** Takes the memory back when the block has been read. */
  readonly memory?: RecycledMemory;
}

interface SplitOptions {
  /** The maximum number of bytes of a line. */
  readonly limit?: number;
  /** Lends the memory of blocks, and takes that of chunks back. */
  readonly memory?: RecycledMemory;
}

const LINE_FEED = 0x0a;
const LAST_LINE_END = Buffer.from('\n');

/** Splits chunks at line ends. Yields a block for each chunk with a line end, so that complete lines never wait. */
export async function* splitLineBlocks(
  chunks: AsyncIterable<Buffer>,
  { limit, memory = new RecycledMemory() }: SplitOptions = {},
): AsyncGenerator<LineBlock> {
  const held = new HeldRecord(limit);
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end === 0) {
      held.add(chunk);
      continue;
    }
    yield* completeLines(held, chunk.subarray(0, end), memory);
    held.add(Buffer.from(chunk.subarray(end)));
    memory.give(chunk);
  }
  if (!held.isEmpty) yield* completeLines(held, LAST_LINE_END, memory);
}

/** Completes the held line with the first of the bytes, and yields it with the lines after it. */
function* completeLines(held: HeldRecord, bytes: Buffer, memory: RecycledMemory): Generator<LineBlock> {
  const first = bytes.indexOf(LINE_FEED);
  held.add(bytes.subarray(0, first));
  const parts = held.take();
  if (parts !== undefined) {
    yield { bytes: concat([...parts, bytes.subarray(first)], memory), memory };
    return;
  }
  yield { bytes: Buffer.alloc(0), problem: describeTooLong(held.limit) };
  if (first + 1 < bytes.length) yield { bytes: concat([bytes.subarray(first + 1)], memory), memory };
}

function concat(parts: readonly Uint8Array[], memory: RecycledMemory): Buffer {
  const bytes = memory.take(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
