/** The turns that a holder has and wants. */
interface Queue {
  running: number;
  /** The number of its last turn. */
  lastTurn: number;
  readonly waiting: Set<() => void>;
}

/**
 * Does so many things at once for several holders, such as projects; others wait. The next turn is that of the holder with the fewest running
 * and, of several, the one whose last turn is the longest ago: however much one asks for, another waits for one thing to end and no more.
 */
export class FairSemaphore {
  private readonly queues = new Map<string, Queue>();
  private turns = 0;

  constructor(private readonly atOnce: number) {}

  /** How many things run now, and how many wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    let [running, waiting] = [0, 0];
    for (const queue of this.queues.values()) {
      running += queue.running;
      waiting += queue.waiting.size;
    }
    return { running, waiting };
  }

  /** How many things of a holder wait. */
  waitingOf(holder: string): number {
    return this.queues.get(holder)?.waiting.size ?? 0;
  }

  /** Begins a thing when its turn comes, and answers how to end it. It is given up where `wait` throws, which is not called where it begins at once. */
  async enter(holder: string, wait: (turn: Promise<void>) => Promise<void>): Promise<() => void> {
    if (this.load.running < this.atOnce) this.begin(holder);
    else await this.turn(holder, wait);
    return () => this.end(holder);
  }

  private async turn(holder: string, wait: (turn: Promise<void>) => Promise<void>): Promise<void> {
    const { waiting } = this.queueOf(holder);
    let start = () => {};
    const turn = new Promise<void>((resolve) => {
      start = resolve;
    });
    waiting.add(start);
    try {
      await wait(turn);
    } catch (error) {
      // A turn that came in the same moment is for the next.
      if (waiting.delete(start)) this.forget(holder);
      else this.end(holder);
      throw error;
    }
  }

  private begin(holder: string): void {
    const queue = this.queueOf(holder);
    queue.running++;
    queue.lastTurn = ++this.turns;
  }

  /** Whoever waits takes over the place of who is done. */
  private end(holder: string): void {
    this.queueOf(holder).running--;
    const [next] = [...this.queues]
      .filter(([, { waiting }]) => waiting.size > 0)
      .sort(([, one], [, other]) => one.running - other.running || one.lastTurn - other.lastTurn);
    const [name, { waiting }] = next ?? [holder, this.queueOf(holder)];
    const [start] = waiting;
    if (start !== undefined) {
      waiting.delete(start);
      this.begin(name);
      start();
    }
    this.forget(holder);
  }

  private queueOf(holder: string): Queue {
    const queue = this.queues.get(holder) ?? { running: 0, lastTurn: 0, waiting: new Set() };
    this.queues.set(holder, queue);
    return queue;
  }

  /** A holder without anything needs no queue. */
  private forget(holder: string): void {
    const queue = this.queues.get(holder);
    if (queue?.running === 0 && queue.waiting.size === 0) this.queues.delete(holder);
  }
}
