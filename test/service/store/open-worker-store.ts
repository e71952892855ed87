import {
  type LostWorker,
  WorkerStore,
  type WorkerStoreOptions,
} from '../../../src/service/store/worker/worker-store.ts';

const PROGRAM = { entry: new URL('../../../dist/cli/store-worker.js', import.meta.url) };

/** A store whose process runs the build, which starts sooner than the sources. */
export function openWorkerStore(
  options: Omit<WorkerStoreOptions, 'onExit'>,
  onExit: (exit: LostWorker) => void = () => undefined,
) {
  return WorkerStore.open({ ...options, onExit }, PROGRAM);
}
