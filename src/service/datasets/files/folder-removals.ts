import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../storage/files.ts';
import type { FolderHold } from '../../storage/folder-hold.ts';
import type { ReportEvent } from '../service-event.ts';

/** Files that mark a folder as deleted. They are removed last, so that an interrupted removal is resumed. */
const LAST: ReadonlySet<string> = new Set(['project.json', 'dataset.json']);

/** Removes folders in the background, each once. */
export class FolderRemovals {
  private readonly underway = new Map<string, Promise<void>>();

  constructor(
    private readonly report: ReportEvent,
    private readonly hold: FolderHold | undefined,
  ) {}

  /** Removes a folder after `empty` has released its resources. Reports a failure. */
  remove(folder: string, empty: () => Promise<void>): Promise<void> {
    const known = this.underway.get(folder);
    if (known !== undefined) return known;
    const removal = empty()
      .then(() => {
        this.hold?.assertHeld();
        return removeFolder(folder);
      })
      .then(
        () => this.report({ kind: 'folder removed', folder }),
        (error: Error) => this.report({ kind: 'folder not removed', folder, error }),
      )
      .finally(() => this.underway.delete(folder));
    this.underway.set(folder, removal);
    return removal;
  }

  /** Waits for all running removals. */
  async finish(): Promise<void> {
    await Promise.all(this.underway.values());
  }
}

async function removeFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (!LAST.has(name)) await rm(join(folder, name), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
  await syncFolder(dirname(folder));
}
