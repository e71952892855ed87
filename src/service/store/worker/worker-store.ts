import { fileURLToPath } from 'node:url';
import type { SqlValue } from '../../../lang/engines/sql/sql.ts';
import { ReadWriteLock } from '../../locks/read-write-lock.ts';
import { makeEmptyFolder } from '../../storage/files.ts';
import type { LogFile } from '../../storage/log-files.ts';
import type { DuckDbStoreOptions } from '../duckdb/duck-db-store.ts';
import { parseSnapshot } from '../duckdb/json-snapshot.ts';
import type { Flushed, RecordKind, Store, StoredEvent, StoredPerson, StoredVersion } from '../store.ts';
import { DatabaseBusyError, DatabaseLostError, StoreError } from '../store-error.ts';
import type { SnapshotOptions, StoreSnapshot } from '../store-snapshot.ts';
import { endOrphan } from './end-orphan.ts';
import type { Method, Methods } from './messages.ts';
import type { RemoteCall } from './remote-call.ts';
import { HEALTH_LIMITS, type HealthLimits, watchWorker } from './watch-worker.ts';
import { type WorkerExit, WorkerProcess, type WorkerProgram } from './worker-process.ts';

export interface WorkerStoreOptions extends DuckDbStoreOptions {
  /** Called when a process ends without being stopped. */
  readonly onExit: (exit: LostWorker) => void;
  readonly health?: HealthLimits;
}

/** A process that crashed or was killed. */
export interface LostWorker extends WorkerExit {
  readonly reason: 'crashed' | 'ignored an interrupt' | 'hung' | 'left behind by a killed server';
}

/**
 * The time that an interrupted statement may take to stop before its process is killed. DuckDB handles interrupts while
 * it executes a statement, but not while it plans one.
 */
const INTERRUPT_MS = 3_000;

/** The time limit for closing the database. */
const CLOSE_MS = 2_000;

/** The maximum number of attempts of an operation whose process ends. */
const MAX_ATTEMPTS = 3;

const PROGRAM: WorkerProgram = { entry: new URL('./store-worker.js', import.meta.url) };

interface RetryOptions {
  /** Whether a suspect of a crash is retried alone. Other operations are short, or too long for that. */
  readonly retriesAlone?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A callback for when an attempt has got answers to a number of calls. */
interface Clearance {
  readonly calls: number;
  readonly onCleared: () => void;
}

/** The role of an attempt in the end of its process. */
type Role = 'culprit' | 'suspect' | 'bystander';

/** One attempt of an operation. */
class Attempt {
  private readonly calls: RemoteCall<Method>[] = [];
  private answered = 0;
  /** Set when the process ends. */
  role: Role | undefined;

  constructor(
    readonly worker: WorkerProcess,
    private readonly clearance?: Clearance,
  ) {}

  /** The number of calls it has made. */
  get callCount(): number {
    return this.calls.length;
  }

  get isBusy(): boolean {
    return this.calls.some(({ isBusy }) => isBusy);
  }

  call<M extends Method>(method: M, ...args: Methods[M]['args']): RemoteCall<M> {
    const call = this.worker.call(method, ...args);
    this.calls.push(call as RemoteCall<never>);
    call.answered.then(() => {
      if (++this.answered === this.clearance?.calls) this.clearance.onCleared();
    });
    return call;
  }
}

/**
 * A DuckDB store in a child process, which may crash or be killed. The next operation starts a new process. Operations
 * that were running are retried, except the one that caused the crash. If several may have caused it, each read is
 * retried alone until it is past the statement at which the process ended.
 */
export class WorkerStore implements Store {
  private readonly lock = new ReadWriteLock();
  private readonly attempts = new Set<Attempt>();
  private worker: Promise<WorkerProcess> | undefined;
  /** The attempt that ignored an interrupt, for which the process is being killed. */
  private ignoring: Attempt | undefined;
  private isHung = false;
  private isClosed = false;

  private constructor(
    private readonly options: WorkerStoreOptions,
    private readonly program: WorkerProgram,
  ) {}

  /**
   * Starts the process.
   *
   * @throws {StoreError} if DuckDB is not installed or refuses the options.
   */
  static async open(options: WorkerStoreOptions, program = PROGRAM): Promise<WorkerStore> {
    const store = new WorkerStore(options, program);
    await store.getWorker();
    return store;
  }

  flush(version: StoredVersion, kind: RecordKind, files: readonly LogFile[]): Promise<void> {
    return this.run('flush', version, kind, files);
  }

  readFlushed(version: StoredVersion): Promise<Flushed> {
    return this.retry(async (attempt) => (await attempt.call('readFlushed', version).next()).value as Flushed);
  }

  verify(version: StoredVersion): Promise<void> {
    return this.run('verify', version);
  }

  async *events(version: StoredVersion): AsyncGenerator<StoredEvent> {
    yield* this.streamRecords('events', version);
  }

  async *people(version: StoredVersion): AsyncGenerator<StoredPerson> {
    yield* this.streamRecords('people', version);
  }

  read<Result>(
    versions: readonly StoredVersion[],
    work: (snapshot: StoreSnapshot) => Promise<Result>,
    { signal }: SnapshotOptions = {},
  ): Promise<Result> {
    return this.retry((attempt) => this.readIn(attempt, versions, work, signal), { retriesAlone: true, signal });
  }

  optimize(version: StoredVersion): Promise<boolean> {
    return this.retry(async (attempt) => (await attempt.call('optimize', version).next()).value as boolean);
  }

  drop(version: StoredVersion): Promise<void> {
    return this.run('drop', version);
  }

