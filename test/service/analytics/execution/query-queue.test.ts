import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { QueryLimitError } from '../../../../src/queries/errors.ts';
import { QueryQueue } from '../../../../src/service/analytics/execution/query-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that records its signal and finishes on demand. */
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

/** Submits work and records the outcomes. */
class Client {
  readonly works: Work[] = [];
  readonly outcomes: (string | undefined)[] = [];
  /** The numbers of started work, in order. */
  readonly order: number[] = [];

  constructor(private readonly queue: QueryQueue) {}

  async submit(signal = NEVER, project = 'busy'): Promise<Work> {
    const work = new Work();
    const index = this.works.push(work) - 1;
    const begin = (limited: AbortSignal) => {
      this.order.push(index);
      return work.begin(limited);
    };
    this.queue.take(project, begin, signal).then(
      (value) => {
        this.outcomes[index] = value;
      },
      (error: Error) => {
        this.outcomes[index] = error instanceof QueryLimitError ? error.kind : error.message;
      },
    );
    await vi.advanceTimersByTimeAsync(0);
    return work;
  }

  /** Finishes the work that has run longest. */
  async endOne(): Promise<void> {
    await this.works[this.order.find((index) => this.outcomes[index] === undefined) ?? -1]?.end();
  }

  /** Returns the numbers of started work. */
  get started(): number[] {
    return this.works.flatMap(({ signal }, index) => (signal === undefined ? [] : [index]));
  }
}

function setUp(limits: Partial<ConstructorParameters<typeof QueryQueue>[0]> = {}) {
  const queue = new QueryQueue({ atOnce: 2, waiting: 3, seconds: 60, ...limits });
  return { queue, client: new Client(queue) };
}

