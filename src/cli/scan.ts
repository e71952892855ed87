import { compileWhere } from '../api.ts';
import { ExpressionTypeError } from '../language/errors.ts';
import { UsageError } from './exit.ts';
import type { EventRecord } from './input/event-record.ts';
import { InputError } from './input/input-error.ts';
import { type BrokenRecord, readEvents } from './input/read-events.ts';
import { Progress } from './progress.ts';
import { RecordError } from './record-error.ts';

/** What every command over event files takes. */
export interface ScanOptions {
  /** Only records for which this filter is true. */
  readonly where?: string;
  /** Only events of this name. */
  readonly event?: string;
  /** The time of the query, in Unix seconds. */
  readonly now: number;
  /** Fail at the first broken line. */
  readonly strict?: boolean;
}

/** Broken lines that are named one by one; of the rest, only the number is told. */
const BROKEN_NAMED = 10;

/** What to do with what is read. */
export interface Visitor {
  record(record: EventRecord): void;
  /** Called between batches; for the header of a CSV file, before the first of its records. */
  header?(text: string): void;
  batchDone?(): Promise<void>;
}

/**
 * Reads the files, or standard input where there are none, and visits each record that the options select.
 *
 * @throws {RecordError} for a type error, {@link InputError} for a file that cannot be read or, if strict, is broken.
 */
export async function scan(files: readonly string[], options: ScanOptions, visitor: Visitor): Promise<void> {
  if (files.length === 0 && process.stdin.isTTY) throw new UsageError('Name an event file, or pipe events in.');
  const where = options.where === undefined ? undefined : compileWhere(options.where, { now: options.now });
  const inputs = files.length === 0 ? ['-'] : files;
  const progress = await Progress.over(inputs);
  const broken = new BrokenRecords(options.strict === true, progress);
  let records = 0;
  try {
    for (const file of inputs) {
      const source = readEvents(file, {
        onBroken: (found) => broken.add(found),
        onBytes: (count) => progress.bytes(count),
      });
      for await (const batch of source) {
        if (batch.header !== undefined) visitor.header?.(batch.header);
        for (const record of batch.records) visit(record, file);
        records += batch.records.length;
        progress.show(records);
        await visitor.batchDone?.();
      }
    }
  } finally {
    progress.clear();
    broken.tell();
  }

  function visit(record: EventRecord, file: string): void {
    if (options.event !== undefined && record.event !== options.event) return;
    try {
      if (where === undefined || where(record.properties, record.user)) visitor.record(record);
    } catch (error) {
      throw error instanceof ExpressionTypeError ? new RecordError(file, record.line, error) : error;
    }
  }
}

/** Tells of broken lines on standard error, or fails at the first. */
class BrokenRecords {
  private count = 0;

  constructor(
    private readonly strict: boolean,
    private readonly progress: Progress,
  ) {}

  add({ file, line, reason }: BrokenRecord): void {
    const place = `${file}:${line}`;
    if (this.strict) throw new InputError(`${place}: ${reason}`);
    this.count++;
    if (this.count > BROKEN_NAMED) return;
    this.progress.clear();
    process.stderr.write(`warning: ${place}: ${reason}; skipped\n`);
  }

  tell(): void {
    if (this.count > 0)
      process.stderr.write(`warning: ${this.count} broken ${this.count === 1 ? 'record' : 'records'} skipped\n`);
  }
}
