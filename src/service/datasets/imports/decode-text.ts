import { isUtf8 } from 'node:buffer';
import { decodeUtf8 } from '../../../base/bytes.ts';
import { ServiceError } from '../../../queries/service-error.ts';
import { countRecordsAtEnd } from './split-batch.ts';

/** The character that a lenient decoder inserts for invalid UTF-8. Clients may send it too. */
const REPLACEMENT = '\ufffd';
const REPLACEMENT_BYTES = [...Buffer.from(REPLACEMENT)];

/**
 * Decodes the UTF-8 bytes of a batch.
 *
 * @throws {ServiceError} 400 for invalid UTF-8
 */
export function decodeText(bytes: Buffer): string {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  const at = countBytesBeforeFlaw(bytes);
  const byte = `0x${bytes.toString('hex', at, at + 1)}`;
  throw new ServiceError(
    400,
    `record ${countRecordsAtEnd(bytes.toString('utf8', 0, at))}: not UTF-8: ${byte}, byte ${at + 1} of the decoded data. Encode the JSON as UTF-8, then as base64.`,
  );
}

/** Only the block with the flaw is scanned by character, which is about 100 times slower. */
const BLOCK_BYTES = 65_536;

/** Returns the number of bytes before the first invalid character. */
function countBytesBeforeFlaw(bytes: Buffer): number {
  let start = 0;
  for (;;) {
    const end = findCharacterStart(bytes, Math.min(start + BLOCK_BYTES, bytes.length));
    const block = bytes.subarray(start, end);
    if (!isUtf8(block)) return start + Buffer.byteLength(getTextBeforeFlaw(block));
    start = end;
  }
}

/** Returns the start of the character that a byte belongs to, or `at` if it belongs to none. */
function findCharacterStart(bytes: Buffer, at: number): number {
  for (let start = at; start > at - 4; start--) if (((bytes[start] ?? 0) & 0xc0) !== 0x80) return start;
  return at;
}

/** Returns the text before the first invalid character: before a replacement that was not sent. */
function getTextBeforeFlaw(bytes: Buffer): string {
  const text = bytes.toString();
  let byte = 0;
  let from = 0;
  for (let at = text.indexOf(REPLACEMENT); at !== -1; at = text.indexOf(REPLACEMENT, from)) {
    byte += Buffer.byteLength(text.slice(from, at));
    if (REPLACEMENT_BYTES.some((sent, index) => bytes[byte + index] !== sent)) return text.slice(0, at);
    byte += REPLACEMENT_BYTES.length;
    from = at + 1;
  }
  return text;
}
