import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { checkFolder, moveAside } from '../../datasets/check-folder.ts';
import { paths } from '../../datasets/paths.ts';
import { FolderLock } from '../../storage/folder-lock.ts';
import { checkFolderMode } from '../../storage/wide-folder.ts';
import { openStoreApart } from '../../store/open-store.ts';
import { pluralize } from '../../util/counted.ts';
import { loadConfiguration } from '../configured.ts';
import { EXIT, UsageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { printMessage } from '../say.ts';

export interface FsckOptions extends Readonly<Record<string, unknown>> {
  readonly repair?: true;
}

/**
 * Checks a data folder, says what is damaged, and with `repair` moves that aside. Answers the exit code.
 *
 * @throws {UsageError} if the folder is missing, or is no data folder.
 * @throws {FolderInUseError} where a server, or another process, has the folder open.
 */
export async function runFsck(io: Io, { repair, ...flags }: FsckOptions): Promise<number> {
  const configuration = await loadConfiguration(io, flags);
  const { data } = configuration;
  if (!existsSync(paths.projects(data))) throw new UsageError(`there is no data folder ${data}: --data names one`);
  const lock = await FolderLock.take(data);
  try {
    const warning = await checkFolderMode(data);
    if (warning !== undefined) printMessage(io, 'warning', warning);
    // A damaged file can crash DuckDB: what ends is another process, and the check goes on.
    const store = await openStoreApart(configuration, data, paths.temporary(data), () => undefined);
    let found = 0;
    try {
      for await (const finding of checkFolder(data, store)) {
        found++;
        await io.out.print([`${relative(data, finding.path)}: ${finding.problem}`]);
        if (repair) await io.out.print([`  moved to ${relative(data, await moveAside(data, finding))}`]);
      }
    } finally {
      await store.close();
    }
    await io.out.print([found === 0 ? 'Nothing is damaged.' : `${pluralize(found, 'damaged file or version')}.`]);
    return found === 0 || repair ? EXIT.ok : EXIT.data;
  } finally {
    await lock.release();
  }
}
