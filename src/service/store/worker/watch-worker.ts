import type { WorkerProcess } from './worker-process.ts';

/** How often a process is pinged, and how many pings in a row it may miss. */
export interface HealthLimits {
  readonly everyMs: number;
  readonly missed: number;
}

/** Longer than any work of the process that lets no message in between. */
export const HEALTH_LIMITS: HealthLimits = { everyMs: 5_000, missed: 6 };

/**
 * Asks a process regularly whether it works, until it does not answer or the returned function is called. Counts
 * questions rather than time, so that a pause of this process or of the whole machine is not held against it.
 */
export function watchWorker(
  worker: Pick<WorkerProcess, 'call'>,
  { everyMs, missed }: HealthLimits,
  onHung: () => void,
): () => void {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (unanswered === missed) {
      clearInterval(timer);
      onHung();
      return;
    }
    // One question waits at a time: a stopped process would find a pile of them.
    if (unanswered++ > 0) return;
    worker.call('ping').ended.then(() => {
      unanswered = 0;
    });
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
