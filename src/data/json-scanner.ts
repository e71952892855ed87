const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const BACKSLASH = 0x5c;

export const LINE_FEED = 0x0a;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/**
 * Scans JSON that arrives in chunks of any size for the bytes at its outer levels: brackets, quotes, commas, the
 * characters of numbers and words, and line breaks. Tracks only strings, lines and the depth of brackets, whose kinds
 * it does not tell apart. The parser checks what is between the bytes.
 */
export class JsonScanner {
  /** The level of the last byte that was found: the number of brackets around it. A bracket has the level outside. */
  level = 0;
  /** Whether the next byte is in a string. */
  isInString = false;
  private depth = 0;
  private isEscaped = false;

  /**
   * @param maxLevel Bytes at deeper levels are skipped.
   * @param minDepth Brackets that close more than this are skipped like other broken JSON.
   */
  constructor(
    public maxLevel: number,
    private readonly minDepth: number,
    public line = 1,
  ) {}

  /** Returns the position of the next byte that is not skipped, or the length of the chunk. */
  next(chunk: Uint8Array, from: number): number {
    // Properties would be read and written for each byte.
    let { depth } = this;
    const { maxLevel, minDepth } = this;
    for (let at = from; at < chunk.length; at++) {
      if (this.isInString) {
        at = this.skipString(chunk, at);
        if (depth > maxLevel || this.isInString || chunk[at] !== QUOTE) continue;
        this.depth = depth;
        this.level = depth;
        return at;
      }
      const byte = chunk[at];
      if (byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN) continue;
      let level = depth;
      if (byte === QUOTE) this.isInString = true;
      else if (byte === LINE_FEED) this.line++;
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        level--;
        if (depth > minDepth) depth--;
      }
      if (level > maxLevel) continue;
      this.depth = depth;
      this.level = level;
      return at;
    }
    this.depth = depth;
    return chunk.length;
  }

  /** Skips to the last byte of the string or of the chunk. */
  private skipString(chunk: Uint8Array, from: number): number {
    let at = this.isEscaped && chunk[from] !== LINE_FEED ? from + 1 : from;
    this.isEscaped = false;
    for (; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      // Most are lower case letters.
      if (byte > BACKSLASH) continue;
      // JSON strings have no line breaks, so one of them is unclosed. End it there to save the records after it.
      if (byte === QUOTE || byte === LINE_FEED) {
        if (byte === LINE_FEED) this.line++;
        this.isInString = false;
        return at;
      }
      if (byte === BACKSLASH) {
        this.isEscaped = at + 1 === chunk.length;
        if (chunk[at + 1] !== LINE_FEED) at++;
      }
    }
    return chunk.length;
  }
}
