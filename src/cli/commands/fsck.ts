import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { pluralize } from '../../lang/util/strings.ts';
import { checkFolder, moveAside } from '../../service/datasets/check-folder.ts';
import { paths } from '../../service/datasets/paths.ts';
import { checkFolderMode } from '../../service/storage/files.ts';
import { FolderLock } from '../../service/storage/folder-lock.ts';
import { openStoreApart } from '../../service/store/open-store.ts';
import { EXIT, UsageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { printMessage } from '../messages.ts';

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
