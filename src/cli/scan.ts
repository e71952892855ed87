import { RecordError } from './describe-failure.ts';
import { UsageError } from './exit.ts';
import { InputError } from './input/input-error.ts';
import { type BrokenRecord, explainFailure, getFileName, readFile } from './input/read-file.ts';
import type { Io } from './io.ts';
import { BrokenRecords, printWarning, warnOfMissing } from './messages.ts';
import { Progress } from './terminal/progress.ts';
import type { ChunkResult } from './workers/chunk-processor.ts';
import type { Job, JobKind, JobParts } from './workers/job.ts';
import { chooseThreads, type ThreadOptions, WorkerPool } from './workers/worker-pool.ts';

/** Runs jobs on whole files in a database instead of the worker pool. */
export interface QueryDatabaseLoader {
  /** Runs a job on a file. Resolves to undefined if the records must be read one by one. */
  answers<K extends JobKind>(job: Job<K>, file: string): Promise<DatabaseAnswers<JobParts[K]> | undefined>;
}

export type DatabaseAnswer<Part> = Pick<ChunkResult<Part>, 'part' | 'lacking'>;

export type DatabaseAnswers<Part> = Iterable<DatabaseAnswer<Part>> | AsyncIterable<DatabaseAnswer<Part>>;

/** The threads and the database that do the work. */
export interface ScanOptions {
  readonly threads?: ThreadOptions;
  readonly database?: QueryDatabaseLoader | undefined;
}

/** Receives the partial results of a job, in the order of the records. */
export interface Sink<Part> {
  part(part: Part): void;
  /** Receives the header row of a CSV file before its records. */
  header?(text: string): void;
  /** Resolves when the sink can take more. Only for sinks that print as they go. */
  ready?(): Promise<void>;
}

/**
 * Runs a job on the records of the files, or of standard input if there are none.
 *
 * @throws {RecordError} if an expression fails on a record.
 * @throws {InputError} if a file cannot be read or, if strict, has a broken record.
 */
export async function scan<K extends JobKind>(
  io: Io,
  files: readonly string[],
  job: Job<K>,
  sink: Sink<JobParts[K]>,
  { threads = chooseThreads(io), database }: ScanOptions = {},
): Promise<void> {
  const pool = new WorkerPool(job, threads);
  for (const expression of pool.expressions) printWarning(io, expression);
  if (files.length === 0 && io.in.isTTY) throw new UsageError('Name an event file, or pipe events to standard input.');
  const inputs = files.length === 0 ? ['-'] : files;
  // Output printed along the way shows the progress itself, and a progress line would garble it.
  const progress = sink.ready && io.out.isTTY ? Progress.none(io) : await Progress.over(io, inputs);
  const current = new Scan(io, job, pool, database, sink, progress);
  try {
    for (const file of inputs) await current.read(file);
  } finally {
    pool.close();
    current.end();
  }
  current.warnOfMissing();
}

/** Combines the partial results of a worker pool in the order of the files. */
class Scan<K extends JobKind> {
  private readonly brokenRecords: BrokenRecords;
  private readonly lacking = { time: 0, distinct_id: 0 };
  private records = 0;
  /** The number of lines of the file before the next result. */
  private line = 0;
  /** Pending results, each handled after the one before it. */
  private readonly pending: Promise<void>[] = [];

  constructor(
    private readonly io: Io,
    private readonly job: Job<K>,
    private readonly pool: WorkerPool<K>,
    private readonly database: QueryDatabaseLoader | undefined,
    private readonly sink: Sink<JobParts[K]>,
    private readonly progress: Progress,
  ) {
    this.brokenRecords = new BrokenRecords(io);
  }

  async read(file: string): Promise<void> {
    const before = this.records;
    this.line = 0;
    try {
      const answers = await this.database?.answers(this.job, file);
      if (answers !== undefined) {
        for await (const answer of answers) {
          this.addPart(answer);
          await this.sink.ready?.();
        }
        return;
      }
      // Handles the results before an error first, because one of them may fail earlier.
      await this.readRecords(file).finally(() => this.drain(0));
    } catch (error) {
      throw explainFailure(error, file, this.records - before);
    }
  }

  end(): void {
    this.progress.clear();
    this.brokenRecords.printTotal();
  }

  warnOfMissing(): void {
    warnOfMissing(this.io, this.lacking.time, 'time');
    warnOfMissing(this.io, this.lacking.distinct_id, 'distinct_id');
  }

  private async readRecords(file: string): Promise<void> {
    const { io, pool, sink, progress } = this;
    const reading = {
      onBytes: (count: number) => progress.bytes(count),
      onBroken: (found: BrokenRecord) => this.reportBroken(found),
    };
    for await (const part of readFile(io, file, reading)) {
      if ('bytes' in part) {
        this.enqueue(pool.processLines(part), file);
      } else {
        if (part.header !== undefined) sink.header?.(part.header);
        this.enqueue(pool.processRecords(part.records), file);
      }
      await this.drain(pool.room);
    }
  }

  private enqueue(answer: ChunkResult<JobParts[K]> | Promise<ChunkResult<JobParts[K]>>, file: string): void {
    const taken = Promise.all([answer, this.pending.at(-1)]).then(([found]) => this.take(found, file));
    // `drain` reports the failure. Until then it must not count as unhandled.
    taken.catch(() => undefined);
    this.pending.push(taken);
  }

  /** Waits until at most `max` results are pending. */
  private async drain(max: number): Promise<void> {
    while (this.pending.length > max) await this.pending.shift();
  }

  private async take(answer: ChunkResult<JobParts[K]>, file: string): Promise<void> {
    const { lines, records, broken, failure } = answer;
    const before = this.line;
    this.line += lines;
    for (const { line, reason } of broken) this.reportBroken({ file: getFileName(file), line: before + line, reason });
    this.records += records;
    this.addPart(answer);
    if (failure !== undefined)
      throw new RecordError(`the record at ${getFileName(file)}:${before + failure.line}`, failure);
    this.progress.show(this.records);
    await this.sink.ready?.();
  }

  private addPart({ part, lacking }: DatabaseAnswer<JobParts[K]>): void {
    this.lacking.time += lacking.time;
    this.lacking.distinct_id += lacking.distinct_id;
    this.sink.part(part);
  }

  private reportBroken(found: BrokenRecord): void {
    if (this.job.strict) throw new InputError(`${found.file}:${found.line}: ${found.reason}`);
    this.progress.clear();
    this.brokenRecords.add(found);
  }
}
