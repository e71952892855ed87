import { FairSemaphore } from '../../lang/util/fair-semaphore.ts';
import { raceAbort } from '../../lang/util/race-abort.ts';
import { pluralize } from '../../lang/util/strings.ts';
import { QueryLimitError } from './errors.ts';

export interface QueueLimits {
  /** How many queries run at once. */
  readonly atOnce: number;
  /** How many more of each project may wait for their turn. */
  readonly waiting: number;
  /** How long each may run, and before that may wait. */
  readonly seconds: number;
}

/** Lets a few queries run at once; others wait, and projects take turns. */
export class QueryQueue {
  private readonly slots: FairSemaphore;

  constructor(private readonly limits: QueueLimits) {
    this.slots = new FairSemaphore(limits.atOnce);
  }

  /** How many run now, and how many wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    return this.slots.load;
  }

  /**
   * Does `work` when its turn comes. The signal that it is given says when nobody wants its result any more; its turn lasts until it
   * ends nevertheless.
   *
   * @throws {QueryLimitError}; the reason of `signal`
   */
  async take<Result>(
    project: string,
    work: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    signal.throwIfAborted();
    const overload = new QueryLimitError(
      'overload',
      'The server has as many queries as it can answer: repeat this one later.',
    );
    const leave = await this.slots.enter(project, async (turn) => {
      // This one is among them.
      if (this.slots.waitingOf(project) > this.limits.waiting) throw overload;
      return this.within(overload, signal, () => turn);
    });
    return this.within(new QueryLimitError('time limit', this.tooLong()), signal, (limited) => {
      const working = (async () => {
        limited.throwIfAborted();
        return work(limited);
      })();
      working.then(leave, leave);
      return working;
    });
  }

  private async within<Result>(
    late: QueryLimitError,
    signal: AbortSignal,
    work: (limited: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(late), this.limits.seconds * 1000);
    const either = AbortSignal.any([signal, limit.signal]);
    try {
      return await raceAbort(either, work(either));
    } finally {
      clearTimeout(timer);
    }
  }

  private tooLong(): string {
    const time = pluralize(this.limits.seconds, 'second');
    return `The query takes over ${time}, longer than a query may: ask for less, such as fewer days or segments.`;
  }
}
