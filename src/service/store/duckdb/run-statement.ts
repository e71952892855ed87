import type { LoadOptions } from '../store.ts';
import type { DuckDbConnection } from './database.ts';

/** The interval of repeated interrupts: a statement that starts at the same moment loses an interrupt. */
const INTERRUPT_INTERVAL_MS = 100;

const PROGRESS_INTERVAL_MS = 200;

/** Runs `work` on a connection. Interrupts it and throws the reason if the signal is aborted. */
export async function runInterruptible<Result>(
  connection: DuckDbConnection,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const interrupt = () => {
    connection.interrupt();
    timer = setInterval(() => connection.interrupt(), INTERRUPT_INTERVAL_MS);
  };
  signal?.addEventListener('abort', interrupt);
  try {
    signal?.throwIfAborted();
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', interrupt);
    clearInterval(timer);
  }
}

/**
 * Runs `work` on a connection and reports its progress.
 *
 * @param from the progress at the start of this part, from 0 to 1
 * @param to the progress at its end. The report never goes back, although each statement starts at 0.
 */
export async function runWithProgress<Result>(
  connection: DuckDbConnection,
  from: number,
  to: number,
  onProgress: LoadOptions['onProgress'],
  work: () => Promise<Result>,
): Promise<Result> {
  await connection.trackProgress();
  let furthest = 0;
  const timer = setInterval(() => {
    furthest = Math.max(furthest, connection.progress);
    onProgress?.(from + (to - from) * furthest);
  }, PROGRESS_INTERVAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    onProgress?.(to);
  }
}
