import { counted } from '../util/counted.ts';
import { unlessAborted } from '../util/unless-aborted.ts';
import { DeskError } from './desk-error.ts';

export interface TurnLimits {
  /** How many queries run at once. */
  readonly atOnce: number;
  /** How many more of each project may wait for their turn. */
  readonly waiting: number;
  /** How long each may run, and before that may wait. */
  readonly seconds: number;
}

/** The queries of a project. */
interface Queue {
  running: number;
  /** The number of its last turn. */
  lastTurn: number;
  readonly waiting: Set<() => void>;
}

/**
 * Lets a few queries run at once; others wait. The next turn is that of the project with the fewest running, and of several, the one that
 * has waited for a turn the longest: however many ask for a project, a query of another waits for one to end and no more.
 */
export class QueryTurns {
  private readonly queues = new Map<string, Queue>();
  private turns = 0;

  constructor(private readonly limits: TurnLimits) {}

  /** How many run now, and how many wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    let [running, waiting] = [0, 0];
    for (const queue of this.queues.values()) {
      running += queue.running;
      waiting += queue.waiting.size;
    }
    return { running, waiting };
  }

  /**
   * Does `work` when its turn comes. The signal that it is given says when nobody wants its result any more; its turn lasts until it
   * ends nevertheless.
   *
   * @throws {DeskError}; the reason of `signal`
   */
  async take<Result>(
    project: string,
    work: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    signal.throwIfAborted();
    if (this.load.running < this.limits.atOnce) this.begin(project);
    else await this.turn(project, signal);
    return this.within(new DeskError('time limit', this.tooLong()), signal, (limited) => {
      const working = (async () => {
        limited.throwIfAborted();
        return work(limited);
      })();
      const end = () => this.end(project);
      working.then(end, end);
      return working;
    });
  }

  private async turn(project: string, signal: AbortSignal): Promise<void> {
    const overload = new DeskError(
      'overload',
      'The server has as many queries as it can answer: repeat this one later.',
    );
    const { waiting } = this.queueOf(project);
    if (waiting.size >= this.limits.waiting) throw overload;
    let start = () => {};
    const turn = new Promise<void>((resolve) => {
      start = resolve;
    });
    waiting.add(start);
    try {
      await this.within(overload, signal, () => turn);
    } catch (error) {
      // A turn that came in the same moment is for the next.
      if (waiting.delete(start)) this.forget(project);
      else this.end(project);
      throw error;
    }
  }

  private begin(project: string): void {
    const queue = this.queueOf(project);
    queue.running++;
    queue.lastTurn = ++this.turns;
  }

  /** Whoever waits takes over the place of who is done. */
  private end(project: string): void {
    this.queueOf(project).running--;
    const [next] = [...this.queues]
      .filter(([, { waiting }]) => waiting.size > 0)
      .sort(([, one], [, other]) => one.running - other.running || one.lastTurn - other.lastTurn);
    if (next !== undefined) {
      const [name, { waiting }] = next;
      const [start] = waiting;
      if (start !== undefined) {
        waiting.delete(start);
        this.begin(name);
        start();
      }
    }
    this.forget(project);
  }

  private queueOf(project: string): Queue {
    const queue = this.queues.get(project) ?? { running: 0, lastTurn: 0, waiting: new Set() };
    this.queues.set(project, queue);
    return queue;
  }

  /** A project without queries needs no queue. */
  private forget(project: string): void {
    const queue = this.queues.get(project);
    if (queue?.running === 0 && queue.waiting.size === 0) this.queues.delete(project);
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
