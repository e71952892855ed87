import { ArraySplitter } from './array-splitter.ts';
import { JsonStrings } from './json-strings.ts';
import type { RawRecord } from './parse-records.ts';

const [LINE_FEED, SPACE, QUOTE, OPEN_BRACKET, CLOSE_BRACKET] = [0x0a, 0x20, 0x22, 0x5b, 0x5d];
const [OPEN_BRACE, CLOSE_BRACE] = [0x7b, 0x7d];

/** Longer names of members are cut in messages. */
const MAX_NAME_BYTES = 200;

/**
 * Splits the array of objects in an object such as `{"data": [{…}], "next": 2}` into records. The object arrives in
 * chunks of any size. Ends with a problem if there is a second array of objects.
 */
export class WrapperSplitter {
  /** The name of the member with the records, as JSON without quotes; undefined before it is found. */
  name: string | undefined;
  private isClosed = false;
  private hasProblem = false;
  private readonly strings: JsonStrings;
  private array: ArraySplitter | undefined;
  private depth = 0;
  /** The bytes of the last string outside the members. */
  private text: number[] = [];
  /** The line of a bracket that may open an array of objects. */
  private bracketLine = 0;

  constructor(line: number) {
    this.strings = new JsonStrings(line);
  }

  /** Returns the records that a chunk completes. */
  feed(chunk: Uint8Array): RawRecord[] {
    const found: RawRecord[] = [];
    // The start of the array in the chunk.
    let start = 0;
    for (let at = 0; at < chunk.length && !this.hasProblem; at++) {
      if (this.strings.isOpen) {
        const from = at;
        at = this.strings.skip(chunk, at);
        const room = MAX_NAME_BYTES - this.text.length;
        if (this.depth === 1) this.text.push(...chunk.subarray(from, Math.min(at, from + room)));
        continue;
      }
      const byte = chunk[at] as number;
      if (byte === LINE_FEED) this.strings.line++;
      if (byte <= SPACE) continue;
      if (this.isClosed) {
        this.hasProblem = true;
        found.push({ line: this.strings.line, problem: 'text after the end of the object', last: true });
        break;
      }
      if (this.bracketLine !== 0) {
        if (byte === OPEN_BRACE && this.openArray(found)) start = at;
        this.bracketLine = 0;
      }
      this.handle(byte);
      if (byte === CLOSE_BRACKET && this.depth === 1 && this.array !== undefined) {
        found.push(...this.array.feed(chunk.subarray(start, at + 1)));
        this.array = undefined;
      }
    }
    if (this.array !== undefined) found.push(...this.array.feed(chunk.subarray(start)));
    return found;
  }

  /** Ends the input. Returns a problem if the object is incomplete. */
  end(): RawRecord[] {
    return this.isClosed || this.hasProblem
      ? []
      : [{ line: this.strings.line, problem: 'the object is not closed', last: true }];
  }

  private handle(byte: number): void {
    if (byte === QUOTE) {
      this.strings.isOpen = true;
      if (this.depth === 1) this.text = [];
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (byte === OPEN_BRACKET && this.depth === 1) this.bracketLine = this.strings.line;
      this.depth++;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      this.depth--;
      this.isClosed = this.depth === 0;
    }
  }

  /** Begins the records at the first object. Returns false if there was another array of objects. */
  private openArray(found: RawRecord[]): boolean {
    const name = new TextDecoder().decode(Uint8Array.from(this.text));
    if (this.name !== undefined) {
      const names = `"${this.name}" and "${name}"`;
      const problem = `the object has several arrays of objects (${names}). Write the one to read to a file`;
      found.push({ line: this.bracketLine, problem, last: true });
      this.hasProblem = true;
      return false;
    }
    this.name = name;
    this.array = new ArraySplitter(undefined, this.bracketLine);
    this.array.feed(Uint8Array.of(OPEN_BRACKET));
    // The line breaks between the bracket and the first object.
    this.array.feed(new Uint8Array(this.strings.line - this.bracketLine).fill(LINE_FEED));
    return true;
  }
}
