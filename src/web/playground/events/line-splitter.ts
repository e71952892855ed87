import { HeldRecord } from '../../../data/held-record.ts';
import type { RawRecord } from '../../../data/parse-records.ts';
import { describeTooLong, NOT_UTF8 } from '../../../data/problems.ts';
import { decodeUtf8, joinBytes } from '../../../lang/util/bytes.ts';

const LINE_FEED = 0x0a;

/** Cuts the lines that are not blank out of NDJSON that comes in chunks, wherever these are split. */
export class LineSplitter {
  private readonly held = new HeldRecord();
  private line = 0;

  /** The records that the chunk completes. */
  feed(chunk: Uint8Array): RawRecord[] {
    const found: RawRecord[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.held.add(chunk.subarray(start, end));
      start = end + 1;
      found.push(...this.taken());
    }
    this.held.add(chunk.slice(start));
    return found;
  }

  /** What the end of the file completes. */
  end(): RawRecord[] {
    return this.held.isEmpty ? [] : this.taken();
  }

  private taken(): RawRecord[] {
    const line = ++this.line;
    const parts = this.held.take();
    if (parts === undefined) return [{ line, problem: describeTooLong(this.held.limit) }];
    const text = decodeUtf8(joinBytes(parts));
    if (text === undefined) return [{ line, problem: NOT_UTF8 }];
    return text.trim() === '' ? [] : [{ line, text: text.replace(/\r$/, '') }];
  }
}
