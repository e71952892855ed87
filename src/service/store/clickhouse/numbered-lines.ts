import { createReadStream } from 'node:fs';
import type { LogSegment } from '../../storage/segment-folder.ts';
import type { RecordKind } from '../store.ts';
import { StoreError } from '../store-error.ts';

const BLOCK_BYTES = 8 << 20;
const READ_BYTES = 1 << 20;

const BATCH = Buffer.from('{"batch":');
const NEWLINE = 10;
const NEXT = Buffer.of(NEWLINE);
const END = Buffer.from('}');

/** What a line becomes: an event gets a number among its names, an update of a person is the value of one. */
const WRAPPED = {
  events: (line: Buffer, number: number) => [Buffer.from(`{"position":${number},`), line.subarray(1), NEXT],
  people: (line: Buffer, number: number) => [Buffer.from(`{"position":${number},"line":`), line, END, NEXT],
};

/**
 * The records of segments in their order, numbered from 1, in blocks of lines for an insert each. Lines that vouch for batches are
 * passed over.
 *
 * @throws {StoreError} where a segment cannot be read or ends within a line.
 */
export async function* readNumberedLines(kind: RecordKind, segments: readonly LogSegment[]): AsyncGenerator<Buffer> {
  const wrap = WRAPPED[kind];
  let [number, bytes, block]: [number, number, Buffer[]] = [0, 0, []];
  for (const segment of segments) {
    for await (const lines of linesOf(segment)) {
      for (const line of lines) {
        if (line.subarray(0, BATCH.length).equals(BATCH)) continue;
        const parts = wrap(line, ++number);
        block.push(...parts);
        for (const part of parts) bytes += part.length;
      }
      if (bytes < BLOCK_BYTES) continue;
      yield Buffer.concat(block);
      [bytes, block] = [0, []];
    }
  }
  if (bytes > 0) yield Buffer.concat(block);
}

/** The lines of a segment, as many at once as are read. */
async function* linesOf({ path, name }: LogSegment): AsyncGenerator<Buffer[]> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES })) {
      const text: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const lines: Buffer[] = [];
      let start = 0;
      for (let end = text.indexOf(NEWLINE); end !== -1; end = text.indexOf(NEWLINE, start)) {
        lines.push(text.subarray(start, end));
        start = end + 1;
      }
      rest = text.subarray(start);
      yield lines;
    }
  } catch (error) {
    throw new StoreError(`The segment ${name} of a log cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (rest.length > 0) throw new StoreError(`The segment ${name} of a log ends within a line: ${path}.`);
}
