import type { Transform } from 'node:stream';
import { peek, pipeThrough } from './chunks.ts';
import { InputError } from './input-error.ts';

/** Gzip decompresses this to at most 33 MB. */
const MAX_SLICE_BYTES = 2 ** 15;

/** The size of the pieces of decompressed bytes. */
const OPTIONS = { chunkSize: 2 ** 17 };

/** Node.js 22.15 and 23.8 added it. */
interface ZstdSupport {
  readonly createZstdDecompress?: (options: typeof OPTIONS) => Transform;
}

const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/**
 * Decompresses input that begins with the signature of gzip or zstd and passes other input through.
 *
 * @throws {InputError} if the input is zstd and this Node.js cannot decompress it.
 */
export async function* decompress(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const { head, all } = await peek(chunks, (head) => head.length >= ZSTD.length || !mayBePacked(head));
  if (!isGzipped(head) && !isZstd(head)) {
    yield* all;
    return;
  }
  // Most files are not packed, and loading this takes as long as counting the records of a small one.
  const zlib = await import('node:zlib');
  const unpack = isGzipped(head) ? zlib.createGunzip(OPTIONS) : openZstd(zlib as ZstdSupport, name);
  const output: Buffer[] = [];
  unpack.on('data', (chunk: Buffer) => output.push(chunk));
  for await (const unpacked of pipeThrough(slices(all), unpack, output)) yield* unpacked;
}

/** Returns whether bytes begin with the gzip signature. */
export function isGzipped(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** Returns whether bytes begin with the zstd signature. */
export function isZstd(head: Buffer): boolean {
  return head.subarray(0, ZSTD.length).equals(ZSTD);
}

/** Input such as `{}` on a pipe must not wait for more. */
function mayBePacked(head: Buffer): boolean {
  return head.length === 0 || head[0] === 0x1f || head[0] === ZSTD[0];
}

function openZstd({ createZstdDecompress }: ZstdSupport, name: string): Transform {
  if (createZstdDecompress !== undefined) return createZstdDecompress(OPTIONS);
  throw new InputError(
    `${name} is compressed with zstd, which needs Node.js 22.15 or later. Update Node.js, or unpack it: zstd -d ${name}`,
  );
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
