import { readFile } from 'node:fs/promises';

/**
 * Ends the process that DuckDB names as the holder of a file, if a killed server left it behind: it is a database
 * process of the same data folder, which only one server has open at a time. Returns its PID, or undefined if it is
 * another process, or if the system does not tell (only Linux does).
 *
 * @param message DuckDB's message: `Conflicting lock is held in /usr/bin/node (PID 12)`
 * @param isOwn Returns whether the arguments of a process are those of a database process of the folder.
 */
export async function endOrphan(
  message: string,
  isOwn: (args: readonly string[]) => boolean,
): Promise<number | undefined> {
  const pid = Number(/\(PID (\d+)\)/.exec(message)?.[1]);
  if (!(pid > 1) || pid === process.pid) return undefined;
  const args = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  if (!isOwn(args.split('\0'))) return undefined;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
  return pid;
}
