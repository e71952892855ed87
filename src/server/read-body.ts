import type { Readable } from 'node:stream';
import { Refusal } from './refusal.ts';

/** Where nothing says how long a body is. */
const FIRST_BYTES = 64 * 1024;

/** @returns the refusal of a body that has more bytes than one may have */
export function tooLarge(most: number): Refusal {
  return new Refusal(413, `The body has over ${most / 1024 / 1024} MiB: send less at once`);
}

/**
 * All bytes of a body. It is copied together as it comes: a body that comes byte by byte, each with an object of its own, would take a
 * hundred times its size.
 *
 * @throws {Refusal} where it is longer than it may be, or breaks off.
 */
export function readBody(stream: Readable, declared: number | undefined, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let body = Buffer.allocUnsafe(declared ?? FIRST_BYTES);
    let length = 0;
    const take = (chunk: Buffer) => {
      const end = length + chunk.length;
      if (end > most) {
        stream.off('data', take);
        reject(tooLarge(most));
        return;
      }
      if (end > body.length) {
        const larger = Buffer.allocUnsafe(Math.min(most, Math.max(end, body.length * 2)));
        body.copy(larger, 0, 0, length);
        body = larger;
      }
      chunk.copy(body, length);
      length = end;
    };
    stream.on('data', take);
    stream.once('end', () => resolve(body.subarray(0, length)));
    const breakOff = () => reject(new Refusal(400, 'The body breaks off'));
    stream.once('error', breakOff);
    stream.once('close', breakOff);
  });
}
