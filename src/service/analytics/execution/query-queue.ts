import { pluralize } from '../../../base/strings.ts';
import { QueryLimitError } from '../../../queries/errors.ts';
import { FairSemaphore } from '../../locks/fair-semaphore.ts';
import { raceAbort } from '../../locks/race-abort.ts';
import { noteTrace } from '../query-trace.ts';

export interface QueueLimits {
  /** The number of queries that run at once. */
  readonly atOnce: number;
  /** The number of further queries of each project that may wait. */
  readonly waiting: number;
  /** The maximum run time, and before it the maximum wait, in seconds. */
  readonly seconds: number;
}

/** Runs a few queries at once and queues the others. Projects take turns. */
export class QueryQueue {
  private readonly slots: FairSemaphore;
  /** How long all queries together have waited for their turns and run, in milliseconds. */
  readonly spent = { waiting: 0, running: 0 };

  constructor(private readonly limits: QueueLimits) {
    this.slots = new FairSemaphore(limits.atOnce);
  }

  /** The number of running and of waiting queries. */
  get load(): { readonly running: number; readonly waiting: number } {
    return this.slots.load;
  }

  /**
   * Runs `work` when its turn comes. The signal passed to it is aborted when no one needs the result; its slot stays
   * taken until it ends.
   *
   * @throws {QueryLimitError} if the queue is full or a time limit is exceeded
   * @throws the reason of `signal`
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
    const leave = await this.measure('waiting', () =>
      this.slots.enter(project, async (turn) => {
        // The count includes this query.
        if (this.slots.countWaiting(project) > this.limits.waiting) throw overload;
        return this.limitTime(overload, signal, () => turn);
      }),
    );
    return this.limitTime(new QueryLimitError('time limit', this.createTimeoutMessage()), signal, (limited) => {
      const working = this.measure('running', async () => {
        limited.throwIfAborted();
        return work(limited);
      });
      working.then(leave, leave);
      return working;
    });
  }

  private async measure<Result>(phase: keyof QueryQueue['spent'], work: () => Promise<Result>): Promise<Result> {
    const started = performance.now();
    try {
      return await work();
    } finally {
      const milliseconds = performance.now() - started;
      this.spent[phase] += milliseconds;
      noteTrace(({ spent }) => {
        spent[phase] += milliseconds;
      });
    }
  }

  private async limitTime<Result>(
    error: QueryLimitError,
    signal: AbortSignal,
    work: (limited: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(error), this.limits.seconds * 1000);
    const either = AbortSignal.any([signal, limit.signal]);
    try {
      return await raceAbort(either, work(either));
    } finally {
      clearTimeout(timer);
    }
  }

  private createTimeoutMessage(): string {
    const time = pluralize(this.limits.seconds, 'second');
    return `The query takes over ${time}, longer than a query may: ask for less, such as fewer days or segments.`;
  }
}
