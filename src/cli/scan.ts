import { compileWhere } from '../api.ts';
import { ExpressionTypeError } from '../language/errors.ts';
import { BrokenRecords } from './broken-records.ts';
import { UsageError } from './exit.ts';
import type { EventRecord } from './input/event-record.ts';
import { InputError } from './input/input-error.ts';
import { type BrokenRecord, readEvents } from './input/read-events.ts';
import { Progress } from './progress.ts';
import { RecordError } from './record-error.ts';
import { warned } from './say.ts';

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

/** What to do with what is read. */
export interface Visitor {
  record(record: EventRecord): void;
  /** Takes the header row of a CSV file, before each batch of its records. */
  header?(text: string): void;
  /** Called between batches, where the visitor prints what it gets. */
  batchDone?(): Promise<void>;
}

/**
 * Reads the files, or standard input where there are none, and visits each record that the options select.
 *
 * @throws {RecordError} for a type error, {@link InputError} for a file that cannot be read or, if strict, is broken.
 */
export async function scan(files: readonly string[], options: ScanOptions, visitor: Visitor): Promise<void> {
  if (files.length === 0 && process.stdin.isTTY) throw new UsageError('Name an event file, or pipe events in.');
  const where = options.where === undefined ? undefined : warned(compileWhere(options.where, { now: options.now }));
  const inputs = files.length === 0 ? ['-'] : files;
  // What is printed along the way shows how far it has come, and must not run into another line.
  const progress = visitor.batchDone && process.stdout.isTTY ? Progress.none : await Progress.over(inputs);
  const broken = new BrokenRecords();
  const reading = {
    onBytes: (count: number) => progress.bytes(count),
    onBroken(found: BrokenRecord) {
      if (options.strict) throw new InputError(`${found.file}:${found.line}: ${found.reason}`);
      progress.clear();
      broken.add(found);
    },
  };
  const visit = (record: EventRecord, file: string) => {
    if (options.event !== undefined && record.event !== options.event) return;
    try {
      if (where === undefined || where(record.properties, record.user)) visitor.record(record);
    } catch (error) {
      throw error instanceof ExpressionTypeError ? new RecordError(file, record.line, error) : error;
    }
  };
  let records = 0;
  try {
    for (const file of inputs) {
      for await (const batch of readEvents(file, reading)) {
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
}
