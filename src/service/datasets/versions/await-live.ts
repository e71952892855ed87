import { setTimeout as pause } from 'node:timers/promises';
import { FolderLock } from '../../storage/folder-lock.ts';
import type { Destination } from './make-version.ts';

/** The reply of the process that has the data folder open, once its queries read the version. */
export const LIVE = 'live';

const PATIENCE_MS = 30_000;
const PAUSE_MS = 100;

/**
 * Waits up to 30 seconds until the process that has the data folder open serves a new version.
 *
 * @returns true if queries now read the version or no process has the folder open; false on timeout
 */
export async function awaitLive(folder: string, destination: Destination, versionId: string): Promise<boolean> {
  const line = JSON.stringify({ ...destination, versionId });
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const reply = await FolderLock.ask(folder, line, deadline - performance.now()).catch(() => '');
    if (reply === undefined || reply === LIVE) return true;
    await pause(PAUSE_MS);
  }
  return false;
}