  /** Closes the store. Running operations fail. */
  async close(): Promise<void> {
    this.isClosed = true;
    const worker = await this.worker?.catch(() => undefined);
    await worker?.stop(CLOSE_MS);
  }

  /** Returns the process. Starts one if there is none. */
  private getWorker(): Promise<WorkerProcess> {
    this.worker ??= this.start().catch((error) => {
      this.worker = undefined;
      throw error;
    });
    return this.worker;
  }

  private async start(): Promise<WorkerProcess> {
    const { onExit, health = HEALTH_LIMITS, ...options } = this.options;
    // A killed process leaves its temporary files behind.
    await makeEmptyFolder(options.temporaryFolder);
    let unwatch = () => {};
    const worker = await WorkerProcess.start(this.program, options, (exit) => {
      unwatch();
      const reason = this.isHung ? 'hung' : this.ignoring === undefined ? 'crashed' : 'ignored an interrupt';
      this.isHung = false;
      this.worker = undefined;
      this.assignRoles();
      if (!this.isClosed) onExit({ ...exit, reason });
    });
    unwatch = watchWorker(worker, health, () => {
      this.isHung = true;
      worker.kill();
    });
    return worker;
  }

  /** Ends the process of a killed server that still has a file open. Returns whether there was one. */
  private async takeOver({ message }: DatabaseBusyError): Promise<boolean> {
    const { onlyFolder, onExit } = this.options;
    if (onlyFolder === undefined) return false;
    const folder = `"onlyFolder":${JSON.stringify(onlyFolder)}`;
    const isOwn = (args: readonly string[]) =>
      args.includes(fileURLToPath(this.program.entry)) && args.some((arg) => arg.includes(folder));
    const pid = await endOrphan(message, isOwn);
    if (pid === undefined) return false;
    onExit({ pid, code: null, signal: 'SIGKILL', reason: 'left behind by a killed server' });
    return true;
  }

  /** Sets the roles of the running attempts when their process has ended. */
  private assignRoles(): void {
    const open = [...this.attempts].filter(({ role }) => role === undefined);
    const busy = open.filter(({ isBusy }) => isBusy);
    const culprit = this.ignoring ?? (busy.length === 1 ? busy[0] : undefined);
    for (const attempt of open) {
      if (attempt === culprit) attempt.role = 'culprit';
      else attempt.role = culprit === undefined && busy.includes(attempt) ? 'suspect' : 'bystander';
    }
    this.ignoring = undefined;
  }

  /** Runs an operation, and retries it if another one ended its process. */
  private async retry<Result>(
    work: (attempt: Attempt) => Promise<Result>,
    { retriesAlone = false, signal }: RetryOptions = {},
  ): Promise<Result> {
    let suspectedCalls = 0;
    for (let attempts = 1; ; attempts++) {
      const leave = await this.lock.enter(suspectedCalls > 0, signal);
      let attempt: Attempt | undefined;
      try {
        attempt = await this.begin({ calls: suspectedCalls, onCleared: leave });
        return await work(attempt);
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof DatabaseBusyError && attempts < MAX_ATTEMPTS && (await this.takeOver(error))) continue;
        if (attempt?.role === undefined) throw error;
        if (attempt.role === 'culprit' || attempts === MAX_ATTEMPTS || this.isClosed) throw toLostError(error);
        suspectedCalls = attempt.role === 'suspect' && retriesAlone ? attempt.callCount : 0;
      } finally {
        if (attempt !== undefined) this.attempts.delete(attempt);
        leave();
      }
    }
  }

  private async begin(clearance?: Clearance): Promise<Attempt> {
    if (this.isClosed) throw new StoreError('the store is closed');
    const attempt = new Attempt(await this.getWorker(), clearance);
    this.attempts.add(attempt);
    return attempt;
  }

  private run<M extends 'flush' | 'verify' | 'drop'>(method: M, ...args: Methods[M]['args']): Promise<void> {
    return this.retry(async (attempt) => void (await attempt.call(method, ...args).next()));
  }

  /** Streams records. Never retries, because the caller has already used the first ones. */
  private async *streamRecords<M extends 'events' | 'people'>(
    method: M,
    version: StoredVersion,
  ): AsyncGenerator<Methods[M]['value'][number]> {
    const attempt = await this.begin();
    try {
      for await (const records of attempt.call(method, version)) yield* records;
    } finally {
      this.attempts.delete(attempt);
    }
  }

  private async readIn<Result>(
    attempt: Attempt,
    versions: readonly StoredVersion[],
    work: (snapshot: StoreSnapshot) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const reading = attempt.call('read', versions);
    const interrupt = () => this.interrupt(attempt, reading);
    signal?.addEventListener('abort', interrupt);
    try {
      const { value: sources = [] } = await reading.next();
      signal?.throwIfAborted();
      const json = (sql: string, parameters: readonly SqlValue[]) =>
        attempt.call('query', reading.call, sql, parameters);
      return await work(parseSnapshot({ versions: sources, json }, signal));
    } finally {
      signal?.removeEventListener('abort', interrupt);
      reading.cancel();
      // Until then it uses CPU time that other running operations need.
      if (signal?.aborted) await reading.ended;
    }
  }

  private interrupt(attempt: Attempt, reading: RemoteCall<'read'>): void {
    reading.cancel();
    const timer = setTimeout(() => {
      if (attempt.role !== undefined) return;
      this.ignoring = attempt;
      attempt.worker.kill();
    }, INTERRUPT_MS);
    reading.ended.then(() => clearTimeout(timer));
  }
}

function toLostError(cause: unknown): DatabaseLostError {
  return cause instanceof DatabaseLostError ? cause : new DatabaseLostError((cause as Error).message, { cause });
}
