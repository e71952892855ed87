import { decodeUtf8, joinBytes } from '../base/bytes.ts';
import { HeldRecord } from './held-record.ts';
import { JsonStrings } from './json-strings.ts';
import type { RawRecord } from './parse-records.ts';
import { describeTooLong, NOT_UTF8 } from './problems.ts';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Splits a JSON array that arrives in chunks of any size into elements, each on one line. Tracks only strings and the
 * depth of brackets, which is enough to find the ends of elements. The parser checks that an element is JSON.
 */
export class ArraySplitter {
  private readonly element: HeldRecord;
  private place: 'before' | 'inside' | 'after' | 'beyond' = 'before';
  private readonly strings: JsonStrings;
  /** The line where the current element begins; 0 if there is none. */
  private elementLine = 0;
  /** The start of the current element in the chunk. */
  private start = 0;
  private afterComma = false;
  private depth = 0;

  /** @param line The line where the array begins. */
  constructor(limit?: number, line?: number) {
    this.element = new HeldRecord(limit);
    this.strings = new JsonStrings(line);
  }

  /** Returns the records that a chunk completes. */
  feed(chunk: Uint8Array): RawRecord[] {
    const found: RawRecord[] = [];
    this.start = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (this.strings.isOpen) {
        at = this.strings.skip(chunk, at);
        continue;
      }
      const byte = chunk[at];
      if (byte === LINE_FEED) this.strings.line++;
      else if (byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN) continue;
      else if (this.place !== 'inside') this.handleOutside(found);
      else if (this.depth === 0 && (byte === COMMA || byte === CLOSE_BRACKET)) this.endElement(chunk, at, found);
      else this.handleInside(byte, at);
    }
    if (this.elementLine !== 0) this.element.add(chunk.subarray(this.start));
    return found;
  }

  /** Ends the input. Returns a problem if the array is incomplete. */
  end(): RawRecord[] {
    if (this.place !== 'inside') return [];
    return this.elementLine === 0
      ? [{ line: this.strings.line, problem: 'the array is not closed', last: true }]
      : [{ line: this.elementLine, problem: 'the file ends within this element', last: true }];
  }

  private handleOutside(found: RawRecord[]): void {
    if (this.place === 'after')
      found.push({ line: this.strings.line, problem: 'text after the end of the array', last: true });
    this.place = this.place === 'before' ? 'inside' : 'beyond';
  }

  private handleInside(byte: number | undefined, at: number): void {
    if (this.elementLine === 0) {
      this.elementLine = this.strings.line;
      this.start = at;
    }
    if (byte === QUOTE) this.strings.isOpen = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.depth++;
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && this.depth > 0) this.depth--;
  }

  /** Handles the comma or bracket that ends an element. */
  private endElement(chunk: Uint8Array, at: number, found: RawRecord[]): void {
    const comma = chunk[at] === COMMA;
    if (this.elementLine !== 0) {
      this.element.add(chunk.subarray(this.start, at));
      found.push(this.takeElement());
      this.elementLine = 0;
    } else if (comma || this.afterComma) {
      found.push({ line: this.strings.line, problem: 'missing element' });
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
