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

/** Answers for whole files in place of a crew. */
export interface QueryDatabaseLoader {
  /** What a task makes of a file; nothing for a file whose records have to be read one by one. */
  answers<K extends JobKind>(task: Job<K>, file: string): Promise<DatabaseAnswers<JobParts[K]> | undefined>;
}

export type DatabaseAnswer<Part> = Pick<ChunkResult<Part>, 'part' | 'lacking'>;

export type DatabaseAnswers<Part> = Iterable<DatabaseAnswer<Part>> | AsyncIterable<DatabaseAnswer<Part>>;

/** Who does the work. */
export interface ScanOptions {
  readonly threads?: ThreadOptions;
  readonly database?: QueryDatabaseLoader | undefined;
}

/** Takes what a task makes of the records, in their order. */
export interface Sink<Part> {
  part(part: Part): void;
  /** Takes the header row of a CSV file, before the records under it. */
  header?(text: string): void;
  /** Waits until more can be taken, where what is taken is printed along the way. */
  ready?(): Promise<void>;
}

/**
 * Does a task on the records of the files, or of standard input where there are none.
 *
 * @throws {RecordError} for a type error, {@link InputError} for a file that cannot be read or, if strict, is broken.
 */
export async function scan<K extends JobKind>(
  io: Io,
  files: readonly string[],
  task: Job<K>,
  sink: Sink<JobParts[K]>,
  { threads = chooseThreads(io), database }: ScanOptions = {},
): Promise<void> {
  const crew = new WorkerPool(task, threads);
  for (const expression of crew.expressions) printWarning(io, expression);
  if (files.length === 0 && io.in.isTTY) throw new UsageError('Name an event file, or pipe events in.');
  const inputs = files.length === 0 ? ['-'] : files;
  // What is printed along the way shows how far it has come, and must not run into another line.
  const progress = sink.ready && io.out.isTTY ? Progress.none(io) : await Progress.over(io, inputs);
  const scanning = new Scanning(io, task, crew, database, sink, progress);
  try {
    for (const file of inputs) await scanning.read(file);
  } finally {
    crew.dismiss();
    scanning.end();
  }
  scanning.tellLacking();
}

/** Puts together, in the order of the files, what a crew makes of their parts. */
class Scanning<K extends JobKind> {
  private readonly brokenRecords: BrokenRecords;
  private readonly lacking = { time: 0, distinct_id: 0 };
  private records = 0;
  /** How many lines of the file stand before the answer that is next. */
  private line = 0;
  /** Answers to come, each taken after the one before it. */
  private readonly due: Promise<void>[] = [];

  constructor(
    private readonly io: Io,
    private readonly task: Job<K>,
    private readonly crew: WorkerPool<K>,
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
      const answers = await this.database?.answers(this.task, file);
      if (answers !== undefined) {
        for await (const answer of answers) {
          this.addPart(answer);
          await this.sink.ready?.();
        }
        return;
      }
      // What was read before an error counts, and an error in there comes first.
      await this.askAbout(file).finally(() => this.taken(0));
    } catch (error) {
      throw explainFailure(error, file, this.records - before);
    }
  }

  end(): void {
    this.progress.clear();
    this.brokenRecords.tell();
  }

  tellLacking(): void {
    warnOfMissing(this.io, this.lacking.time, 'time');
    warnOfMissing(this.io, this.lacking.distinct_id, 'distinct_id');
  }

  private async askAbout(file: string): Promise<void> {
    const { io, crew, sink, progress } = this;
    const reading = {
      onBytes: (count: number) => progress.bytes(count),
      onBroken: (found: BrokenRecord) => this.broken(found),
    };
    for await (const part of readFile(io, file, reading)) {
      if ('bytes' in part) {
        this.takeInTurn(crew.onLines(part), file);
      } else {
        if (part.header !== undefined) sink.header?.(part.header);
        this.takeInTurn(crew.onRecords(part.records), file);
      }
      await this.taken(crew.room);
    }
  }

  private takeInTurn(answer: ChunkResult<JobParts[K]> | Promise<ChunkResult<JobParts[K]>>, file: string): void {
    const taken = Promise.all([answer, this.due.at(-1)]).then(([found]) => this.take(found, file));
    // Whoever waits for it hears of a failure; until then it is not forgotten.
    taken.catch(() => undefined);
    this.due.push(taken);
  }

  /** Waits until no more than so many answers are to come. */
  private async taken(most: number): Promise<void> {
    while (this.due.length > most) await this.due.shift();
  }

  private async take(answer: ChunkResult<JobParts[K]>, file: string): Promise<void> {
    const { lines, records, broken, failure } = answer;
    const before = this.line;
    this.line += lines;
    for (const { line, reason } of broken) this.broken({ file: getFileName(file), line: before + line, reason });
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

  private broken(found: BrokenRecord): void {
    if (this.task.strict) throw new InputError(`${found.file}:${found.line}: ${found.reason}`);
    this.progress.clear();
    this.brokenRecords.add(found);
  }
}
