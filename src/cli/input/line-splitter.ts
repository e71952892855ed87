import { isUtf8 } from 'node:buffer';
import { HeldRecord } from './held-record.ts';
import { NOT_UTF8 } from './problems.ts';
import type { RawRecord } from './raw-record.ts';
import type { Splitter } from './splitter.ts';

const LINE_FEED = 0x0a;

/** Every line that is not blank is a record. Lines end with `\n` or `\r\n`, the last one also with the file. */
export class LineSplitter implements Splitter {
  private readonly rest: HeldRecord;
  private line = 1;

  constructor(limit?: number) {
    this.rest = new HeldRecord(limit);
  }

  feed(chunk: Buffer): RawRecord[] {
    const found: RawRecord[] = [];
    const first = chunk.indexOf(LINE_FEED);
    if (first === -1) {
      this.rest.add(chunk);
      return found;
    }
    this.rest.add(chunk.subarray(0, first));
    this.push(found, this.rest.take(this.line));
    // Lines that lie whole in the chunk are many: one check for all of them is much cheaper than one for each.
    const last = chunk.lastIndexOf(LINE_FEED);
    const valid = isUtf8(chunk.subarray(first + 1, last + 1));
    for (let start = first + 1; start <= last; ) {
      const end = chunk.indexOf(LINE_FEED, start);
      const { line } = this;
      this.push(
        found,
        valid || isUtf8(chunk.subarray(start, end))
          ? { line, text: chunk.toString('utf8', start, end) }
          : { line, problem: NOT_UTF8 },
      );
      start = end + 1;
    }
    this.rest.add(chunk.subarray(last + 1));
    return found;
  }

  end(): RawRecord[] {
    const found: RawRecord[] = [];
    this.push(found, this.rest.take(this.line));
    return found;
  }

  private push(found: RawRecord[], raw: RawRecord): void {
    this.line++;
    if ('problem' in raw) {
      found.push(raw);
    } else if (raw.text.trim() !== '') {
      found.push(raw.text.endsWith('\r') ? { line: raw.line, text: raw.text.slice(0, -1) } : raw);
    }
  }
}
