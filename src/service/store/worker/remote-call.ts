import { type Method, type Methods, VALUES_TOLD } from './messages.ts';

/** A call of a worker: the values that it sends, until it ends. */
export class RemoteCall<M extends Method> implements AsyncIterableIterator<Methods[M]['value']> {
  private readonly values: Methods[M]['value'][] = [];
  private taken = 0;
  private failure: Error | undefined;
  private isEnded = false;
  private wake = () => {};
  private settle = () => {};
  /** Comes when the worker has nothing more to do for it, whether it did well or not. */
  readonly ended = new Promise<void>((resolve) => {
    this.settle = resolve;
  });
  private answer = () => {};
  /** Comes with the first value, or the end. */
  readonly answered = new Promise<void>((resolve) => {
    this.answer = resolve;
  });
  private isAnswered = false;

  constructor(
    /** Its number. */
    readonly call: number,
    readonly method: M,
    private readonly tell: (step: 'taken' | 'cancel') => void,
  ) {}

  /** Whether the worker works for it. What a `read` lends takes no work. */
  get isBusy(): boolean {
    return this.method === 'read' ? !this.isAnswered : !this.isEnded;
  }

  /** The next value. */
  async next(): Promise<IteratorResult<Methods[M]['value']>> {
    while (this.values.length === 0 && !this.isEnded) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    if (this.values.length > 0) {
      if (++this.taken % VALUES_TOLD === 0 && !this.isEnded) this.tell('taken');
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

  /** Has the worker stop. */
  cancel(): void {
    if (!this.isEnded) this.tell('cancel');
  }

  /** A value that the worker has sent. */
  receive(value: Methods[M]['value']): void {
    this.values.push(value);
    this.advance();
  }

  /** How the call has ended. */
  end(failure: Error | undefined): void {
    this.failure = failure;
    this.isEnded = true;
    this.advance();
    this.settle();
  }

  private advance(): void {
    this.isAnswered = true;
    this.answer();
    this.wake();
  }
}
