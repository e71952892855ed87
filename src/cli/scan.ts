import { check } from '../api/expressions.ts';
import { findRelations } from '../api/relate.ts';
import type { FilterCounts } from '../data/clause-counts.ts';
import type { EventBatch, EventRecord } from '../data/event-record.ts';
import { recognizeOrigin } from '../data/origins.ts';
import { type PeekedRecords, peekRecords } from '../data/peek-records.ts';
import type { Use } from '../lang/check/check.ts';
import { AbsentNames } from './absent-names.ts';
import { areFieldsSet, chooseFields, describeInnerLists, describeNested, isShapeKnown } from './choose-fields.ts';
import { UsageError } from './exit.ts';
import { expandFiles } from './input/expand-files.ts';
import { adviseEncoding, InputError } from './input/input-error.ts';
import { listRecords } from './input/line-reader.ts';
import { type BrokenRecord, explainFailure, getFileName, readFile } from './input/read-file.ts';
import type { LineBlock } from './input/split-line-blocks.ts';
import type { Io } from './io.ts';
import { BrokenRecords, printMessage, printWarning, warnOfMissing } from './messages.ts';
import { RecordError } from './record-error.ts';
import { Progress } from './terminal/progress.ts';
import { type ChunkResult, createClauseCounter } from './workers/chunk-processor.ts';
import { type Job, type JobKind, type JobParts, usesFields } from './workers/job.ts';
import { loadAggregator } from './workers/load-aggregator.ts';
import { readsUser } from './workers/record-reader.ts';
import { chooseThreads, type ThreadOptions, WorkerPool } from './workers/worker-pool.ts';

/** Runs jobs on whole files in a database instead of the worker pool. */
export interface QueryDatabaseLoader {
  /** Runs a job on a file. Resolves to undefined if the records must be read one by one. */
  answers<K extends JobKind>(job: Job<K>, file: string): Promise<DatabaseAnswers<JobParts[K]> | undefined>;
  /**
   * Returns the first records of a file; undefined if they must be read one by one. If they are only for recognizing the
   * tool that wrote the file, returns none where its columns show that there is no such tool.
   */
  peek(file: string, onlyForOrigin: boolean): Promise<readonly EventRecord[] | undefined>;
}

export type DatabaseAnswer<Part> = Pick<ChunkResult<Part>, 'part' | 'lacking'>;

export type DatabaseAnswers<Part> = Iterable<DatabaseAnswer<Part>> | AsyncIterable<DatabaseAnswer<Part>>;

/** The threads and the database that do the work. */
export interface ScanOptions {
  readonly threads?: ThreadOptions;
  readonly database?: QueryDatabaseLoader | undefined;
}

/** Where the records of a partial result begin. */
interface PartPlace {
  /** The file name for messages. */
  readonly file: string;
  /** The number of lines before it. */
  readonly line: number;
}

/** Receives the partial results of a job, in the order of the records. */
export interface Sink<Part> {
  part(part: Part, place: PartPlace): void;
  /** Receives the header row of a CSV file before its records. */
  header?(text: string): void;
  /** Resolves when the sink can take more. Only for sinks that print as they go. */
  ready?(): Promise<void>;
}

/** The result of a scan. */
export interface Scanned {
  /** The number of records, except those that a database answered for. */
  readonly records: number;
  /** Whether a warning told of a name that no record has. */
  readonly lacksNames: boolean;
  /** The counts of the filter, if the job asks for them. */
  readonly counts: FilterCounts | undefined;
}

/**
 * Runs a job on the records of the files or, if there are none, on the events of a project or of standard input.
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
): Promise<Scanned> {
  const pool = new WorkerPool(job, threads, await loadAggregator<K>(job.kind as K));
  for (const [source, use] of listSources(job)) {
    const { diagnostics } = check(source, { use, timeZone: job.timeZone ?? 'UTC', relations: findRelations });
    printWarning(io, { source, diagnostics });
  }
  if (files.length === 0 && io.project === undefined && io.in.isTTY)
    throw new UsageError('Name an event file, or pipe events to standard input.');
  const onNote = (note: string) => printMessage(io, 'note', note);
  const inputs = files.length === 0 ? [io.project?.name ?? '-'] : await expandFiles(files, onNote);
  // Output printed along the way shows the progress itself, and a progress line would garble it.
  const progress = sink.ready && io.out.isTTY ? Progress.none(io) : await Progress.over(io, inputs);
  let whole = job;
  if (io.project !== undefined && readsUser(job as Job)) {
    whole = { ...job, profiles: await io.project.readProfiles() };
    pool.setJob(whole);
  }
  const current = new Scan(io, whole, pool, database, sink, progress);
  try {
    await current.chooseFields(inputs[0] as string);
    for (const file of inputs) await current.read(file);
  } finally {
    pool.close();
    await current.end();
  }
  return current.finish();
}

/** Lists the expressions of a job with their uses. */
function listSources(
  job: Pick<Job, 'kind' | 'where'> & { readonly on?: string },
): readonly (readonly [source: string, use: Use])[] {
  const { kind, where, on } = job;
  return [
    ...(on === undefined ? [] : [[on, kind === 'numbers' ? 'number' : 'on'] as const]),
    ...(where === undefined ? [] : [[where, 'where'] as const]),
  ];
}

/** Combines the partial results of a worker pool in the order of the files. */
class Scan<K extends JobKind> {
  private readonly brokenRecords: BrokenRecords;
  private absent: AbsentNames;
  private readonly clauses: ReturnType<typeof createClauseCounter>;
  private readonly lacking = { time: 0, distinct_id: 0 };
  private records = 0;
  /** The number of lines of the file before the next result. */
  private line = 0;
  /** Pending results, each handled after the one before it. */
  private readonly pending: Promise<void>[] = [];
  /** The first file, if its first records were read to choose the fields. */
  private peeked: PeekedRecords<EventBatch | LineBlock> | undefined;

