import { counted } from '../util/counted.ts';
import { unlessAborted } from '../util/unless-aborted.ts';
import { DeskError } from './desk-error.ts';

export interface TurnLimits {
  /** How many queries run at once. */
  readonly atOnce: number;
  /** How many more may wait for their turn. */
  readonly waiting: number;
  /** How long each may run, and before that may wait. */
  readonly seconds: number;
}

/** Lets a few queries run at once; others wait, and whichever came first is next. */
export class QueryTurns {
  private underWay = 0;
  private readonly queue = new Set<() => void>();

  constructor(private readonly limits: TurnLimits) {}

  /** How many run now, and how many wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.underWay, waiting: this.queue.size };
  }

  /**
   * Does `work` when its turn comes. The signal that it is given says when nobody wants its result any more; its turn lasts until it
   * ends nevertheless.
   *
   * @throws {DeskError}; the reason of `signal`
   */
  async take<Result>(work: (signal: AbortSignal) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    signal.throwIfAborted();
    if (this.underWay < this.limits.atOnce) this.underWay++;
    else await this.turn(signal);
    return this.within(new DeskError('time limit', this.tooLong()), signal, (limited) => {
      const working = (async () => {
        limited.throwIfAborted();
        return work(limited);
      })();
      const end = () => this.next();
      working.then(end, end);
      return working;
    });
  }

  private async turn(signal: AbortSignal): Promise<void> {
    const overload = new DeskError(
      'overload',
      'The server has as many queries as it can answer: repeat this one later.',
    );
    if (this.queue.size >= this.limits.waiting) throw overload;
    let start = () => {};
    const turn = new Promise<void>((resolve) => {
      start = resolve;
    });
    this.queue.add(start);
    try {
      await this.within(overload, signal, () => turn);
    } catch (error) {
      // A turn that came in the same moment is for the next.
      if (!this.queue.delete(start)) this.next();
      throw error;
    }
  }

  /** Whoever waits takes over the place of who is done. */
  private next(): void {
    const [start] = this.queue;
    if (start === undefined) {
      this.underWay--;
      return;
    }
    this.queue.delete(start);
    start();
  }

  private async within<Result>(
    late: DeskError,
    signal: AbortSignal,
    work: (limited: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(late), this.limits.seconds * 1000);
    const either = AbortSignal.any([signal, limit.signal]);
    try {
      return await unlessAborted(either, work(either));
    } finally {
      clearTimeout(timer);
    }
  }

  private tooLong(): string {
    const time = counted(this.limits.seconds, 'second');
    return `The query takes over ${time}, longer than a query may: ask for less, such as fewer days or segments.`;
  }
}
