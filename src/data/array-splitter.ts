import { decodeUtf8, joinBytes } from '../base/bytes.ts';
import { HeldRecord } from './held-record.ts';
import { CLOSE_BRACKET, COMMA, JsonScanner, LINE_FEED } from './json-scanner.ts';
import type { RawRecord } from './parse-records.ts';
import { describeTooLong, NOT_UTF8 } from './problems.ts';

/**
 * Splits a JSON array that arrives in chunks of any size into elements, each on one line. The parser checks that an
 * element is JSON.
 */
export class ArraySplitter {
  private readonly element: HeldRecord;
  private place: 'before' | 'inside' | 'after' | 'beyond' = 'before';
  private readonly scanner: JsonScanner;
  /** The line where the current element begins; 0 if there is none. */
  private elementLine = 0;
  /** The start of the current element in the chunk. */
  private start = 0;
  private afterComma = false;

  /** @param line The line where the array begins. */
  constructor(limit?: number, line?: number) {
    this.element = new HeldRecord(limit);
    this.scanner = new JsonScanner(1, 1, line);
  }

  /** Returns the records that a chunk completes. */
  feed(chunk: Uint8Array): RawRecord[] {
    const found: RawRecord[] = [];
    this.start = 0;
    for (let at = this.scanner.next(chunk, 0); at < chunk.length; at = this.scanner.next(chunk, at + 1)) {
      const byte = chunk[at];
      if (byte === LINE_FEED) continue;
      const { level } = this.scanner;
      if (this.place !== 'inside') this.handleOutside(found);
      else if ((level === 1 && byte === COMMA) || (level === 0 && byte === CLOSE_BRACKET))
        this.endElement(chunk, at, found);
      else if (this.elementLine === 0) {
        this.elementLine = this.scanner.line;
        this.start = at;
      }
    }
    if (this.elementLine !== 0) this.element.add(chunk.subarray(this.start));
    return found;
  }

  /** Ends the input. Returns a problem if the array is incomplete. */
  end(): RawRecord[] {
    if (this.place !== 'inside') return [];
    return this.elementLine === 0
      ? [{ line: this.scanner.line, problem: 'the array is not closed', last: true }]
      : [{ line: this.elementLine, problem: 'the file ends within this element', last: true }];
  }

  private handleOutside(found: RawRecord[]): void {
    if (this.place === 'after')
      found.push({ line: this.scanner.line, problem: 'text after the end of the array', last: true });
    this.place = this.place === 'before' ? 'inside' : 'beyond';
  }

  /** Handles the comma or bracket that ends an element. */
  private endElement(chunk: Uint8Array, at: number, found: RawRecord[]): void {
    const comma = chunk[at] === COMMA;
    if (this.elementLine !== 0) {
      this.element.add(chunk.subarray(this.start, at));
      found.push(this.takeElement());
      this.elementLine = 0;
    } else if (comma || this.afterComma) {
      found.push({ line: this.scanner.line, problem: 'missing element' });
    }
    this.afterComma = comma;
    if (!comma) this.place = 'after';
  }

  private takeElement(): RawRecord {
    return toRawRecord(this.element, this.elementLine);
  }
}

/** Takes the JSON of a record, on one line, or the problem with it. */
export function toRawRecord(held: HeldRecord, line: number): RawRecord {
  const parts = held.take();
  if (parts === undefined) return { line, problem: describeTooLong(held.limit) };
  const text = decodeUtf8(joinBytes(parts));
  return text === undefined ? { line, problem: NOT_UTF8 } : { line, text: joinLines(text) };
}

/** Joins lines with spaces. In JSON, line breaks are only between tokens. */
function joinLines(text: string): string {
  if (!/[\r\n]/.test(text)) return text.trim();
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}
