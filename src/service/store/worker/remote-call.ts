import { type Method, type Methods, VALUES_PER_ACK } from './messages.ts';

/** The caller's side of a call of a worker. Iterates over the values that the worker sends. */
export class RemoteCall<M extends Method> implements AsyncIterableIterator<Methods[M]['value']> {
  private readonly values: Methods[M]['value'][] = [];
  private consumed = 0;
  private failure: Error | undefined;
  private isEnded = false;
  private wake = () => {};
  private resolveEnded = () => {};
  /** Resolves when the worker has finished the call, successfully or not. */
  readonly ended = new Promise<void>((resolve) => {
    this.resolveEnded = resolve;
  });
  private resolveAnswered = () => {};
  /** Resolves with the first value or the end. */
  readonly answered = new Promise<void>((resolve) => {
    this.resolveAnswered = resolve;
  });
  private isAnswered = false;

  constructor(
    /** The number of the call. */
    readonly call: number,
    readonly method: M,
    private readonly sendStep: (step: 'ack' | 'cancel') => void,
  ) {}

  /** Whether the worker is working on the call. A `read` that only keeps versions open is not work. */
  get isBusy(): boolean {
    return this.method === 'read' ? !this.isAnswered : !this.isEnded;
  }

  /** Waits for the next value. */
  async next(): Promise<IteratorResult<Methods[M]['value']>> {
    while (this.values.length === 0 && !this.isEnded) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    if (this.values.length > 0) {
      if (++this.consumed % VALUES_PER_ACK === 0 && !this.isEnded) this.sendStep('ack');
      return { done: false, value: this.values.shift() as Methods[M]['value'] };
    }
    if (this.failure !== undefined) throw this.failure;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Methods[M]['value']>> {
    this.cancel();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Tells the worker to stop. */
  cancel(): void {
    if (!this.isEnded) this.sendStep('cancel');
  }

  /** Adds a value from the worker. */
  receive(value: Methods[M]['value']): void {
    this.values.push(value);
    this.advance();
  }

  /** Ends the call, with an error if it failed. */
  end(failure: Error | undefined): void {
    this.failure = failure;
    this.isEnded = true;
    this.advance();
    this.resolveEnded();
  }

  private advance(): void {
    this.isAnswered = true;
    this.resolveAnswered();
    this.wake();
  }
}
