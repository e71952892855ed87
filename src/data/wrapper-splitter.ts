import { ArraySplitter } from './array-splitter.ts';
import { CLOSE_BRACE, CLOSE_BRACKET, JsonScanner, LINE_FEED, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './json-scanner.ts';
import type { RawRecord } from './parse-records.ts';

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
  private readonly scanner: JsonScanner;
  private array: ArraySplitter | undefined;
  /** The bytes of the last string outside the members. */
  private text: number[] = [];
  /** The line of a bracket that may open an array of objects. */
  private bracketLine = 0;

  constructor(line: number) {
    this.scanner = new JsonScanner(2, 0, line);
  }

  /** Returns the records that a chunk completes. */
  feed(chunk: Uint8Array): RawRecord[] {
    const found: RawRecord[] = [];
    // The start of the array in the chunk.
    let start = 0;
    // The start of a name in the chunk.
    let textStart = 0;
    let at = this.scanner.next(chunk, 0);
    for (; at < chunk.length && !this.hasProblem; at = this.scanner.next(chunk, at + 1)) {
      const byte = chunk[at];
      if (byte === LINE_FEED) continue;
      const { level, line, isInString } = this.scanner;
      if (this.isClosed) {
        this.hasProblem = true;
        found.push({ line, problem: 'text after the end of the object', last: true });
        break;
      }
      if (this.bracketLine !== 0) {
        if (byte === OPEN_BRACE && this.openArray(found)) start = at;
        this.bracketLine = 0;
      }
      if (byte === QUOTE && level === 1) {
        if (isInString) {
          this.text = [];
          textStart = at + 1;
        } else this.addText(chunk.subarray(textStart, at));
      } else if (byte === OPEN_BRACKET && level === 1) this.bracketLine = line;
      else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && level === 0) this.isClosed = true;
      if (byte === CLOSE_BRACKET && level === 1 && this.array !== undefined) {
        found.push(...this.array.feed(chunk.subarray(start, at + 1)));
        this.array = undefined;
      }
    }
    if (this.scanner.isInString && this.scanner.level === 1) this.addText(chunk.subarray(textStart));
    if (this.array !== undefined) found.push(...this.array.feed(chunk.subarray(start)));
    return found;
  }

  /** Ends the input. Returns a problem if the object is incomplete. */
  end(): RawRecord[] {
    return this.isClosed || this.hasProblem
      ? []
      : [{ line: this.scanner.line, problem: 'the object is not closed', last: true }];
  }

  private addText(part: Uint8Array): void {
    this.text.push(...part.subarray(0, MAX_NAME_BYTES - this.text.length));
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
    this.array.feed(new Uint8Array(this.scanner.line - this.bracketLine).fill(LINE_FEED));
    return true;
  }
}
