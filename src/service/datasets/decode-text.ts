import { isUtf8 } from 'node:buffer';
import { decodeUtf8 } from '../../lang/util/bytes.ts';
import { ServiceError } from './errors.ts';
import { countRecordsAtEnd } from './split-batch.ts';

/** What a lenient decoder puts in the place of what is not UTF-8. Clients may send it too. */
const REPLACEMENT = '\ufffd';
const REPLACEMENT_BYTES = [...Buffer.from(REPLACEMENT)];

/**
 * The text of a batch.
 *
 * @throws {ServiceError} where it is not UTF-8.
 */
export function decodeText(bytes: Buffer): string {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  const at = bytesBeforeFlaw(bytes);
  const byte = `0x${bytes.toString('hex', at, at + 1)}`;
  throw new ServiceError(
    400,
    `record ${countRecordsAtEnd(bytes.toString('utf8', 0, at))}: not UTF-8: ${byte}, byte ${at + 1} of the decoded data. Encode the JSON as UTF-8, then as base64.`,
  );
}

/** So much is looked at character by character, which takes a hundred times as long. */
const BLOCK_BYTES = 65_536;

/** How many bytes come before the first character that is not UTF-8. */
function bytesBeforeFlaw(bytes: Buffer): number {
  let start = 0;
  for (;;) {
    const end = characterStart(bytes, Math.min(start + BLOCK_BYTES, bytes.length));
    const block = bytes.subarray(start, end);
    if (!isUtf8(block)) return start + Buffer.byteLength(textBeforeFlaw(block));
    start = end;
  }
}

/** Where the character of a byte begins; the byte itself where it belongs to none. */
function characterStart(bytes: Buffer, at: number): number {
  for (let start = at; start > at - 4; start--) if (((bytes[start] ?? 0) & 0xc0) !== 0x80) return start;
  return at;
}

/** The text up to the first character that is not UTF-8: up to a replacement that was not sent. */
function textBeforeFlaw(bytes: Buffer): string {
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
