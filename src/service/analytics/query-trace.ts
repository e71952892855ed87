import { AsyncLocalStorage } from 'node:async_hooks';

/** How the queries of a request were answered, for its log entry. */
export interface QueryTrace {
  /** Whether an answer was computed, or all were cached. Absent if none could be. */
  answer?: 'computed' | 'cached';
  /** How long queries waited for their turns and ran, in milliseconds. None for an answer that another request computes. */
  readonly spent: Record<'waiting' | 'running', number>;
  /** The rows that queries of events read: all events, or only counts by hour and later events. */
  read?: 'events' | 'counts';
}

/** Returns how long the queries of a request waited and ran, in milliseconds with one decimal. */
export function roundTimes({ spent }: QueryTrace): { readonly waitedMs: number; readonly ranMs: number } {
  const round = (milliseconds: number) => Math.round(milliseconds * 10) / 10;
  return { waitedMs: round(spent.waiting), ranMs: round(spent.running) };
}

const current = new AsyncLocalStorage<QueryTrace>();

/** Runs the work of a request, and notes in a trace how its queries are answered. */
export function withTrace<Result>(trace: QueryTrace, work: () => Promise<Result>): Promise<Result> {
  return current.run(trace, work);
}

/** Notes a change in the trace of the request that runs this. Does nothing outside of requests. */
export function noteTrace(change: (trace: QueryTrace) => void): void {
  const trace = current.getStore();
  if (trace !== undefined) change(trace);
}
