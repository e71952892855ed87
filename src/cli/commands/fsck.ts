import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { pluralize } from '../../base/strings.ts';
import { checkFolder, moveAside } from '../../service/datasets/check-folder.ts';
import { paths } from '../../service/datasets/files/paths.ts';
import { checkFolderMode } from '../../service/storage/files.ts';
import { lockFolder } from '../../service/storage/lock-folder.ts';
import { openStoreApart } from '../../service/store/open-store.ts';
import { EXIT, UsageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { printMessage } from '../messages.ts';

export interface FsckOptions extends Readonly<Record<string, unknown>> {
  readonly repair?: true;
  readonly json?: true;
}

/**
 * Checks a data folder and prints what is damaged. With `repair`, moves damaged files aside.
 *
 * @returns The exit code.
 * @throws {UsageError} if the folder is missing or is not a data folder.
 * @throws {FolderInUseError} if a server or another process has the folder open.
 */
export async function runFsck(io: Io, { repair, json, ...flags }: FsckOptions): Promise<number> {
  const configuration = await loadConfiguration(io, flags);
  const { data } = configuration;
  if (!existsSync(paths.projects(data)))
    throw new UsageError(`${data} is not a data folder. Pass its path with --data.`);
  const lock = await lockFolder(data);
  try {
    const warning = await checkFolderMode(data);
    if (warning !== undefined) printMessage(io, 'warning', warning);
    // A damaged file can crash DuckDB. A separate process lets the check continue.
    const store = await openStoreApart(
      configuration,
      data,
      { temporaryFolder: paths.temporary(data) },
      () => undefined,
    );
    const findings: object[] = [];
    try {
      for await (const finding of checkFolder(data, store)) {
        const path = relative(data, finding.path);
        if (!json) await io.out.print([`${path}: ${finding.problem}`]);
        const movedTo = repair ? relative(data, await moveAside(data, finding)) : undefined;
        if (!json && movedTo !== undefined) await io.out.print([`  moved to ${movedTo}`]);
        findings.push({ path, problem: finding.problem, moved_to: movedTo });
      }
    } finally {
      await store.close();
    }
    const found = findings.length;
    if (json) await io.out.print([JSON.stringify({ findings })]);
    else await io.out.print([found === 0 ? 'No damage found.' : `Found ${pluralize(found, 'damaged item')}.`]);
    return found === 0 || repair ? EXIT.ok : EXIT.data;
  } finally {
    await lock.release();
  }
}
