import type { Readable } from 'node:stream';
import { HttpError } from './http-error.ts';

/** Until more bytes have come, or nothing says how long a body is. */
const FIRST_BYTES = 64 * 1024;

/** How often slow senders are looked at. */
const CHECK_MS = 1000;

/** How large a body may be, and whose room it takes. */
export interface BodyRules {
  /** How long it is, where its sender says. */
  readonly declared: number | undefined;
  readonly most: number;
  /** For how long it may come as slowly as it likes, and how fast it must have come on average from then on. */
  readonly slowMs: number;
  readonly leastBytesPerSecond: number;
  /** Told of bytes as they come. What it throws ends the reading. */
  readonly onBytes: (bytes: number) => void;
}

/** @returns the refusal of a body that has more bytes than one may have */
export function createTooLargeError(most: number): HttpError {
  const size = most < 1024 * 1024 ? `${most / 1024} KiB` : `${most / 1024 / 1024} MiB`;
  return new HttpError(413, `The body has over ${size}: send less at once`);
}

/**
 * All bytes of a body. It is copied together as it comes: a body that comes byte by byte, each with an object of its own, would take a
 * hundred times its size. No memory is set aside for bytes that were only announced.
 *
 * @throws {HttpError} where it is longer than it may be, comes too slowly, or breaks off; whatever `onBytes` throws.
 */
export function readBody(stream: Readable, rules: BodyRules): Promise<Buffer> {
  const { declared = rules.most, most } = rules;
  return new Promise((resolve, reject) => {
    let body = Buffer.allocUnsafe(Math.min(declared, FIRST_BYTES));
    let length = 0;
    const take = (chunk: Buffer) => {
      const end = length + chunk.length;
      try {
        if (end > most) throw createTooLargeError(most);
        rules.onBytes(chunk.length);
      } catch (error) {
        fail(error);
        return;
      }
      if (end > body.length) {
        const larger = Buffer.allocUnsafe(Math.max(end, Math.min(declared, body.length * 2)));
        body.copy(larger, 0, 0, length);
        body = larger;
      }
      chunk.copy(body, length);
      length = end;
    };
    const watch = watchRate(
      rules,
      () => length,
      () => fail(new HttpError(408, 'The body comes too slowly')),
    );
    const fail = (error: unknown) => {
      stream.off('data', take);
      clearInterval(watch);
      reject(error);
    };
    stream.on('data', take);
    stream.once('end', () => {
      clearInterval(watch);
      resolve(body.subarray(0, length));
    });
    const breakOff = () => fail(new HttpError(400, 'The body breaks off'));
    stream.once('error', breakOff);
    stream.once('close', breakOff);
  });
}

/** Calls back when fewer bytes have come than should have. */
function watchRate(
  { slowMs, leastBytesPerSecond }: BodyRules,
  received: () => number,
  onSlow: () => void,
): NodeJS.Timeout {
  const begun = performance.now();
  const check = () => {
    const ms = performance.now() - begun;
    if (ms > slowMs && received() < (ms / 1000) * leastBytesPerSecond) onSlow();
  };
  // Bytes that came while the process was busy are read before the check.
  return setInterval(() => setImmediate(check), Math.min(CHECK_MS, slowMs)).unref();
}
