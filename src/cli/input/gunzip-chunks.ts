import { createGunzip } from 'node:zlib';
import { peek, pipeThrough } from './chunks.ts';

/** Decompresses to at most 33 MB. */
const MAX_SLICE_BYTES = 2 ** 15;

/** Decompresses input that begins with the gzip signature and passes other input through. */
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

/** Returns whether bytes begin with the gzip signature. */
export function isGzipped(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** Splits chunks into growing slices. zlib drops the damaged slice; small first ones save most of a small file. */
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
