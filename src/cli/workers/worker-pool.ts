import { Worker } from 'node:worker_threads';
import type { EventRecord } from '../../data/event-record.ts';
import type { LineBlock } from '../input/split-line-blocks.ts';
import type { Io } from '../io.ts';
import type { MakeAggregator } from './aggregator.ts';
import { ChunkProcessor, type ChunkResult } from './chunk-processor.ts';
import type { Job, JobKind, JobParts } from './job.ts';

/** The number of threads and when to start them. */
export interface ThreadOptions {
  /** The number of workers in addition to this thread. */
  readonly workers: number;
  /**
   * Workers start once this thread has worked this many milliseconds longer than it has waited. For small jobs, or if
   * reading is the bottleneck, starting them would cost more than it saves.
   */
  readonly after: number;
  /** The file that workers run. */
  readonly entry: URL;
}

/** More workers are faster than one thread can read. */
const MAX_WORKERS = 7;

/** Returns the default options for this machine. */
export function chooseThreads({ spareThreads }: Io): ThreadOptions {
  return {
    workers: Math.min(spareThreads, MAX_WORKERS),
    after: 500,
    entry: new URL('./worker.js', import.meta.url),
  };
}

/** The number of blocks per worker: one in progress and one queued. */
const BLOCKS_PER_WORKER = 2;

/** Runs a job in this thread and, if it takes long, in worker threads too. */
export class WorkerPool<K extends JobKind> {
  private processor: ChunkProcessor<K>;
  private workers: PoolWorker<ChunkResult<JobParts[K]>>[] = [];
  private readonly begin = performance.now();
  private worked = 0;

  /** Throws if an expression does not compile. */
  constructor(
    private job: Job<K>,
    private readonly threads: ThreadOptions,
    private readonly make: MakeAggregator<K>,
  ) {
    this.processor = new ChunkProcessor(job, make);
  }

  /** The names of the properties that the expressions read. */
  get propertyNames(): string[] {
    return this.processor.propertyNames;
  }

  /** Whether an expression reads the name of the event. */
  get readsEventName(): boolean {
    return this.processor.readsEventName;
  }

  /** Replaces the job before any work has begun, with the same expressions. */
  setJob(job: Job<K>): void {
    this.job = job;
    this.processor = new ChunkProcessor(job, this.make);
  }

  /** The maximum number of pending results: enough to keep all threads busy without wasting memory. */
  get room(): number {
    return 4 * BLOCKS_PER_WORKER * this.workers.length;
  }

  /** Processes parsed records in this thread. */
  processRecords(records: readonly EventRecord[]): ChunkResult<JobParts[K]> {
    return this.processor.processRecords(records);
  }

  /** Processes lines in a free worker or, if there is none, in this thread. */
  processLines(block: LineBlock): ChunkResult<JobParts[K]> | Promise<ChunkResult<JobParts[K]>> {
    if (this.workers.length === 0) this.startWorkers();
    const worker = block.problem === undefined ? this.workers.find(({ hasRoom }) => hasRoom) : undefined;
    return worker?.send(block) ?? this.processHere(block);
  }

  private startWorkers(): void {
    const { entry, workers, after } = this.threads;
    const waited = performance.now() - this.begin - this.worked;
    if (this.worked - waited < after) return;
    this.workers = Array.from({ length: workers }, () => new PoolWorker(entry, this.job));
  }

  private processHere(block: LineBlock): ChunkResult<JobParts[K]> {
    const begin = performance.now();
    const result = this.processor.processLines(block);
    block.memory?.give(block.bytes);
    this.worked += performance.now() - begin;
    return result;
  }

  /** Terminates the workers. */
  close(): void {
    for (const worker of this.workers) worker.end();
  }
}

/** The reply of a worker to a block of lines. */
export interface WorkerReply<Result> {
  readonly result: Result;
  /** The memory of the block. */
  readonly memory: ArrayBuffer;
}

/** A worker thread. It returns results in the order of the requests. */
class PoolWorker<Result> {
  private readonly worker: Worker;
  private readonly pending: {
    resolve: (reply: WorkerReply<Result>) => void;
    reject: (error: unknown) => void;
  }[] = [];
  private failed = false;

  constructor(entry: URL, workerData: unknown) {
    this.worker = new Worker(entry, { workerData });
    this.worker.on('message', (reply: WorkerReply<Result>) => this.pending.shift()?.resolve(reply));
    this.worker.on('error', (error) => {
      this.failed = true;
      for (const { reject } of this.pending) reject(error);
    });
  }

  get hasRoom(): boolean {
    return !this.failed && this.pending.length < BLOCKS_PER_WORKER;
  }

  /** Transfers the block to the worker, which transfers its memory back. No other bytes may share its memory. */
  async send({ bytes, memory }: LineBlock): Promise<Result> {
    const reply = await new Promise<WorkerReply<Result>>((resolve, reject) => {
      this.pending.push({ resolve, reject });
      this.worker.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
    });
    memory?.give(bytes, reply.memory);
    return reply.result;
  }

  end(): void {
    void this.worker.terminate();
  }
}
