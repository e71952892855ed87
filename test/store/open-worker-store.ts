import type { DatabaseOptions } from '../../src/store/duckdb/database.ts';
import { type LostWorker, WorkerStore } from '../../src/store/worker/worker-store.ts';

const PROGRAM = {
  entry: new URL('../../src/store/worker/worker.ts', import.meta.url),
  execArgv: ['--import', 'tsx'],
};

/** A store whose process runs the sources. */
export function openWorkerStore(options: DatabaseOptions, onExit: (exit: LostWorker) => void = () => undefined) {
  return WorkerStore.open({ ...options, onExit }, PROGRAM);
}
