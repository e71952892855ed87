import type { Readable } from 'node:stream';
import { HttpError } from '../../../queries/http-error.ts';

/** Sizes of the first block of a body, and of the largest. */
const FIRST_BYTES = 64 * 1024;
const MAX_BLOCK_BYTES = 1024 * 1024;

/** Interval of the check for slow clients. */
const CHECK_MS = 1000;

/** The limits of a body. */
export interface BodyRules {
  /** Maximum size in bytes. */
  readonly max: number;
  /** Time after which the body must have arrived at `minBytesPerSecond` on average. */
  readonly slowMs: number;
  readonly minBytesPerSecond: number;
  /** Called with the size of each chunk. If it throws, reading stops with its error. */
  readonly onBytes: (bytes: number) => void;
}

/** Creates the error of a body above the maximum size. */
export function createTooLargeError(max: number): HttpError {
  const size = max < 1024 * 1024 ? `${max / 1024} KiB` : `${max / 1024 / 1024} MiB`;
  return new HttpError(413, `The body is larger than ${size}: send less at once`);
}

/**
 * Reads all bytes of a body. Copies chunks into blocks: if a body arrives byte by byte, its chunk objects take a
 * hundred times its size. Joins blocks once, at the end: a buffer that grows leaves as many bytes to the garbage
 * collector as it has. Does not allocate memory for announced bytes before they arrive.
 *
 * @throws {HttpError} if the body is too large, too slow, or incomplete
 * @throws the error of `onBytes`
 */
export function readBody(stream: Readable, rules: BodyRules): Promise<Buffer> {
  const { max } = rules;
  return new Promise((resolve, reject) => {
    const full: Buffer[] = [];
    let block = Buffer.allocUnsafe(FIRST_BYTES);
    let used = 0;
    let length = 0;
    const append = (chunk: Buffer) => {
      try {
        if (length + chunk.length > max) throw createTooLargeError(max);
        rules.onBytes(chunk.length);
      } catch (error) {
        fail(error);
        return;
      }
      length += chunk.length;
      for (let start = 0; start < chunk.length; ) {
        if (used === block.length) {
          full.push(block);
          block = Buffer.allocUnsafe(Math.min(block.length * 2, MAX_BLOCK_BYTES));
          used = 0;
        }
        const copied = chunk.copy(block, used, start);
        used += copied;
        start += copied;
      }
    };
    const watch = watchRate(
      rules,
      () => length,
      () => fail(new HttpError(408, 'The body arrives too slowly')),
    );
    const fail = (error: unknown) => {
      stream.off('data', append);
      clearInterval(watch);
      reject(error);
    };
    stream.on('data', append);
    stream.once('end', () => {
      clearInterval(watch);
      resolve(full.length === 0 ? block.subarray(0, used) : Buffer.concat([...full, block.subarray(0, used)]));
    });
    const failIncomplete = () => fail(new HttpError(400, 'The body is incomplete'));
    stream.once('error', failIncomplete);
    stream.once('close', failIncomplete);
  });
}

/** Calls `onSlow` if the body arrives below the minimum rate. */
function watchRate(
  { slowMs, minBytesPerSecond }: BodyRules,
  received: () => number,
  onSlow: () => void,
): NodeJS.Timeout {
  const startMs = performance.now();
  const check = () => {
    const ms = performance.now() - startMs;
    if (ms > slowMs && received() < (ms / 1000) * minBytesPerSecond) onSlow();
  };
  // Chunks that arrived while the process was busy are read before the check.
  return setInterval(() => setImmediate(check), Math.min(CHECK_MS, slowMs)).unref();
}
