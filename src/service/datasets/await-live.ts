import { setTimeout as pause } from 'node:timers/promises';
import { FolderLock } from '../storage/folder-lock.ts';
import type { Destination } from './make-version.ts';

/** What the process that has a data folder open says of a version that its queries read. */
export const LIVE = 'live';

const PATIENCE_MS = 30_000;
const PAUSE_MS = 100;

/**
 * Waits until the queries of a process that has a data folder open read a version that was made in it.
 *
 * @returns whether whoever asks from now on finds the version: true where no process has the folder open, and false
 *   where one has it open, but has not taken the version in after half a minute.
 */
export async function awaitLive(folder: string, destination: Destination, versionId: string): Promise<boolean> {
  const line = JSON.stringify({ ...destination, versionId });
  const late = performance.now() + PATIENCE_MS;
  while (performance.now() < late) {
    const answer = await FolderLock.ask(folder, line, late - performance.now()).catch(() => '');
    if (answer === undefined || answer === LIVE) return true;
    await pause(PAUSE_MS);
  }
  return false;
}