describe('QueryQueue', () => {
  it('runs a few queries at once and the next in order when one succeeds or fails', async () => {
    const { queue, client } = setUp();
    const [first, second, third] = [await client.submit(), await client.submit(), await client.submit()];
    for (let more = 0; more < 2; more++) await client.submit();
    expect([client.started, queue.load]).toEqual([[0, 1], { running: 2, waiting: 3 }]);
    await second.end('second');
    expect([client.started, client.outcomes[1]]).toEqual([[0, 1, 2], 'second']);
    await first.fail();
    expect([client.started, client.outcomes[0]]).toEqual([[0, 1, 2, 3], 'broken']);
    await third.end();
    expect(client.started).toEqual([0, 1, 2, 3, 4]);
    for (const work of client.works) await work.end();
    expect(queue.load).toEqual({ running: 0, waiting: 0 });
  });

  it.each([1, 2])('runs a query of another project next when one of %i slots becomes free', async (atOnce) => {
    const { client } = setUp({ atOnce, waiting: 100 });
    for (let times = 0; times < 60; times++) await client.submit();
    // Some work of the first project has already run.
    for (let times = 0; times < 5; times++) await client.endOne();
    const quick = await client.submit(NEVER, 'quick');
    expect(quick.signal).toBeUndefined();
    await client.endOne();
    expect(quick.signal).toBeDefined();
  });

  it('measures how long queries wait and run, also those that fail', async () => {
    const { queue, client } = setUp({ atOnce: 1, waiting: 1 });
    const first = await client.submit();
    const second = await client.submit();
    // The queue is full.
    await client.submit();
    await vi.advanceTimersByTimeAsync(2_000);
    await first.end();
    await vi.advanceTimersByTimeAsync(500);
    await second.fail();
    expect(queue.spent).toEqual({ waiting: 2_000, running: 2_500 });
  });

  it('alternates between projects', async () => {
    const { client } = setUp({ atOnce: 1, waiting: 100 });
    await client.submit();
    for (const project of ['a', 'a', 'a', 'b', 'b', 'c']) await client.submit(NEVER, project);
    for (let times = 0; times < 7; times++) await client.endOne();
    expect(client.order).toEqual([0, 1, 4, 6, 2, 5, 3]);
  });

  it('queues up to the limit of each project', async () => {
    const { client } = setUp({ atOnce: 1, waiting: 1 });
    for (const project of ['a', 'a', 'a', 'b', 'b']) await client.submit(NEVER, project);
    expect(client.outcomes).toEqual([undefined, undefined, 'overload', undefined, 'overload']);
  });

  it('refuses queries beyond the limit', async () => {
    const { client } = setUp({ atOnce: 1, waiting: 1 });
    for (let times = 0; times < 3; times++) await client.submit();
    expect(client.outcomes).toEqual([undefined, undefined, 'overload']);
    await client.works[0]?.end();
    await client.submit();
    expect(client.outcomes[3]).toBeUndefined();
  });

  it('uses free slots even if the queue limit is 0', async () => {
    const { client } = setUp({ atOnce: 1, waiting: 0 });
    for (let times = 0; times < 2; times++) await client.submit();
    expect([client.started, client.outcomes]).toEqual([[0], [undefined, 'overload']]);
  });

  it('times out a query but keeps its slot until the work ends', async () => {
    const { queue, client } = setUp({ atOnce: 1 });
    const slow = await client.submit();
    await vi.advanceTimersByTimeAsync(1000);
    await client.submit();
    await vi.advanceTimersByTimeAsync(58_999);
    expect([client.outcomes, slow.signal?.aborted]).toEqual([[], false]);
    await vi.advanceTimersByTimeAsync(1);
    expect([client.outcomes, slow.signal?.aborted, client.started]).toEqual([['time limit'], true, [0]]);
    await slow.fail();
    expect([client.started, queue.load]).toEqual([[0, 1], { running: 1, waiting: 0 }]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(client.outcomes).toEqual(['time limit', 'time limit']);
  });

  it('times out a query that waits too long', async () => {
    const { queue, client } = setUp({ atOnce: 1 });
    const slow = await client.submit();
    await client.submit();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([client.outcomes, client.started, queue.load]).toEqual([
      ['time limit', 'overload'],
      [0],
      { running: 1, waiting: 0 },
    ]);
    await slow.end();
    expect(queue.load).toEqual({ running: 0, waiting: 0 });
  });

  it('drops an aborted query, whether it waits or runs', async () => {
    const { queue, client } = setUp({ atOnce: 1 });
    const [running, waiting] = [new AbortController(), new AbortController()];
    const first = await client.submit(running.signal);
    await client.submit(waiting.signal);
    const last = await client.submit();
    waiting.abort(new Error('gone'));
    await vi.advanceTimersByTimeAsync(0);
    expect([client.outcomes, queue.load]).toEqual([[undefined, 'gone'], { running: 1, waiting: 1 }]);
    running.abort(new Error('gone too'));
    await vi.advanceTimersByTimeAsync(0);
    expect([client.outcomes, first.signal?.aborted]).toEqual([['gone too', 'gone'], true]);
    await first.fail();
    await last.end();
    expect([client.outcomes, client.started]).toEqual([
      ['gone too', 'gone', 'done'],
      [0, 2],
    ]);
    expect(queue.load).toEqual({ running: 0, waiting: 0 });
  });

  it('gives the slot to the next query if the first in line aborts as the slot becomes free', async () => {
    const { queue, client } = setUp({ atOnce: 1 });
    const going = new AbortController();
    const first = await client.submit();
    await client.submit(going.signal);
    const last = await client.submit();
    const ended = first.end();
    going.abort(new Error('gone'));
    await ended;
    await last.end();
    expect([client.outcomes, queue.load]).toEqual([['done', 'gone', 'done'], { running: 0, waiting: 0 }]);
  });

  it('does not queue an aborted query', async () => {
    const { queue, client } = setUp();
    await client.submit(AbortSignal.abort(new Error('gone')));
    expect([client.outcomes, client.started, queue.load]).toEqual([['gone'], [], { running: 0, waiting: 0 }]);
  });
});
