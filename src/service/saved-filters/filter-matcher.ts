import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { FairSemaphore } from '../locks/fair-semaphore.ts';
import type { NamedFilter } from './count-matches.ts';
import type { MatchRequest, MatchResult } from './match-request.ts';

/** The program of the thread, and after how long without a reply it counts as hung. */
export interface MatcherOptions {
  readonly entry: URL;
  readonly milliseconds: number;
}

const DEFAULTS: MatcherOptions = { entry: new URL('./filter-worker.js', import.meta.url), milliseconds: 60_000 };

/** How long the thread may take to start. */
const START_MS = 30_000;

/** The memory of the thread, so that filters cannot take that of the server. */
const MEMORY_MB = 1_024;

/** The saved filters of a project. The array is another one after each change. */
interface ProjectFilters {
  readonly id: number;
  readonly filters: readonly NamedFilter[];
}

/**
 * Matches events with saved filters in a separate thread, so that an expensive filter does not hold up the server. Projects
 * take turns, the steps of a batch are bounded, and a thread that hangs is ended.
 */
export class FilterMatcher {
  private readonly turns = new FairSemaphore(1);
  private thread: Worker | undefined;
  /** The saved filters that the thread has, by the id of their project. */
  private known = new Map<number, readonly NamedFilter[]>();

  constructor(private readonly options: MatcherOptions = DEFAULTS) {}

  /**
   * Returns undefined if the events take too many steps.
   *
   * @throws {Error} if the thread fails or hangs
   */
  async match(
    { id, filters }: ProjectFilters,
    batch: Pick<MatchRequest, 'timeZone' | 'lines' | 'source'>,
  ): Promise<MatchResult | undefined> {
    const end = await this.turns.enter(String(id), (turn) => turn);
    try {
      const thread = await this.start();
      const isKnown = this.known.get(id) === filters;
      this.known.set(id, filters);
      const request: MatchRequest = { projectId: id, filters: isKnown ? undefined : filters, ...batch };
      const reply = receive(thread, this.options.milliseconds);
      thread.postMessage(request);
      return (await reply) as MatchResult | undefined;
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      end();
    }
  }

  /** Ends the thread. The next batch starts another. */
  async close(): Promise<void> {
    const { thread } = this;
    this.thread = undefined;
    this.known = new Map();
    await thread?.terminate();
  }

  private async start(): Promise<Worker> {
    if (this.thread !== undefined) return this.thread;
    const thread = new Worker(this.options.entry, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
    this.thread = thread;
    // An error while it is idle must not end the server.
    thread.on('error', () => undefined);
    thread.once('exit', () => {
      if (this.thread === thread) this.close();
    });
    thread.unref();
    await receive(thread, START_MS);
    return thread;
  }
}

/** @throws {Error} if the thread ends or sends nothing in time */
async function receive(thread: Worker, milliseconds: number): Promise<unknown> {
  const controller = new AbortController();
  const { signal } = controller;
  const fail = (message: string) => () => {
    throw new Error(message);
  };
  const outcomes = [
    once(thread, 'message', { signal }),
    once(thread, 'exit', { signal }).then(fail('the thread that matches them ended')),
    pause(milliseconds, undefined, { signal }).then(
      fail(`the thread that matches them did not answer in ${milliseconds / 1_000} seconds`),
    ),
  ];
  try {
    const [message] = await Promise.race(outcomes);
    return message;
  } finally {
    controller.abort();
    await Promise.allSettled(outcomes);
  }
}
