import { isUtf8 } from 'node:buffer';
import { type EventRecord, toEventRecord } from '../../data/event-record.ts';
import { parseRecord } from '../../data/parse-records.ts';
import { NOT_UTF8 } from '../../data/problems.ts';
import type { LinePrefilter } from './line-prefilter.ts';
import { PartialJson } from './partial-json.ts';
import type { LineBlock } from './split-line-blocks.ts';

/** A line that no record can be read from, and why. */
export interface BrokenLine {
  readonly line: number;
  readonly reason: string;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The properties of an event or person that hold its properties. */
const PARENTS = ['properties', '$properties'];

/** Setting it does not make a property of this name. */
const UNSETTABLE = '__proto__';

/**
 * Reads the records of NDJSON, line after line of a block. Every line that is not blank is a record. Lines end with `\n` or
 * `\r\n`.
 */
export class LineReader {
  /** The number of the line that was read last. */
  line = 0;
  /** How many records of the block were passed over. */
  passedOver = 0;
  private readonly partial: PartialJson | undefined;
  private bytes: Buffer = Buffer.alloc(0);
  private problem: string | undefined;
  private isText = false;
  private at = 0;

  /**
   * Of what a record holds, only the properties of these names are read, `event`, `distinct_id` and `time` among them; all of it
   * without names. A line that does not pass the sieve is passed over if it looks whole: whether it is JSON is not found out.
   */
  constructor(
    names?: readonly string[],
    private readonly sieve?: LinePrefilter,
  ) {
    this.partial = names === undefined || names.includes(UNSETTABLE) ? undefined : new PartialJson(names, PARENTS);
  }

  /** Begins a block that stands behind so many lines. */
  open({ bytes, problem }: LineBlock, linesBefore = 0): void {
    this.bytes = bytes;
    this.problem = problem;
    // One check for all of them is much cheaper than one for each.
    this.isText = isUtf8(bytes);
    this.at = 0;
    this.line = linesBefore;
    this.passedOver = 0;
    this.sieve?.open(bytes);
  }

  /** The next record or broken line; undefined at the end of the block. */
  next(): EventRecord | BrokenLine | undefined {
    const { bytes, problem } = this;
    if (problem !== undefined) {
      this.problem = undefined;
      this.line++;
      return this.broken(problem);
    }
    while (this.at < bytes.length) {
      const start = this.at;
      this.line++;
      const found = this.passOver(start) ? undefined : (this.readPartly(start) ?? this.read(start));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private passOver(start: number): boolean {
    const { sieve, bytes } = this;
    if (sieve === undefined || bytes[start] !== OPEN_BRACE) return false;
    const end = bytes.indexOf(LINE_FEED, start);
    const last = bytes[end - 1] === CARRIAGE_RETURN ? end - 2 : end - 1;
    if (bytes[last] !== CLOSE_BRACE || sieve.passes(start, end) || !this.isTextBetween(start, end)) return false;
    this.at = end + 1;
    this.passedOver++;
    return true;
  }

  private readPartly(start: number): EventRecord | undefined {
    const { partial, bytes } = this;
    if (partial === undefined || !this.isText || bytes[start] !== OPEN_BRACE) return undefined;
    const json = partial.read(bytes, start);
    if (json === undefined) return undefined;
    this.at = partial.end + 1;
    return toEventRecord(json, this.textBetween(start, partial.end), this.line);
  }

  private read(start: number): EventRecord | BrokenLine | undefined {
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
