/** The running and waiting tasks of a holder. */
interface Queue {
  running: number;
  /** The number of its last start, counted over all holders. */
  lastStart: number;
  readonly waiting: Set<() => void>;
}

/**
 * A semaphore that several holders, such as projects, share. The next task is from the holder with the fewest running
 * tasks or, among several, from the one that has not started a task for the longest time. So no holder can make another
 * wait for more than one task to end.
 */
export class FairSemaphore {
  private readonly queues = new Map<string, Queue>();
  private starts = 0;

  /** @param max The maximum number of tasks at once. */
  constructor(private readonly max: number) {}

  /** The numbers of running and waiting tasks. */
  get load(): { readonly running: number; readonly waiting: number } {
    let [running, waiting] = [0, 0];
    for (const queue of this.queues.values()) {
      running += queue.running;
      waiting += queue.waiting.size;
    }
    return { running, waiting };
  }

  /** Returns the number of waiting tasks of a holder. */
  countWaiting(holder: string): number {
    return this.queues.get(holder)?.waiting.size ?? 0;
  }

  /**
   * Starts a task once there is room, and returns a function that ends it. If there is no room at once, calls `wait`
   * with a promise for the start. If `wait` throws, the task is abandoned.
   */
  async enter(holder: string, wait: (turn: Promise<void>) => Promise<void>): Promise<() => void> {
    if (this.load.running < this.max) this.begin(holder);
    else await this.enqueue(holder, wait);
    return () => this.end(holder);
  }

  private async enqueue(holder: string, wait: (turn: Promise<void>) => Promise<void>): Promise<void> {
    const { waiting } = this.getQueue(holder);
    let start = () => {};
    const turn = new Promise<void>((resolve) => {
      start = resolve;
    });
    waiting.add(start);
    try {
      await wait(turn);
    } catch (error) {
      // The task may have been started at the same moment: then it ends at once.
      if (waiting.delete(start)) this.removeIfIdle(holder);
      else this.end(holder);
      throw error;
    }
  }

  private begin(holder: string): void {
    const queue = this.getQueue(holder);
    queue.running++;
    queue.lastStart = ++this.starts;
  }

  /** Ends a task and starts the next one. */
  private end(holder: string): void {
    this.getQueue(holder).running--;
    const [next] = [...this.queues]
      .filter(([, { waiting }]) => waiting.size > 0)
      .sort(([, one], [, other]) => one.running - other.running || one.lastStart - other.lastStart);
    const [name, { waiting }] = next ?? [holder, this.getQueue(holder)];
    const [start] = waiting;
    if (start !== undefined) {
      waiting.delete(start);
      this.begin(name);
      start();
    }
    this.removeIfIdle(holder);
  }

  private getQueue(holder: string): Queue {
    const queue = this.queues.get(holder) ?? { running: 0, lastStart: 0, waiting: new Set() };
    this.queues.set(holder, queue);
    return queue;
  }

  private removeIfIdle(holder: string): void {
    const queue = this.queues.get(holder);
    if (queue?.running === 0 && queue.waiting.size === 0) this.queues.delete(holder);
  }
}
