const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Skips the strings of JSON that arrives in chunks of any size, and counts its lines. */
export class JsonStrings {
  /** Whether the next byte is in a string. Set it at the opening quote. */
  isOpen = false;
  private escaped = false;

  constructor(public line = 1) {}

  /** Skips to the last byte of the string or of the chunk. */
  skip(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === LINE_FEED) {
        // JSON strings have no line breaks, so this one is unclosed. End it here to save the records after it.
        this.line++;
        this.isOpen = false;
        this.escaped = false;
        return at;
      }
      if (this.escaped) {
        this.escaped = false;
      } else if (byte === BACKSLASH) {
        this.escaped = true;
      } else if (byte === QUOTE) {
        this.isOpen = false;
        return at;
      }
    }
    return chunk.length;
  }
}
