import { createReadStream, fstatSync } from 'node:fs';
import type { Io } from '../io.ts';
import { InputError } from './input-error.ts';

/** Of the default, 64 KiB, reading takes twice the time, and handing work to other threads would cost much of what it saves. */
const CHUNK_BYTES = 2 ** 19;

/** Hears how many bytes a chunk has. */
type OnBytes = (count: number) => void;

/** The bytes of a file. */
export async function* readFileChunks(file: string, onBytes?: OnBytes): AsyncGenerator<Buffer> {
  yield* heard(createReadStream(file, { highWaterMark: CHUNK_BYTES }), onBytes);
}

/** The bytes of standard input. */
export async function* readInputChunks(io: Pick<Io, 'in'>, onBytes?: OnBytes): AsyncGenerator<Buffer> {
  const { fd } = io.in;
  // Node reads a directory as an empty input.
  if (fd !== undefined && fstatSync(fd).isDirectory()) throw new InputError('standard input is a directory');
  yield* heard(io.in, onBytes);
}

async function* heard(stream: NodeJS.ReadableStream, onBytes: OnBytes | undefined): AsyncGenerator<Buffer> {
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    onBytes?.(chunk.length);
    yield chunk;
  }
}
