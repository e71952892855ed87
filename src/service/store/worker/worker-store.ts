import type { SqlValue } from '../../../lang/engines/sql/sql.ts';
import { ReadWriteLock } from '../../../lang/util/read-write-lock.ts';
import { makeEmptyFolder } from '../../storage/files.ts';
import type { LogSegment } from '../../storage/segment-folder.ts';
import type { DatabaseOptions } from '../duckdb/database.ts';
import { parseSnapshot } from '../duckdb/json-snapshot.ts';
import type { Flushed, RecordKind, Store, StoredEvent, StoredPerson, StoredVersion } from '../store.ts';
import { DatabaseLostError, StoreError } from '../store-error.ts';
import type { SnapshotOptions, StoreSnapshot } from '../store-snapshot.ts';
import type { Method, Methods } from './messages.ts';
import type { RemoteCall } from './remote-call.ts';
import { type WorkerExit, WorkerProcess, type WorkerProgram } from './worker-process.ts';

export interface WorkerStoreOptions extends DatabaseOptions {
  /** Told of each process that has ended without being asked to. */
  readonly onExit: (exit: LostWorker) => void;
}

/** A process that has ended by itself, or was killed for what it did not stop to do. */
export interface LostWorker extends WorkerExit {
  readonly reason: 'crashed' | 'ignored an interrupt';
}

/**
 * How long a statement that was interrupted may go on before its process is killed: DuckDB heeds interrupts as it runs,
 * but not as it plans.
 */
const INTERRUPT_MS = 3_000;

/** How long the database may take to close. */
const CLOSE_MS = 2_000;

/** How often an operation is tried whose process ends. */
const MAX_TRIES = 3;

const PROGRAM: WorkerProgram = { entry: new URL('./store-worker.js', import.meta.url) };

/** How an operation is done. */
interface Performance {
  /** Whether it is tried alone when it may be what ended the process; others are short, or take too long for that. */
  readonly isTriedAlone?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** What is done as soon as a try has had answers to so many calls. */
interface Clearance {
  readonly calls: number;
  readonly onCleared: () => void;
}

/** What one try of an operation had to do with the end of its process. */
type Part = 'culprit' | 'suspect' | 'bystander';

/** One try of an operation. */
class Try {
  private readonly calls: RemoteCall<Method>[] = [];
  private answered = 0;
  /** Set when the process ends. */
  part: Part | undefined;

  constructor(
    readonly worker: WorkerProcess,
    private readonly clearance?: Clearance,
  ) {}

