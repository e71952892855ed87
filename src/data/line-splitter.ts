import { decodeUtf8, joinBytes } from '../base/bytes.ts';
import { HeldRecord } from './held-record.ts';
import type { RawRecord } from './parse-records.ts';
import { describeTooLong, NOT_UTF8 } from './problems.ts';

const LINE_FEED = 0x0a;

/** Splits text that arrives in chunks into lines, and skips blank ones. Chunks may end anywhere. */
export class LineSplitter {
  private readonly held = new HeldRecord();
  private line = 0;

  /** Adds a chunk and returns the records that it completes. */
  feed(chunk: Uint8Array): RawRecord[] {
    const found: RawRecord[] = [];
    const [first, last] = [chunk.indexOf(LINE_FEED), chunk.lastIndexOf(LINE_FEED)];
    if (first !== -1) this.takeLine(chunk.subarray(0, first), found);
    if (first < last) this.takeLines(chunk.subarray(first + 1, last), found);
    this.held.add(chunk.slice(last + 1));
    return found;
  }

  /** Ends the file and returns its last record, if any. */
  end(): RawRecord[] {
    const found: RawRecord[] = [];
    if (!this.held.isEmpty) this.takeLine(new Uint8Array(), found);
    return found;
  }

  /** Decodes whole lines at once, which takes a fraction of the time, unless one of them is broken. */
  private takeLines(bytes: Uint8Array, found: RawRecord[]): void {
    const text = bytes.length <= this.held.limit ? decodeUtf8(bytes) : undefined;
    if (text !== undefined) {
      for (const line of text.split('\n')) this.addText(line, found);
      return;
    }
    for (let start = 0; start <= bytes.length; ) {
      const next = bytes.indexOf(LINE_FEED, start);
      const end = next === -1 ? bytes.length : next;
      this.takeLine(bytes.subarray(start, end), found);
      start = end + 1;
    }
  }

  /** Takes a line that ends with these bytes. */
  private takeLine(bytes: Uint8Array, found: RawRecord[]): void {
    this.held.add(bytes);
    const parts = this.held.take();
    const text = parts && decodeUtf8(joinBytes(parts));
    if (text !== undefined) this.addText(text, found);
    else found.push({ line: ++this.line, problem: parts === undefined ? describeTooLong(this.held.limit) : NOT_UTF8 });
  }

  private addText(text: string, found: RawRecord[]): void {
    const line = ++this.line;
    if (text.trim() !== '') found.push({ line, text: text.endsWith('\r') ? text.slice(0, -1) : text });
  }
}
