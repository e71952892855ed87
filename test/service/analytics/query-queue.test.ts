import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { QueryLimitError } from '../../../src/service/analytics/errors.ts';
import { QueryQueue } from '../../../src/service/analytics/query-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that records its start and ends on demand. */
class Work {
  signal: AbortSignal | undefined;
  private settle: { resolve: (value: string) => void; reject: (error: Error) => void } | undefined;

  readonly begin = (signal: AbortSignal) => {
    this.signal = signal;
    return new Promise<string>((resolve, reject) => {
      this.settle = { resolve, reject };
    });
  };

  async end(value = 'done'): Promise<void> {
    this.settle?.resolve(value);
    await vi.advanceTimersByTimeAsync(0);
  }

  async fail(): Promise<void> {
    this.settle?.reject(new Error('broken'));
    await vi.advanceTimersByTimeAsync(0);
  }
}

const NEVER = new AbortController().signal;

/** Queues work and records the outcomes. */
class Asked {
  readonly works: Work[] = [];
  readonly ends: (string | undefined)[] = [];
  /** The numbers of started work, in order. */
  readonly order: number[] = [];

  constructor(private readonly turns: QueryQueue) {}

  async ask(signal = NEVER, project = 'busy'): Promise<Work> {
    const work = new Work();
    const index = this.works.push(work) - 1;
    const begin = (limited: AbortSignal) => {
      this.order.push(index);
      return work.begin(limited);
    };
    this.turns.take(project, begin, signal).then(
      (value) => {
        this.ends[index] = value;
      },
      (error: Error) => {
        this.ends[index] = error instanceof QueryLimitError ? error.kind : error.message;
      },
    );
    await vi.advanceTimersByTimeAsync(0);
    return work;
  }

  /** Ends the work that has run longest. */
  async endOne(): Promise<void> {
    await this.works[this.order.find((index) => this.ends[index] === undefined) ?? -1]?.end();
  }

  /** Returns the numbers of started work. */
  get begun(): number[] {
    return this.works.flatMap(({ signal }, index) => (signal === undefined ? [] : [index]));
  }
}

function start(limits: Partial<ConstructorParameters<typeof QueryQueue>[0]> = {}) {
  const turns = new QueryQueue({ atOnce: 2, waiting: 3, seconds: 60, ...limits });
  return { turns, asked: new Asked(turns) };
}