  /** How many calls it has made. */
  get made(): number {
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
 * Records in files of DuckDB, in a process that may crash or be killed. It is started again when it is needed next, and
 * what was under way then is tried again, but for the operation that is to blame. Of several that may be, each reading
 * is tried alone until it is past the statement at which the process ended.
 */
export class WorkerStore implements Store {
  private readonly lock = new ReadWriteLock();
  private readonly tries = new Set<Try>();
  private worker: Promise<WorkerProcess> | undefined;
  /** The try that the process is killed for. */
  private condemned: Try | undefined;
  private isClosed = false;

  private constructor(
    private readonly options: WorkerStoreOptions,
    private readonly program: WorkerProgram,
  ) {}

  /** @throws {StoreError} where DuckDB is not installed, or does not take the options. */
  static async open(options: WorkerStoreOptions, program = PROGRAM): Promise<WorkerStore> {
    const store = new WorkerStore(options, program);
    await store.running();
    return store;
  }

  flush(version: StoredVersion, kind: RecordKind, segments: readonly LogSegment[]): Promise<void> {
    return this.finish('flush', version, kind, segments);
  }

  readFlushed(version: StoredVersion): Promise<Flushed> {
    return this.perform(async (one) => (await one.call('readFlushed', version).next()).value as Flushed);
  }

  verify(version: StoredVersion): Promise<void> {
    return this.finish('verify', version);
  }

  async *events(version: StoredVersion): AsyncGenerator<StoredEvent> {
    yield* this.records('events', version);
  }

  async *people(version: StoredVersion): AsyncGenerator<StoredPerson> {
    yield* this.records('people', version);
  }

  read<Result>(
    versions: readonly StoredVersion[],
    work: (reading: StoreSnapshot) => Promise<Result>,
    { signal }: SnapshotOptions = {},
  ): Promise<Result> {
    return this.perform((one) => this.lend(one, versions, work, signal), { isTriedAlone: true, signal });
  }

  drop(version: StoredVersion): Promise<void> {
    return this.finish('drop', version);
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.isClosed = true;
    const worker = await this.worker?.catch(() => undefined);
    await worker?.stop(CLOSE_MS);
  }

  /** The process, which is started where there is none. */
  private running(): Promise<WorkerProcess> {
    this.worker ??= this.start().catch((error) => {
      this.worker = undefined;
      throw error;
    });
    return this.worker;
  }

  private async start(): Promise<WorkerProcess> {
    const { onExit, ...options } = this.options;
    // A process that was killed leaves its temporary files behind.
    await makeEmptyFolder(options.temporaryFolder);
    return WorkerProcess.start(this.program, options, (exit) => {
      const reason = this.condemned === undefined ? 'crashed' : 'ignored an interrupt';
      this.worker = undefined;
      this.blame();
      if (!this.isClosed) onExit({ ...exit, reason });
    });
  }

  /** Says of what is under way, when its process ends, what it had to do with that. */
  private blame(): void {
    const open = [...this.tries].filter(({ part }) => part === undefined);
    const busy = open.filter(({ isBusy }) => isBusy);
    const culprit = this.condemned ?? (busy.length === 1 ? busy[0] : undefined);
    for (const one of open) {
      if (one === culprit) one.part = 'culprit';
      else one.part = culprit === undefined && busy.includes(one) ? 'suspect' : 'bystander';
    }
    this.condemned = undefined;
  }

  /** Does an operation, again where the process ends under it that another is to blame for. */
  private async perform<Result>(
    work: (one: Try) => Promise<Result>,
    { isTriedAlone = false, signal }: Performance = {},
  ): Promise<Result> {
    let suspectedCalls = 0;
    for (let tries = 1; ; tries++) {
      const leave = await this.lock.enter(suspectedCalls > 0, signal);
      let one: Try | undefined;
      try {
        one = await this.begin({ calls: suspectedCalls, onCleared: leave });
        return await work(one);
      } catch (error) {
        signal?.throwIfAborted();
        if (one?.part === undefined) throw error;
        if (one.part === 'culprit' || tries === MAX_TRIES || this.isClosed) throw lost(error);
        suspectedCalls = one.part === 'suspect' && isTriedAlone ? one.made : 0;
      } finally {
        if (one !== undefined) this.tries.delete(one);
        leave();
      }
    }
  }

  private async begin(clearance?: Clearance): Promise<Try> {
    if (this.isClosed) throw new StoreError('the store is closed');
    const one = new Try(await this.running(), clearance);
    this.tries.add(one);
    return one;
  }

  private finish<M extends 'flush' | 'verify' | 'drop'>(method: M, ...args: Methods[M]['args']): Promise<void> {
    return this.perform(async (one) => void (await one.call(method, ...args).next()));
  }

  /** Records that were handed out cannot be taken back: they are not read again. */
  private async *records<M extends 'events' | 'people'>(
    method: M,
    version: StoredVersion,
  ): AsyncGenerator<Methods[M]['value'][number]> {
    const one = await this.begin();
    try {
      for await (const some of one.call(method, version)) yield* some;
    } finally {
      this.tries.delete(one);
    }
  }

  private async lend<Result>(
    one: Try,
    versions: readonly StoredVersion[],
    work: (reading: StoreSnapshot) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const lending = one.call('read', versions);
    const interrupt = () => this.interrupt(one, lending);
    signal?.addEventListener('abort', interrupt);
    try {
      const { value: sources = [] } = await lending.next();
      signal?.throwIfAborted();
      const json = (sql: string, parameters: readonly SqlValue[]) => one.call('query', lending.call, sql, parameters);
      return await work(parseSnapshot({ versions: sources, json }, signal));
    } finally {
      signal?.removeEventListener('abort', interrupt);
      lending.cancel();
      // Until then it takes processors, of which each operation under way has its share.
      if (signal?.aborted) await lending.ended;
    }
  }

  private interrupt(one: Try, lending: RemoteCall<'read'>): void {
    lending.cancel();
    const timer = setTimeout(() => {
      if (one.part !== undefined) return;
      this.condemned = one;
      one.worker.kill();
    }, INTERRUPT_MS);
    lending.ended.then(() => clearTimeout(timer));
  }
}

function lost(cause: unknown): DatabaseLostError {
  return cause instanceof DatabaseLostError ? cause : new DatabaseLostError((cause as Error).message, { cause });
}
