import { isUtf8 } from 'node:buffer';
import { type EventBatch, type EventRecord, toEventRecord } from '../../data/event-record.ts';
import { parseRecord } from '../../data/parse-records.ts';
import { NOT_UTF8 } from '../../data/problems.ts';
import type { LinePrefilter } from './line-prefilter.ts';
import { LineWalker } from './line-walker.ts';
import type { LineBlock } from './split-line-blocks.ts';

/** A line that is not a record, and why. */
export interface BrokenLine {
  readonly line: number;
  readonly reason: string;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The keys of an event or person that hold its properties. */
const PARENTS = ['properties', '$properties'];

/** Assigning to this name does not create a property. */
const UNSETTABLE = '__proto__';

/**
 * Reads the records of a block of NDJSON. Every line that is not blank is a record. Lines end with `\n` or `\r\n`.
 */
export class LineReader {
  /** The number of the last line that was read. */
  line = 0;
  /** The number of records of the block that the prefilter skipped. */
  skipped = 0;
  /** Walks the lines, unless all properties are read and none is searched for. */
  readonly walker: LineWalker | undefined;
  /** Whether to read all properties. The walker only skips lines then. */
  private readonly readsAll: boolean;
  private bytes: Buffer = Buffer.alloc(0);
  private problem: string | undefined;
  private isText = false;
  private at = 0;

  /**
   * @param names The properties to read, including `event`, `distinct_id` and `time`. Reads all if undefined.
   * @param prefilter Skips lines of JSON that do not pass.
   */
  constructor(names?: readonly string[], prefilter?: LinePrefilter) {
    this.readsAll = names === undefined || names.includes(UNSETTABLE);
    if (!this.readsAll || prefilter !== undefined)
      this.walker = LineWalker.create(this.readsAll ? [] : (names ?? []), PARENTS, prefilter?.searches ?? []);
  }

  /** Starts a block that follows `linesBefore` lines. */
  open({ bytes, problem }: LineBlock, linesBefore = 0): void {
    this.bytes = bytes;
    this.problem = problem;
    // One check per block is much cheaper than one per line.
    this.isText = isUtf8(bytes);
    this.at = 0;
    this.line = linesBefore;
    this.skipped = 0;
    if (this.isText) this.walker?.open(bytes);
  }

  /**
   * Returns the next record or broken line; undefined at the end of the block.
   *
   * @param take is called when the walker has read a line; returns true if it takes the line, which is then no record
   */
  next(take?: () => boolean): EventRecord | BrokenLine | undefined {
    const { bytes, problem } = this;
    if (problem !== undefined) {
      this.problem = undefined;
      this.line++;
      return this.broken(problem);
    }
    while (this.at < bytes.length) {
      const found = this.isText && this.walker !== undefined ? this.walk(this.walker, take) : this.parseNext();
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private walk(walker: LineWalker, take: (() => boolean) | undefined): EventRecord | BrokenLine | undefined {
    const end = walker.next(this.at);
    this.at = walker.at;
    this.line += walker.lines;
    this.skipped += walker.skipped;
    if (end === undefined || this.readsAll) return this.at < this.bytes.length ? this.parse() : undefined;
    this.at = end + 1;
    if (take?.()) return undefined;
    return toEventRecord(walker.read(), this.textBetween(walker.at, end), this.line);
  }

  private parseNext(): EventRecord | BrokenLine | undefined {
    this.line++;
    return this.parse();
  }

  private parse(): EventRecord | BrokenLine | undefined {
    const start = this.at;
    const end = this.bytes.indexOf(LINE_FEED, start);
    this.at = end + 1;
    if (!this.isTextBetween(start, end)) return this.broken(NOT_UTF8);
    const text = this.textBetween(start, end)();
    if (text.trim() === '') return undefined;
    const record = parseRecord(text, this.line);
    return typeof record === 'string' ? this.broken(record) : record;
  }

  private isTextBetween(start: number, end: number): boolean {
    return this.isText || isUtf8(this.bytes.subarray(start, end));
  }

  private broken(reason: string): BrokenLine {
    return { line: this.line, reason };
  }

  private textBetween(start: number, end: number): () => string {
    const { bytes } = this;
    return () => bytes.toString('utf8', start, bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end);
  }
}

/** Yields the records of a part of a file, without broken lines. */
export function* listRecords(part: EventBatch | LineBlock): Generator<EventRecord> {
  if ('records' in part) {
    yield* part.records;
    return;
  }
  const reader = new LineReader();
  reader.open(part);
  for (let found = reader.next(); found !== undefined; found = reader.next()) if (!('reason' in found)) yield found;
}
