/** The encodings of text files. As in browsers, Latin-1 is read as Windows-1252, which extends it. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'latin1', 'windows-1252'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** The characters of Windows-1252 for the bytes from 0x80 to 0x9f, which Latin-1 uses for control characters. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

const SINGLE_BYTES = Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 && byte < 0xa0 ? (WINDOWS_1252[byte - 0x80] as string) : String.fromCharCode(byte),
);

/** The number of bytes that {@link detectEncoding} needs. */
export const MARK_BYTES = 2;

/** Detects UTF-16 by its byte order mark. Everything else is UTF-8 unless the user says otherwise. */
export function detectEncoding(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** Converts text that arrives in chunks of any size to UTF-8. */
export class Transcoder {
  private readonly encoder = new TextEncoder();
  private readonly decoder: TextDecoder | undefined;

  constructor(encoding: Exclude<Encoding, 'utf-8'>) {
    const isUtf16 = encoding === 'utf-16le' || encoding === 'utf-16be';
    this.decoder = isUtf16 ? new TextDecoder(encoding, { fatal: true }) : undefined;
  }

  /** Converts a chunk. Throws a TypeError if it is not text in the encoding. */
  feed(chunk: Uint8Array): Uint8Array {
    const text = this.decoder?.decode(chunk, { stream: true }) ?? this.decodeBytes(chunk);
    return this.encoder.encode(text);
  }

  /** Ends the text. Throws a TypeError if it ends within a character. */
  end(): Uint8Array {
    return this.encoder.encode(this.decoder?.decode() ?? '');
  }

  private decodeBytes(chunk: Uint8Array): string {
    return Array.from(chunk, (byte) => SINGLE_BYTES[byte]).join('');
  }
}