  constructor(
    private readonly io: Io,
    private job: Job<K>,
    private readonly pool: WorkerPool<K>,
    private readonly database: QueryDatabaseLoader | undefined,
    private readonly sink: Sink<JobParts[K]>,
    private readonly progress: Progress,
  ) {
    this.brokenRecords = new BrokenRecords(io);
    this.absent = new AbsentNames(io, job as Job);
    this.clauses = createClauseCounter(job as Job);
  }

  /**
   * Recognizes the tool that wrote a file by its first records, whose properties depend on it, and chooses the columns for
   * time, user and event, if the job needs any of them.
   */
  async chooseFields(file: string): Promise<void> {
    const { io, job, pool } = this;
    const dotted = pool.propertyNames.filter((name) => name.includes('.'));
    const listsAll = (job as Job).kind === 'describe';
    const wantsObjects = !job.flatten && (listsAll || dotted.length > 0);
    const isSet = areFieldsSet(job);
    const wantsFields = isSet || usesFields(job as Job) || pool.readsEventName;
    const isEnough = (found: readonly EventRecord[]) => !isSet && !wantsObjects && isShapeKnown(found);
    const records = await this.peek(file, isEnough, !wantsFields && !wantsObjects);
    const origin = recognizeOrigin(records);
    if (wantsFields || origin !== undefined) {
      this.job = { ...job, fields: chooseFields(io, records, job) };
      pool.setJob(this.job);
      this.absent = new AbsentNames(io, this.job as Job);
    }
    if (origin !== undefined) return;
    const lists = job.flatten || job.records !== undefined ? undefined : describeInnerLists(records);
    const note = lists ?? (wantsObjects ? describeNested(records, listsAll ? undefined : dotted) : undefined);
    if (note !== undefined) printMessage(io, 'note', note);
  }

  private async peek(
    file: string,
    isEnough: (records: readonly EventRecord[]) => boolean,
    onlyForOrigin: boolean,
  ): Promise<readonly EventRecord[]> {
    try {
      const found = await this.database?.peek(file, onlyForOrigin);
      if (found !== undefined) return found;
    } catch (error) {
      throw explainFailure(error, file, 0);
    }
    this.peeked = await peekRecords(this.open(file), listRecords, isEnough);
    return this.peeked.records;
  }

  async read(file: string): Promise<void> {
    const before = this.records;
    this.line = 0;
    try {
      const { database, job } = this;
      // SQL reads columns as they are.
      const answers = job.fields?.origin === undefined ? await database?.answers(job, file) : undefined;
      if (database !== undefined && answers !== undefined) {
        for await (const answer of answers) {
          this.addPart(answer, file);
          await this.sink.ready?.();
        }
        await this.absent.readDatabase(file, () => database.answers({ kind: 'lines', now: job.now }, file));
        return;
      }
      // Handles the results before an error first, because one of them may fail earlier.
      await this.readRecords(file).finally(() => this.drain(0));
    } catch (error) {
      throw explainFailure(error, file, this.records - before);
    }
  }

  async end(): Promise<void> {
    await this.peeked?.close();
    this.progress.clear();
    this.brokenRecords.printTotal();
  }

  finish(): Scanned {
    const { time, user } = this.job.fields ?? {};
    warnOfMissing(this.io, this.lacking.time, 'time', time?.column);
    warnOfMissing(this.io, this.lacking.distinct_id, 'distinct_id', user?.column);
    const lacksNames = this.absent.warn();
    return { records: this.records, lacksNames, counts: this.clauses?.counts };
  }

  private async readRecords(file: string): Promise<void> {
    const { pool, sink } = this;
    // A method would keep the first records in memory: they belong to the same object.
    const all = this.peeked?.all;
    this.peeked = undefined;
    for await (const part of all?.() ?? this.open(file)) {
      this.absent.keep(part);
      if ('bytes' in part) {
        this.enqueue(pool.processLines(part), file);
      } else {
        if (part.header !== undefined) sink.header?.(part.header);
        this.enqueue(pool.processRecords(part.records), file);
      }
      await this.drain(pool.room);
    }
  }

  private open(file: string) {
    return readFile(this.io, file, {
      ...this.job,
      onNote: (note) => this.printNote(note),
      onBytes: (count) => this.progress.bytes(count),
      onBroken: (found) => this.reportBroken(found),
    });
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
    this.absent.take(answer);
    if (answer.clauses !== undefined) this.clauses?.merge(answer.clauses);
    this.addPart(answer, file, before);
    if (failure !== undefined)
      throw new RecordError(`the record at ${getFileName(file)}:${before + failure.line}`, failure);
    this.progress.show(this.records);
    await this.sink.ready?.();
  }

  private addPart({ part, lacking }: DatabaseAnswer<JobParts[K]>, file: string, line = 0): void {
    this.lacking.time += lacking.time;
    this.lacking.distinct_id += lacking.distinct_id;
    this.sink.part(part, { file: getFileName(file), line });
  }

  private printNote(note: string): void {
    this.progress.clear();
    printMessage(this.io, 'note', note);
  }

  private reportBroken(found: BrokenRecord): void {
    if (this.job.strict) throw new InputError(`${found.file}:${found.line}: ${adviseEncoding(found.reason)}`);
    this.progress.clear();
    this.brokenRecords.add(found);
  }
}
