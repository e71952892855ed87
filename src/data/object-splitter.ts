import { getOwnValue, isJsonObject } from '../base/json.ts';
import { toRawRecord } from './array-splitter.ts';
import { HeldRecord } from './held-record.ts';
import { findInnerLists, isEnvelope } from './inner-lists.ts';
import { CLOSE_BRACE, CLOSE_BRACKET, JsonScanner, LINE_FEED, OPEN_BRACE, OPEN_BRACKET } from './json-scanner.ts';
import type { RawRecord } from './parse-records.ts';
import { describeTooLong } from './problems.ts';
import { tryParseJson } from './try-parse-json.ts';
import { isKnownList, WrapperSplitter } from './wrapper-splitter.ts';

/**
 * Returns whether a JSON object holds the records in its only array of objects or in the `log.entries` of HAR, and is not a
 * record itself. Objects that only hold others are no records.
 */
export function isWrapper(json: unknown): boolean {
  if (!isJsonObject(json)) return false;
  if (['properties', '$properties'].some((name) => isJsonObject(getOwnValue(json, name)))) return false;
  const lists = findInnerLists(json, 2);
  if (lists.some(isKnownList)) return true;
  const [[name = ''] = [], ...others] = lists.filter(({ length }) => length === 1);
  const list = getOwnValue(json, name);
  return others.length === 0 && Array.isArray(list) && !list.every(isEnvelope);
}

/**
 * Splits JSON objects that follow each other, on any number of lines and in chunks of any size. If the file is a single
 * object that wraps the records in an array, splits that array.
 */
export class ObjectSplitter {
  private readonly scanner = new JsonScanner(0, 0);
  private readonly held: HeldRecord;
  /** The parts of the first object, until it is known whether it is a record. */
  private first: Uint8Array[] | undefined = [];
  private firstLine = 0;
  private isTooLong = false;
  private wrapper: WrapperSplitter | undefined;
  /** The line where the current value begins; 0 if there is none. */
  private valueLine = 0;
  /** Whether the current value is an object or array that is not closed. */
  private isOpen = false;
  /** The first object, which is a record if another follows. */
  private pending: RawRecord | undefined;

  /** @param path The names of the list with the records in each object, joined by dots. */
  constructor(
    limit?: number,
    private readonly path?: string,
  ) {
    this.held = new HeldRecord(limit);
    if (path !== undefined) this.wrapper = new WrapperSplitter(1, path);
  }

  /** The name of the array that wraps the records, as JSON without quotes; undefined if none does. */
  get wrapperName(): string | undefined {
    return this.wrapper?.name;
  }

  /** Returns the records that a chunk completes. */
  feed(chunk: Uint8Array): RawRecord[] {
    if (this.wrapper !== undefined) return this.feedWrapper(chunk);
    const found: RawRecord[] = [];
    let start = 0;
    for (let at = this.scanner.next(chunk, 0); at < chunk.length; at = this.scanner.next(chunk, at + 1)) {
      const byte = chunk[at];
      const opens = byte === OPEN_BRACE || byte === OPEN_BRACKET;
      // Anything but an object or array is broken, and ends at the latest with the line.
      if ((opens || byte === LINE_FEED) && this.valueLine !== 0) this.endValue(chunk.subarray(start, at), found);
      if (byte === LINE_FEED) continue;
      if (this.valueLine === 0) {
        this.valueLine = this.scanner.line;
        start = at;
        if (this.pending !== undefined) this.takePending(found);
      }
      if (opens) this.isOpen = true;
      else if (this.isOpen && (byte === CLOSE_BRACE || byte === CLOSE_BRACKET)) {
        this.isOpen = false;
        this.endValue(chunk.subarray(start, at + 1), found);
      }
    }
    if (this.valueLine !== 0) this.add(chunk.subarray(start));
    if (this.first !== undefined && this.held.isOver) found.push(...this.unwrap());
    return found;
  }

  /** Ends the input. Returns the records of a wrapper, or a problem if the last object is incomplete. */
  end(): RawRecord[] {
    if (this.wrapper !== undefined) return this.endWrapper();
    const found: RawRecord[] = [];
    if (this.valueLine !== 0 && !this.isOpen) this.endValue(new Uint8Array(), found);
    const { pending } = this;
    if (pending === undefined) {
      if (this.valueLine !== 0)
        found.push({ line: this.valueLine, problem: 'the file ends within this object', last: true });
    } else if (this.isTooLong || ('text' in pending && isWrapper(tryParseJson(pending.text)))) {
      found.push(...this.unwrap(), ...this.endWrapper());
    } else {
      this.takePending(found);
    }
    return found;
  }

  private add(part: Uint8Array): void {
    this.held.add(part);
    this.first?.push(part);
  }

  private endValue(part: Uint8Array, found: RawRecord[]): void {
    this.add(part);
    this.isTooLong = this.held.isOver;
    const record = toRawRecord(this.held, this.valueLine);
    if (this.first !== undefined && this.pending === undefined) {
      this.firstLine = this.valueLine;
      this.pending = record;
    } else {
      found.push(record);
    }
    this.valueLine = 0;
  }

  private takePending(found: RawRecord[]): void {
    if (this.pending !== undefined) found.push(this.pending);
    this.pending = undefined;
    this.first = undefined;
  }

  /** Reads the first object as a wrapper. */
  private unwrap(): RawRecord[] {
    const parts = this.first ?? [];
    this.first = undefined;
    if (this.pending === undefined) this.firstLine = this.valueLine;
    this.wrapper = new WrapperSplitter(this.firstLine);
    return parts.flatMap((part) => this.feedWrapper(part));
  }

  private endWrapper(): RawRecord[] {
    if (this.wrapperName !== undefined || this.path !== undefined) return this.wrapper?.end() ?? [];
    return [{ line: this.firstLine, problem: describeTooLong(this.held.limit), last: true }];
  }

  private feedWrapper(chunk: Uint8Array): RawRecord[] {
    return this.wrapper?.feed(chunk) ?? [];
  }
}
