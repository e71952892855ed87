import { createGunzip } from 'node:zlib';
import { peek, pipeThrough } from './chunks.ts';

/** Unpacked this is 33 MB at the very most. */
const MAX_SLICE_BYTES = 2 ** 15;

/** Unpacks what begins like gzip, whatever its name is; all else passes as it is. */
export async function* gunzipChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { head, all } = await peek(chunks, (head) => head.length >= 2);
  if (!isGzipped(head)) {
    yield* all;
    return;
  }
  const output: Buffer[] = [];
  const gunzip = createGunzip({ chunkSize: 2 ** 17 }).on('data', (chunk: Buffer) => output.push(chunk));
  for await (const unpacked of pipeThrough(slices(all), gunzip, output)) yield* unpacked;
}

/** Whether a file begins like gzip. */
export function isGzipped(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** Of the slice with the damage nothing is unpacked: they begin small, so that a small file does not lose all it holds. */
async function* slices(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 2 ** 6;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const slice = chunk.subarray(at, at + size);
      at += slice.length;
      size = Math.min(2 * size, MAX_SLICE_BYTES);
      yield slice;
    }
  }
}
