import { createReadStream, fstatSync } from 'node:fs';
import type { Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
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

/**
 * Writes the chunks into a stream that adds what it makes of them to `output`, and takes that from there chunk by chunk.
 * Where the stream or the chunks fail, what was made until then comes before the error: a pipeline would drop it.
 */
export async function* pipeThrough<T>(
  chunks: AsyncIterable<Buffer>,
  stream: Transform,
  output: T[],
): AsyncGenerator<T[]> {
  stream.resume();
  try {
    for await (const chunk of chunks) {
      await written(stream, chunk);
      yield output.splice(0);
    }
    stream.end();
    await finished(stream);
    yield output.splice(0);
  } catch (error) {
    yield output.splice(0);
    throw error;
  } finally {
    stream.destroy();
  }
}

function written(stream: Transform, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once('error', reject);
    stream.write(chunk, (error) => {
      // Not every stream that fails calls back, but each one emits the error.
      if (error) return;
      stream.off('error', reject);
      resolve();
    });
  });
}

/** As much of the beginning as it takes to be `enough`, or all there is; then all chunks, these first ones among them. */
export async function peek(
  chunks: AsyncIterable<Buffer>,
  enough: (head: Buffer) => boolean,
): Promise<{ head: Buffer; all: AsyncGenerator<Buffer> }> {
  const rest = chunks[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (!enough(head)) {
    const next = await rest.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return { head, all: restart(head, rest) };
}

async function* restart(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield head;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    await rest.return?.();
  }
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** The chunks without the mark that some programs put in front of UTF-8 text. */
export async function* skipBom(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const size = BYTE_ORDER_MARK.length;
  const { head, all } = await peek(chunks, (head) => head.length >= size);
  let skip = head.subarray(0, size).equals(BYTE_ORDER_MARK) ? size : 0;
  for await (const chunk of all) {
    yield chunk.subarray(skip);
    skip = 0;
  }
}
