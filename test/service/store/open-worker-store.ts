import type { DatabaseOptions } from '../../../src/service/store/duckdb/database.ts';
import { type LostWorker, WorkerStore } from '../../../src/service/store/worker/worker-store.ts';

const PROGRAM = { entry: new URL('../../../dist/cli/store-worker.js', import.meta.url) };

/** A store whose process runs the build, which starts sooner than the sources. */
export function openWorkerStore(options: DatabaseOptions, onExit: (exit: LostWorker) => void = () => undefined) {
  return WorkerStore.open({ ...options, onExit }, PROGRAM);
}
