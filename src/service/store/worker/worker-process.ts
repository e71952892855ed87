import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { DuckDbStoreOptions } from '../duckdb/duck-db-store.ts';
import { DatabaseLostError } from '../store-error.ts';
import { type FromWorker, type Method, type Methods, receiveError, type ToWorker } from './messages.ts';
import { RemoteCall } from './remote-call.ts';

/** The program of a worker process. */
export interface WorkerProgram {
  /** The file to run. */
  readonly entry: URL;
  /** Options of Node.js. */
  readonly execArgv?: readonly string[];
}

/** The end of a worker process, with an exit code or by a signal. */
export interface WorkerExit {
  readonly pid: number;
  readonly code: number | null;
  readonly signal: string | null;
}

/** A child process that runs DuckDB. */
export class WorkerProcess {
  private readonly calls = new Map<number, RemoteCall<Method>>();
  private lastCall = 0;
  private exit: WorkerExit | undefined;
  private readonly exited: Promise<unknown>;

  private constructor(
    private readonly child: ChildProcess,
    onExit: (exit: WorkerExit) => void,
  ) {
    child.on('message', (message) => this.receive(message as FromWorker));
    this.exited = once(child, 'exit');
    child.once('exit', (code, signal) => {
      this.exit = { pid: child.pid as number, code, signal };
      onExit(this.exit);
      for (const call of this.calls.values()) call.end(createLostError(this.exit));
    });
  }

  /**
   * Starts a process and waits until it is ready.
   *
   * @param onExit called when the process ends later, before its calls fail
   * @throws {StoreError} if it cannot open a store.
   */
  static async start(
    { entry, execArgv }: WorkerProgram,
    options: DuckDbStoreOptions,
    onExit: (exit: WorkerExit) => void,
  ): Promise<WorkerProcess> {
    const child = fork(entry, [JSON.stringify(options)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      ...(execArgv !== undefined && { execArgv: [...execArgv] }),
    });
    // The last messages of a crashing runtime belong in the log of this process. If the child inherited standard error,
    // writes to it would block for its reader in this process too.
    child.stderr?.pipe(process.stderr, { end: false });
    const first: Promise<FromWorker> = new Promise((resolve, reject) => {
      child.once('message', (message) => resolve(message as FromWorker));
      child.once('exit', (code, signal) => reject(createLostError({ pid: child.pid as number, code, signal })));
      child.once('error', (error) => reject(new DatabaseLostError(error.message, { cause: error })));
    });
    const message = await first;
    if (!('failed' in message)) return new WorkerProcess(child, onExit);
    child.kill('SIGKILL');
    throw receiveError(message.failed);
  }

  /** Calls a method. */
  call<M extends Method>(method: M, ...args: Methods[M]['args']): RemoteCall<M> {
    const number = ++this.lastCall;
    const call = new RemoteCall(number, method, (step) => this.send({ call: number, step }));
    if (this.exit !== undefined) {
      call.end(createLostError(this.exit));
      return call;
    }
    this.calls.set(number, call as RemoteCall<never>);
    this.send({ call: number, method, args } as ToWorker);
    return call;
  }

  /** Ends the process at once. */
  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** Closes the store and ends the process, at the latest after the timeout. */
  async stop(timeoutMs: number): Promise<void> {
    const timer = setTimeout(() => this.kill(), timeoutMs);
    await this.call('close').ended;
    clearTimeout(timer);
    this.kill();
    await this.exited;
  }

  private receive(message: FromWorker): void {
    if (!('call' in message)) return;
    const call = this.calls.get(message.call);
    if ('value' in message) call?.receive(message.value as never);
    if (message.end === undefined) return;
    this.calls.delete(message.call);
    call?.end(message.end.failure && receiveError(message.end.failure));
  }

  private send(message: ToWorker): void {
    // If it cannot be sent, the process has ended, and its exit event ends the call.
    this.child.send(message, () => undefined);
  }
}

function createLostError({ code, signal }: WorkerExit): DatabaseLostError {
  return new DatabaseLostError(`the process of DuckDB ended with ${signal ?? `code ${code}`}`);
}
