import { createReadStream } from 'node:fs';
import type { LogFile } from '../../storage/log-files.ts';
import type { RecordKind } from '../store.ts';
import { StoreError } from '../store-error.ts';

const BLOCK_BYTES = 8 << 20;
const READ_BYTES = 1 << 20;

const BATCH_START = Buffer.from('{"batch":');
const NEWLINE = 10;
const NEXT = Buffer.of(NEWLINE);
const END = Buffer.from('}');

/** Adds a position to a line: as the first key of an event, or in an object around the update of a person. */
const WRAPPERS = {
  events: (line: Buffer, number: number) => [Buffer.from(`{"position":${number},`), line.subarray(1), NEXT],
  people: (line: Buffer, number: number) => [Buffer.from(`{"position":${number},"line":`), line, END, NEXT],
};

/**
 * Reads the records of log files in order, numbered from 1, without batch lines. Yields blocks of lines for one insert
 * each.
 *
 * @throws {StoreError} if a file cannot be read or ends within a line.
 */
export async function* readNumberedLines(kind: RecordKind, files: readonly LogFile[]): AsyncGenerator<Buffer> {
  const wrap = WRAPPERS[kind];
  let [number, bytes, block]: [number, number, Buffer[]] = [0, 0, []];
  for (const file of files) {
    for await (const lines of readLines(file)) {
      for (const line of lines) {
        if (line.subarray(0, BATCH_START.length).equals(BATCH_START)) continue;
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

/** Reads the lines of a log file in chunks. */
async function* readLines({ path, name }: LogFile): AsyncGenerator<Buffer[]> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES })) {
      const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const lines: Buffer[] = [];
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
        lines.push(bytes.subarray(start, end));
        start = end + 1;
      }
      rest = bytes.subarray(start);
      yield lines;
    }
  } catch (error) {
    throw new StoreError(`The file ${name} of a log cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (rest.length > 0) throw new StoreError(`The file ${name} of a log ends within a line: ${path}.`);
}
