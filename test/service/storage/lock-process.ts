import { FolderLock } from '../../../src/service/storage/folder-lock.ts';

/** Locks a folder until the process is killed. Prints `taken`, or the error. */
const [folder = ''] = process.argv.slice(2);
try {
  await FolderLock.take(folder);
  process.stdout.write('taken\n');
  setInterval(() => undefined, 1_000_000);
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
}
