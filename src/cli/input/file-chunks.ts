import { createReadStream } from 'node:fs';

/** Of the default, 64 KiB, reading takes twice the time. */
const CHUNK_BYTES = 2 ** 18;

/** The bytes of a file, or of standard input for `-`; `onBytes` hears how many each chunk has. */
export async function* fileChunks(file: string, onBytes?: (count: number) => void): AsyncGenerator<Buffer> {
  const stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    onBytes?.(chunk.length);
    yield chunk;
  }
}