describe('QueryQueue', () => {
  it('runs a few at once and starts the next in order when one succeeds or fails', async () => {
    const { turns, asked } = start();
    const [first, second, third] = [await asked.ask(), await asked.ask(), await asked.ask()];
    for (let more = 0; more < 2; more++) await asked.ask();
    expect([asked.begun, turns.load]).toEqual([[0, 1], { running: 2, waiting: 3 }]);
    await second.end('second');
    expect([asked.begun, asked.ends[1]]).toEqual([[0, 1, 2], 'second']);
    await first.fail();
    expect([asked.begun, asked.ends[0]]).toEqual([[0, 1, 2, 3], 'broken']);
    await third.end();
    expect(asked.begun).toEqual([0, 1, 2, 3, 4]);
    for (const work of asked.works) await work.end();
    expect(turns.load).toEqual({ running: 0, waiting: 0 });
  });

  it.each([1, 2])('runs another project next when one of %i ends, however many wait', async (atOnce) => {
    const { asked } = start({ atOnce, waiting: 100 });
    for (let times = 0; times < 60; times++) await asked.ask();
    // Some work of the first project has already run.
    for (let times = 0; times < 5; times++) await asked.endOne();
    const quick = await asked.ask(NEVER, 'quick');
    expect(quick.signal).toBeUndefined();
    await asked.endOne();
    expect(quick.signal).toBeDefined();
  });

  it('alternates between projects', async () => {
    const { asked } = start({ atOnce: 1, waiting: 100 });
    await asked.ask();
    for (const project of ['a', 'a', 'a', 'b', 'b', 'c']) await asked.ask(NEVER, project);
    for (let times = 0; times < 7; times++) await asked.endOne();
    expect(asked.order).toEqual([0, 1, 4, 6, 2, 5, 3]);
  });

  it('queues up to the limit of each project', async () => {
    const { asked } = start({ atOnce: 1, waiting: 1 });
    for (const project of ['a', 'a', 'a', 'b', 'b']) await asked.ask(NEVER, project);
    expect(asked.ends).toEqual([undefined, undefined, 'overload', undefined, 'overload']);
  });

  it('refuses queries beyond the limit', async () => {
    const { asked } = start({ atOnce: 1, waiting: 1 });
    for (let times = 0; times < 3; times++) await asked.ask();
    expect(asked.ends).toEqual([undefined, undefined, 'overload']);
    await asked.works[0]?.end();
    await asked.ask();
    expect(asked.ends[3]).toBeUndefined();
  });

  it('uses free slots even if none may wait', async () => {
    const { asked } = start({ atOnce: 1, waiting: 0 });
    for (let times = 0; times < 2; times++) await asked.ask();
    expect([asked.begun, asked.ends]).toEqual([[0], [undefined, 'overload']]);
  });

  it('times out a query but keeps its slot until the work ends', async () => {
    const { turns, asked } = start({ atOnce: 1 });
    const slow = await asked.ask();
    await vi.advanceTimersByTimeAsync(1000);
    await asked.ask();
    await vi.advanceTimersByTimeAsync(58_999);
    expect([asked.ends, slow.signal?.aborted]).toEqual([[], false]);
    await vi.advanceTimersByTimeAsync(1);
    expect([asked.ends, slow.signal?.aborted, asked.begun]).toEqual([['time limit'], true, [0]]);
    await slow.fail();
    expect([asked.begun, turns.load]).toEqual([[0, 1], { running: 1, waiting: 0 }]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.ends).toEqual(['time limit', 'time limit']);
  });

  it('times out a query that waits too long', async () => {
    const { turns, asked } = start({ atOnce: 1 });
    const slow = await asked.ask();
    await asked.ask();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([asked.ends, asked.begun, turns.load]).toEqual([
      ['time limit', 'overload'],
      [0],
      { running: 1, waiting: 0 },
    ]);
    await slow.end();
    expect(turns.load).toEqual({ running: 0, waiting: 0 });
  });

  it('releases an aborted query, waiting or running', async () => {
    const { turns, asked } = start({ atOnce: 1 });
    const [running, waiting] = [new AbortController(), new AbortController()];
    const first = await asked.ask(running.signal);
    await asked.ask(waiting.signal);
    const last = await asked.ask();
    waiting.abort(new Error('gone'));
    await vi.advanceTimersByTimeAsync(0);
    expect([asked.ends, turns.load]).toEqual([[undefined, 'gone'], { running: 1, waiting: 1 }]);
    running.abort(new Error('gone too'));
    await vi.advanceTimersByTimeAsync(0);
    expect([asked.ends, first.signal?.aborted]).toEqual([['gone too', 'gone'], true]);
    await first.fail();
    await last.end();
    expect([asked.ends, asked.begun]).toEqual([
      ['gone too', 'gone', 'done'],
      [0, 2],
    ]);
    expect(turns.load).toEqual({ running: 0, waiting: 0 });
  });

  it('passes the slot on if the waiting query aborts as it becomes free', async () => {
    const { turns, asked } = start({ atOnce: 1 });
    const going = new AbortController();
    const first = await asked.ask();
    await asked.ask(going.signal);
    const last = await asked.ask();
    const ended = first.end();
    going.abort(new Error('gone'));
    await ended;
    await last.end();
    expect([asked.ends, turns.load]).toEqual([['done', 'gone', 'done'], { running: 0, waiting: 0 }]);
  });

  it('does not queue an aborted query', async () => {
    const { turns, asked } = start();
    await asked.ask(AbortSignal.abort(new Error('gone')));
    expect([asked.ends, asked.begun, turns.load]).toEqual([['gone'], [], { running: 0, waiting: 0 }]);
  });
});
