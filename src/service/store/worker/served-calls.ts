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
  VALUES_AHEAD,
  VALUES_TOLD,
} from './messages.ts';

/** How many records are sent as one value. */
const RECORDS_AT_ONCE = 1_000;

/** A call while it is answered. */
class ServedCall {
  private readonly cancelling = new AbortController();
  private room = VALUES_AHEAD;
  private wake = () => {};
  /** What a `read` lends, and the queries of it. */
  reading: JsonSnapshot | undefined;
  readonly queries = new Map<ServedCall, Promise<void>>();
  readonly cancelled = new Promise<void>((resolve) => this.signal.addEventListener('abort', () => resolve()));

  get signal(): AbortSignal {
    return this.cancelling.signal;
  }

  take(step: 'taken' | 'cancel'): void {
    if (step === 'taken') this.room += VALUES_TOLD;
    else {
      for (const query of this.queries.keys()) query.take('cancel');
      this.cancelling.abort();
    }
    this.wake();
  }

  /** Waits until a value can be sent. Answers false once nobody wants any. */
  async hasRoom(): Promise<boolean> {
    while (this.room === 0 && !this.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    this.room--;
    return !this.signal.aborted;
  }
}

/** Answers the calls of another process with a store. */
export class ServedCalls {
  private readonly calls = new Map<number, ServedCall>();

  constructor(
    private readonly store: DuckDbStore,
    private readonly send: (message: FromWorker) => void,
  ) {}

  take(message: ToWorker): void {
    if ('step' in message) {
      this.calls.get(message.call)?.take(message.step);
      return;
    }
    const call = new ServedCall();
    this.calls.set(message.call, call);
    const answered = this.answer(call, message);
    if (message.method !== 'query') return;
    const queries = this.calls.get(message.args[0])?.queries;
    queries?.set(call, answered);
    answered.then(() => queries?.delete(call));
  }

  private async answer(call: ServedCall, message: BeginCall): Promise<void> {
    // The last value goes with the end: most calls have one, and each message wakes a process.
    let held: { readonly value?: unknown } = {};
    let end: { readonly failure?: SentError } = {};
    try {
      for await (const value of this.valuesOf(call, message)) {
        if ('value' in held) {
          if (!(await call.hasRoom())) break;
          this.send({ call: message.call, ...held });
        }
        held = { value };
      }
    } catch (error) {
      end = { failure: sendError(error) };
    }
    this.calls.delete(message.call);
    this.send({ call: message.call, ...held, end });
  }

  private async *valuesOf(call: ServedCall, { call: number, method, args }: BeginCall): AsyncGenerator<unknown> {
    const { store } = this;
    switch (method) {
      case 'flush':
        return store.flush(...args);
      case 'drop':
        return store.drop(...args);
      case 'close':
        return store.close();
      case 'verify':
        return store.verify(...args);
      case 'readFlushed':
        yield await store.readFlushed(...args);
        return;
      case 'events':
        return yield* gathered(store.events(...args));
      case 'people':
        return yield* gathered(store.people(...args));
      case 'read':
        return this.read(call, args[0], (sources) => this.send({ call: number, value: sources }));
      case 'query': {
        const [read, ...asked] = args;
        const lender = this.calls.get(read);
        if (lender?.reading === undefined || lender.signal.aborted) throw new StoreError('the reading has ended');
        yield* lender.reading.json(...asked);
      }
    }
  }

  private read(
    call: ServedCall,
    versions: readonly StoredVersion[],
    tell: (sources: readonly VersionSources[]) => void,
  ): Promise<void> {
    const work = async (reading: JsonSnapshot) => {
      call.reading = reading;
      tell(reading.versions);
      await call.cancelled;
      // DuckDB lets go of a connection only when its statement has ended.
      await Promise.all(call.queries.values());
    };
    return this.store.readJson(versions, work, { signal: call.signal });
  }
}

async function* gathered<Item>(items: AsyncIterable<Item>): AsyncGenerator<readonly Item[]> {
  let some: Item[] = [];
  for await (const item of items) {
    some.push(item);
    if (some.length < RECORDS_AT_ONCE) continue;
    yield some;
    some = [];
  }
  yield some;
}
