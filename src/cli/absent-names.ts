import { pluralize } from '../base/strings.ts';
import type { EventBatch, EventRecord } from '../data/event-record.ts';
import { EVENT_PROPERTY } from '../data/field-mapping.ts';
import { describeAbsent, NameCensus } from '../data/name-census.ts';
import { listKeys, listNamed, type Named, Occurrences } from '../data/occurrences.ts';
import { parseRecord } from '../data/parse-records.ts';
import { InputError } from './input/input-error.ts';
import { LineReader } from './input/line-reader.ts';
import { readFile } from './input/read-file.ts';
import type { LineBlock } from './input/split-line-blocks.ts';
import type { Io } from './io.ts';
import { printMessage } from './messages.ts';
import type { ChunkResult } from './workers/chunk-processor.ts';
import { type Job, toQuestion } from './workers/job.ts';
import { createRecordReader } from './workers/record-reader.ts';

/** The sample holds so many bytes of lines and so many parsed records. */
const MAX_BYTES = 16 * 2 ** 20;
const MAX_RECORDS = 20_000;

/**
 * Warns of events, properties and values that a job names and that no record has. While something has not occurred, it
 * keeps the first records, for names that are similar and to look into records that were skipped unread.
 */
export class AbsentNames {
  private readonly named: Named;
  private readonly missing: Set<string>;
  private readonly readFields: (record: EventRecord) => EventRecord;
  private kept: (Buffer | readonly EventRecord[])[] = [];
  private bytes = 0;
  private records = 0;
  /** Whether all records are kept. */
  private isWhole = true;
  /** Whether the job looked at all records. */
  private isExact = true;

  constructor(
    private readonly io: Io,
    private readonly job: Job,
  ) {
    this.named = listNamed(toQuestion(job));
    this.missing = new Set(listKeys(this.named));
    const withEvent = this.named.properties.some(({ name }) => name === EVENT_PROPERTY);
    this.readFields = createRecordReader(job, withEvent);
  }

  /** Keeps a part of the input. Call it before the part is sent to another thread. */
  keep(part: EventBatch | LineBlock): void {
    if (this.missing.size === 0 || !this.isWhole) return;
    if ('bytes' in part) {
      const bytes = cutLines(part.bytes, MAX_BYTES - this.bytes);
      this.isWhole = bytes.length === part.bytes.length;
      this.bytes += bytes.length;
      this.kept.push(Buffer.from(bytes));
    } else {
      const records = part.records.slice(0, MAX_RECORDS - this.records);
      this.isWhole = records.length === part.records.length;
      this.records += records.length;
      this.kept.push(records);
    }
  }

  /** Takes note of what occurred in records that the job read. */
  take({ occurred, skipped }: Pick<ChunkResult<unknown>, 'occurred' | 'skipped'>): void {
    for (const key of occurred) this.missing.delete(key);
    if (skipped > 0) this.isExact = false;
    if (this.missing.size === 0) this.kept = [];
  }

  /** Keeps the first records of a file that a database answered for, from its lines or, without them, from the file. */
  async readDatabase(file: string, openLines: () => Promise<Lines | undefined>): Promise<void> {
    if (this.missing.size === 0) return;
    this.isExact = false;
    try {
      const lines = await openLines();
      await this.keepAll(
        lines === undefined ? readFile(this.io, file, { ...this.job, onBroken: () => undefined }) : parseLines(lines),
      );
    } catch (error) {
      // The answer did not need the columns that cannot be read.
      if (!(error instanceof InputError)) throw error;
      this.isWhole = false;
    }
  }

  /** Prints the warnings, and returns whether there are any. Prints nothing about records that were not read. */
  warn(): boolean {
    if (this.missing.size === 0) return false;
    const census = new NameCensus(this.named);
    for (const record of this.listKept()) census.add(this.readFields(record));
    if (census.records === 0) return false;
    const found = new Set(census.occurrences.take());
    const isMissing = (key: string) => this.missing.has(key) && !found.has(key);
    const scope = this.isExact || this.isWhole ? '' : `the first ${pluralize(census.records, 'record')}`;
    const absent = [...describeAbsent(this.named, isMissing, census, { scope, isWhole: this.isWhole })];
    for (const { message } of absent) printMessage(this.io, 'warning', message);
    return absent.length > 0;
  }

  private async keepAll(parts: AsyncIterable<EventBatch | LineBlock>): Promise<void> {
    const occurrences = new Occurrences(this.named);
    for await (const part of parts) {
      this.keep(part);
      for (const record of 'records' in part ? part.records : []) occurrences.add(this.readFields(record));
      this.take({ occurred: occurrences.take(), skipped: 0 });
      if (!this.isWhole || this.missing.size === 0) return;
    }
  }

  private *listKept(): Generator<EventRecord> {
    const reader = new LineReader();
    for (const part of this.kept) {
      if (!Buffer.isBuffer(part)) {
        yield* part;
        continue;
      }
      reader.open({ bytes: part });
      for (let found = reader.next(); found !== undefined; found = reader.next()) if (!('reason' in found)) yield found;
    }
  }
}

/** Returns the first whole lines with at most so many bytes. */
function cutLines(bytes: Buffer, room: number): Buffer {
  return bytes.length <= room ? bytes : bytes.subarray(0, bytes.lastIndexOf('\n', room - 1) + 1);
}

/** Lines of records, from a database. */
type Lines = AsyncIterable<{ readonly part: string }> | Iterable<{ readonly part: string }>;

async function* parseLines(lines: Lines): AsyncGenerator<EventBatch> {
  for await (const { part } of lines) {
    const records = part.split('\n').map((line) => (line === '' ? '' : parseRecord(line, 0)));
    yield { records: records.filter((record) => typeof record === 'object') };
  }
}
