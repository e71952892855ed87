import type { DuckDbStore } from '../duckdb/duck-db-store.ts';
import type { JsonSnapshot } from '../duckdb/json-snapshot.ts';
import type { StoredVersion } from '../store.ts';
import { StoreError } from '../store-error.ts';
import type { VersionSources } from '../store-snapshot.ts';
import {
  type BeginCall,
  type FromWorker,
  type SentError,
  sendError,
  type ToWorker,
  VALUES_PER_ACK,
  WINDOW_VALUES,
} from './messages.ts';

/** The number of records per value. */
const CHUNK_RECORDS = 1_000;

/** The worker's side of a running call. */
class ServedCall {
  private readonly cancelling = new AbortController();
  private window = WINDOW_VALUES;
  private wake = () => {};
  /** The open versions of a `read` call. */
  snapshot: JsonSnapshot | undefined;
  /** The running queries of a `read` call. */
  readonly queries = new Map<ServedCall, Promise<void>>();
  readonly cancelled = new Promise<void>((resolve) => this.signal.addEventListener('abort', () => resolve()));

  get signal(): AbortSignal {
    return this.cancelling.signal;
  }

  handle(step: 'ack' | 'cancel'): void {
    if (step === 'ack') this.window += VALUES_PER_ACK;
    else {
      for (const query of this.queries.keys()) query.handle('cancel');
      this.cancelling.abort();
    }
    this.wake();
  }

  /** Waits until a value can be sent. Returns false if the call was cancelled. */
  async waitForWindow(): Promise<boolean> {
    while (this.window === 0 && !this.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    this.window--;
    return !this.signal.aborted;
  }
}

/** Runs the calls of another process on a store. */
export class ServedCalls {
  private readonly calls = new Map<number, ServedCall>();

  constructor(
    private readonly store: DuckDbStore,
    private readonly send: (message: FromWorker) => void,
  ) {}

  handle(message: ToWorker): void {
    if ('step' in message) {
      this.calls.get(message.call)?.handle(message.step);
      return;
    }
    const call = new ServedCall();
    this.calls.set(message.call, call);
    const done = this.run(call, message);
    if (message.method !== 'query') return;
    const queries = this.calls.get(message.args[0])?.queries;
    queries?.set(call, done);
    done.then(() => queries?.delete(call));
  }

  private async run(call: ServedCall, message: BeginCall): Promise<void> {
    // The last value goes with the end: most calls have one, and each message wakes a process.
    let last: { readonly value?: unknown } = {};
    let end: { readonly failure?: SentError } = {};
    try {
      for await (const value of this.runMethod(call, message)) {
        if ('value' in last) {
          if (!(await call.waitForWindow())) break;
          this.send({ call: message.call, ...last });
        }
        last = { value };
      }
    } catch (error) {
      end = { failure: sendError(error) };
    }
    this.calls.delete(message.call);
    this.send({ call: message.call, ...last, end });
  }

  private async *runMethod(call: ServedCall, { call: number, method, args }: BeginCall): AsyncGenerator<unknown> {
    const { store } = this;
    switch (method) {
      case 'flush':
        return store.flush(...args);
      case 'drop':
        return store.drop(...args);
      case 'close':
        return store.close();
      case 'ping':
        return;
      case 'verify':
        return store.verify(...args);
      case 'optimize':
        yield await store.optimize(...args);
        return;
      case 'readFlushed':
        yield await store.readFlushed(...args);
        return;
      case 'events':
        return yield* collectChunks(store.events(...args));
      case 'people':
        return yield* collectChunks(store.people(...args));
      case 'read':
        return this.read(call, args[0], (sources) => this.send({ call: number, value: sources }));
      case 'query': {
        const [read, ...query] = args;
        const reader = this.calls.get(read);
        if (reader?.snapshot === undefined || reader.signal.aborted) throw new StoreError('the read has ended');
        yield* reader.snapshot.json(...query);
      }
    }
  }

  private read(
    call: ServedCall,
    versions: readonly StoredVersion[],
    sendSources: (sources: readonly VersionSources[]) => void,
  ): Promise<void> {
    const work = async (snapshot: JsonSnapshot) => {
      call.snapshot = snapshot;
      sendSources(snapshot.versions);
      await call.cancelled;
      // DuckDB closes a connection only when its statement has ended.
      await Promise.all(call.queries.values());
    };
    return this.store.readJson(versions, work, { signal: call.signal });
  }
}

/** Groups items into arrays. */
async function* collectChunks<Item>(items: AsyncIterable<Item>): AsyncGenerator<readonly Item[]> {
  let chunk: Item[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length < CHUNK_RECORDS) continue;
    yield chunk;
    chunk = [];
  }
  yield chunk;
}
