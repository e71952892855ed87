import { Worker } from 'node:worker_threads';
import type { Compiled } from '../../api/expressions.ts';
import type { EventRecord } from '../../data/event-record.ts';
import type { LineBlock } from '../input/split-line-blocks.ts';
import type { Io } from '../io.ts';
import { ChunkProcessor, type ChunkResult } from './chunk-processor.ts';
import type { Job, JobKind, JobParts } from './job.ts';

/** How work is shared out. */
export interface ThreadOptions {
  /** How many workers there are beside this thread. */
  readonly workers: number;
  /**
   * They are called once this thread has worked for so many milliseconds more than it has waited. Where reading takes longer than
   * the work, or there is little to do, calling them would cost more than they save.
   */
  readonly after: number;
  /** The file that they run. */
  readonly entry: URL;
}

/** So many work as fast as one thread can read for them. */
const MAX_WORKERS = 7;

/** How work is shared out unless a caller says otherwise. */
export function chooseThreads({ spareThreads }: Io): ThreadOptions {
  return {
    workers: Math.min(spareThreads, MAX_WORKERS),
    after: 50,
    entry: new URL('./worker.js', import.meta.url),
  };
}

/** Blocks that a worker has at once: one to work on, and one for when that is done. */
const BLOCKS_AT_ONCE = 2;

/** Does a task: in this thread and, once it shows to be long, in others too. */
export class WorkerPool<K extends JobKind> {
  private readonly share: ChunkProcessor<K>;
  private workers: CrewWorker<ChunkResult<JobParts[K]>>[] = [];
  private readonly begin = performance.now();
  private worked = 0;

  /** Throws the errors of an expression that cannot be compiled. */
  constructor(
    private readonly task: Job<K>,
    private readonly threads: ThreadOptions,
  ) {
    this.share = new ChunkProcessor(task);
  }

  /** The expressions of the task. */
  get expressions(): Compiled<unknown>[] {
    return this.share.expressions;
  }

  /** How many answers may be waited for, so that no thread runs out of work and no memory is wasted. */
  get room(): number {
    return 4 * BLOCKS_AT_ONCE * this.workers.length;
  }

  /** Works on records that have been read. */
  onRecords(records: readonly EventRecord[]): ChunkResult<JobParts[K]> {
    return this.share.onRecords(records);
  }

  /** Works on lines: in a thread that has room for them, else here and now. */
  onLines(block: LineBlock): ChunkResult<JobParts[K]> | Promise<ChunkResult<JobParts[K]>> {
    if (this.workers.length === 0) this.callWorkers();
    const worker = block.problem === undefined ? this.workers.find(({ hasRoom }) => hasRoom) : undefined;
    return worker?.ask(block.bytes) ?? this.workOn(block);
  }

  private callWorkers(): void {
    const { entry, workers, after } = this.threads;
    const waited = performance.now() - this.begin - this.worked;
    if (this.worked - waited < after) return;
    this.workers = Array.from({ length: workers }, () => new CrewWorker(entry, this.task));
  }

  private workOn(block: LineBlock): ChunkResult<JobParts[K]> {
    const begin = performance.now();
    const answer = this.share.onLines(block);
    this.worked += performance.now() - begin;
    return answer;
  }

  /** Ends the other threads, whatever they are at. */
  dismiss(): void {
    for (const worker of this.workers) worker.end();
  }
}

/** Another thread, which answers what it is asked, in that order. */
class CrewWorker<Answer> {
  private readonly worker: Worker;
  private readonly asked: { resolve: (answer: Answer) => void; reject: (error: unknown) => void }[] = [];
  private failed = false;

  constructor(entry: URL, workerData: unknown) {
    this.worker = new Worker(entry, { workerData });
    this.worker.on('message', (answer: Answer) => this.asked.shift()?.resolve(answer));
    this.worker.on('error', (error) => {
      this.failed = true;
      for (const { reject } of this.asked) reject(error);
    });
  }

  get hasRoom(): boolean {
    return !this.failed && this.asked.length < BLOCKS_AT_ONCE;
  }

  /** Nothing but these bytes may be in their memory: it is moved to the other thread. */
  ask(bytes: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.asked.push({ resolve, reject });
      this.worker.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
    });
  }

  end(): void {
    void this.worker.terminate();
  }
}
