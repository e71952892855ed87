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
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.held.add(chunk.subarray(start, end));
      start = end + 1;
      found.push(...this.takeLine());
    }
    this.held.add(chunk.slice(start));
    return found;
  }

  /** Ends the file and returns its last record, if any. */
  end(): RawRecord[] {
    return this.held.isEmpty ? [] : this.takeLine();
  }

  private takeLine(): RawRecord[] {
    const line = ++this.line;
    const parts = this.held.take();
    if (parts === undefined) return [{ line, problem: describeTooLong(this.held.limit) }];
    const text = decodeUtf8(joinBytes(parts));
    if (text === undefined) return [{ line, problem: NOT_UTF8 }];
    return text.trim() === '' ? [] : [{ line, text: text.replace(/\r$/, '') }];
  }
}
