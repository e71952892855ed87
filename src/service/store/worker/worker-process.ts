import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { DatabaseOptions } from '../duckdb/database.ts';
import { DatabaseLostError } from '../store-error.ts';
import { type FromWorker, type Method, type Methods, receiveError, type ToWorker } from './messages.ts';
import { RemoteCall } from './remote-call.ts';

/** How a process of DuckDB is started. */
export interface WorkerProgram {
  /** The file that it runs. */
  readonly entry: URL;
  /** Options of Node.js. */
  readonly execArgv?: readonly string[];
}

/** How a process ended: with an exit code or by a signal. */
export interface WorkerExit {
  readonly pid: number;
  readonly code: number | null;
  readonly signal: string | null;
}

/** A process with DuckDB in it. */
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
      for (const call of this.calls.values()) call.end(lost(this.exit));
    });
  }

  /**
   * Starts one, and waits until it can be called. From then on, `onExit` is told when it ends, before its calls are.
   *
   * @throws {StoreError} where it cannot open a store.
   */
  static async start(
    { entry, execArgv }: WorkerProgram,
    options: DatabaseOptions,
    onExit: (exit: WorkerExit) => void,
  ): Promise<WorkerProcess> {
    const child = fork(entry, [JSON.stringify(options)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      ...(execArgv !== undefined && { execArgv: [...execArgv] }),
    });
    // The last words of a runtime belong in the log of whoever started it. A process that inherited standard error would make writing
    // to it wait for its reader, here too.
    child.stderr?.pipe(process.stderr, { end: false });
    const first: Promise<FromWorker> = new Promise((resolve, reject) => {
      child.once('message', (message) => resolve(message as FromWorker));
      child.once('exit', (code, signal) => reject(lost({ pid: child.pid as number, code, signal })));
      child.once('error', (error) => reject(new DatabaseLostError(error.message, { cause: error })));
    });
    const said = await first;
    if (!('failed' in said)) return new WorkerProcess(child, onExit);
    child.kill('SIGKILL');
    throw receiveError(said.failed);
  }

  /** Calls a method. */
  call<M extends Method>(method: M, ...args: Methods[M]['args']): RemoteCall<M> {
    const number = ++this.lastCall;
    const call = new RemoteCall(number, method, (step) => this.tell({ call: number, step }));
    if (this.exit !== undefined) {
      call.end(lost(this.exit));
      return call;
    }
    this.calls.set(number, call as RemoteCall<never>);
    this.tell({ call: number, method, args } as ToWorker);
    return call;
  }

  /** Ends it at once, whatever it is at. */
  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** Closes its store, and ends it when that is done, or not done in time. */
  async stop(patienceMs: number): Promise<void> {
    const timer = setTimeout(() => this.kill(), patienceMs);
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

  private tell(message: ToWorker): void {
    // What cannot be sent any more is ended when the process is seen to have ended.
    this.child.send(message, () => undefined);
  }
}

function lost({ code, signal }: WorkerExit): DatabaseLostError {
  return new DatabaseLostError(`the process of DuckDB ended with ${signal ?? `code ${code}`}`);
}
