import { createReadStream, fstatSync } from 'node:fs';
import { InputError } from './input-error.ts';

/** Of the default, 64 KiB, reading takes twice the time, and handing work to other threads would cost much of what it saves. */
const CHUNK_BYTES = 2 ** 19;

/** The bytes of a file, or of standard input for `-`; `onBytes` hears how many each chunk has. */
export async function* fileChunks(file: string, onBytes?: (count: number) => void): AsyncGenerator<Buffer> {
  // Node reads a directory as an empty input.
  if (file === '-' && fstatSync(0).isDirectory()) throw new InputError('standard input is a directory');
  const stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    onBytes?.(chunk.length);
    yield chunk;
  }
}
