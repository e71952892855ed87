import { close, fstatSync, open, read } from 'node:fs';
import type { Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { Io } from '../io.ts';
import { InputError } from './input-error.ts';
import { RecycledMemory } from './recycled-memory.ts';

/** With the default of 64 KiB, reading takes twice as long and sending work to threads costs much of what it saves. */
const CHUNK_BYTES = 2 ** 19;

/** Receives the number of bytes of each chunk. */
type OnBytes = (count: number) => void;

/** Reads a file in chunks, ahead of the consumer by one. Chunks may be given back to the memory. */
export async function* readFileChunks(
  file: string,
  onBytes?: OnBytes,
  memory = new RecycledMemory(),
): AsyncGenerator<Buffer> {
  const descriptor = await promisify(open)(file, 'r');
  const readNext = async () => {
    const bytes = memory.take(CHUNK_BYTES);
    const { bytesRead } = await promisify(read)(descriptor, bytes, 0, CHUNK_BYTES, null);
    return bytes.subarray(0, bytesRead);
  };
  let next = readNext();
  try {
    for (let chunk = await next; chunk.length > 0; chunk = await next) {
      next = readNext();
      // A failure is thrown when the chunk is read. Until then it must not count as unhandled.
      next.catch(() => undefined);
      onBytes?.(chunk.length);
      yield chunk;
    }
  } finally {
    // Nobody waits for it: a pipe may never send more.
    void next.catch(() => undefined).then(() => close(descriptor));
  }
}

/**
 * Returns the chunks of standard input.
 *
 * @throws {InputError} if it is a directory
 */
export function openStandardInput(io: Pick<Io, 'in'>): AsyncIterable<Buffer> {
  const { fd } = io.in;
  // Node reads a directory as an empty input.
  if (fd !== undefined && fstatSync(fd).isDirectory()) throw new InputError('standard input is a directory');
  return io.in as AsyncIterable<Buffer>;
}

/** Reads a stream in chunks. */
export async function* readStreamChunks(stream: AsyncIterable<Buffer>, onBytes?: OnBytes): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    onBytes?.(chunk.length);
    yield chunk;
  }
}

/**
 * Writes chunks into a stream that appends its results to `output`, and yields these per chunk. If the stream or the
 * chunks fail, yields the results so far before it throws; `pipeline` would drop them.
 */
export async function* pipeThrough<T>(
  chunks: AsyncIterable<Buffer>,
  stream: Transform,
  output: T[],
): AsyncGenerator<T[]> {
  stream.resume();
  try {
    for await (const chunk of chunks) {
      await write(stream, chunk);
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

function write(stream: Transform, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once('error', reject);
    stream.write(chunk, (error) => {
      // Some streams do not call back when they fail, but all of them emit the error.
      if (error) return;
      stream.off('error', reject);
      resolve();
    });
  });
}

/** Reads until the head is `enough`, or to the end. Returns the head and all chunks, including the head. */
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

/** Removes the byte order mark that some programs write before UTF-8 text. */
export async function* skipBom(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const size = BYTE_ORDER_MARK.length;
  const { head, all } = await peek(chunks, (head) => head.length >= size);
  let skip = head.subarray(0, size).equals(BYTE_ORDER_MARK) ? size : 0;
  for await (const chunk of all) {
    yield chunk.subarray(skip);
    skip = 0;
  }
}
