import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { EXIT } from '../exit.ts';
import type { Io } from '../io.ts';
import type { DataPlace, DataTask, ResultOf, TaskOutcome } from './data-task.ts';

/** The task of a thread. */
export interface TaskThreadData {
  readonly place: DataPlace;
  readonly task: DataTask;
}

/** Runs each task in a thread of its own, which is ended if it takes too much time or memory. */
export class TaskThreads {
  /** @param seconds the time limit of a task */
  constructor(
    private readonly io: Io,
    private readonly place: DataPlace,
    private readonly seconds: number,
    private readonly entry = new URL('./mcp-worker.js', import.meta.url),
  ) {}

  /** Runs a task. Never rejects. */
  readonly run = async <Task extends DataTask>(task: Task): Promise<TaskOutcome<ResultOf<Task>>> => {
    const workerData: TaskThreadData = { place: this.place, task };
    // A thread that is ended leaves its temporary files behind.
    const folder = mkdtempSync(join(tmpdir(), 'onwhere-mcp-'));
    const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    const unsubscribe = this.io.signals.onExit(remove);
    const thread = new Worker(this.entry, {
      workerData,
      env: { ...this.io.env, TMPDIR: folder, TEMP: folder, TMP: folder },
      resourceLimits: { maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20) },
      // Only the protocol may write to the standard output of this process.
      stdout: true,
    });
    try {
      return (await receive(thread, this.seconds)) as TaskOutcome<ResultOf<Task>>;
    } catch (error) {
      return { failure: { exit: EXIT.data, message: describeEnd(error, this.seconds) }, notes: [] };
    } finally {
      await thread.terminate();
      unsubscribe();
      remove();
    }
  };
}

/** A task took longer than its time limit. */
class TooSlow extends Error {}

/** Returns the first message of a thread. */
async function receive(thread: Worker, seconds: number): Promise<unknown> {
  const controller = new AbortController();
  const { signal } = controller;
  const outcomes = [
    once(thread, 'message', { signal }),
    once(thread, 'exit', { signal }).then(([code]) => Promise.reject(new Error(`its thread ended with ${code}`))),
    pause(seconds * 1_000, undefined, { signal }).then(() => Promise.reject(new TooSlow())),
  ];
  try {
    const [message] = (await Promise.race(outcomes)) as [unknown];
    return message;
  } finally {
    controller.abort();
    await Promise.allSettled(outcomes);
  }
}

function describeEnd(error: unknown, seconds: number): string {
  if (error instanceof TooSlow)
    return `The call was stopped after ${seconds} seconds. Ask for fewer days or events, or raise --query-time-limit.`;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return 'The call was stopped because it needs too much memory. Ask for fewer days or events.';
  return `internal error: ${message}. Please report it.`;
}
