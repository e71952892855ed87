import { createHash, randomUUID } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createFile } from './create-file.ts';

/** A folder that another process works on. The message tells the user which, and what to do. */
export class FolderInUseError extends Error {
  constructor(folder: string, lock: string, pid: string) {
    const owner = Number(pid) === process.pid ? 'this very process' : `process ${pid}`;
    super(
      `${folder} is in use by ${owner}. Stop it, or choose another folder. (If it is not onwhere, remove ${lock}.)`,
    );
  }
}

/** Keeps a folder to one process at a time, by a file that names it. */
export class FolderLock {
  private constructor(private readonly path: string) {}

  /**
   * Takes a folder. What a process that is gone has left behind does not count.
   *
   * @throws {FolderInUseError}
   */
  static async take(folder: string): Promise<FolderLock> {
    const path = join(folder, 'lock');
    const own = `${process.pid} ${await startOf(process.pid)}\n${randomUUID()}\n`;
    for (;;) {
      const { locks, next } = await chainFrom(path);
      const [last] = locks.slice(-1);
      if (last !== undefined && (await isAlive(last.holder)))
        throw new FolderInUseError(folder, last.path, last.holder.split(' ')[0] ?? '');
      if (!(await isCreated(next, own))) continue;
      if ((await chainFrom(path)).locks.at(-1)?.holder === own) {
        await rename(next, path);
        for (const { path: passed } of locks.slice(1)) await rm(passed, { force: true });
        return new FolderLock(path);
      }
      await rm(next, { force: true });
    }
  }

  async release(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

/** A file that names a process, and what is in it. */
interface Lock {
  readonly path: string;
  readonly holder: string;
}

/**
 * The lock of a folder, and those that were taken one after the other from processes that were gone. The folder is free if the last one is; the next lock
 * is named after what is in that, which never comes again, so that one process at most succeeds it. Whoever made the next lock may have come late, when
 * the last one was succeeded and removed: the lock counts only if the chain leads to it.
 */
async function chainFrom(path: string): Promise<{ readonly locks: readonly Lock[]; readonly next: string }> {
  const locks: Lock[] = [];
  let next = path;
  for (;;) {
    const holder = await contentOf(next);
    if (holder === undefined) return { locks, next };
    locks.push({ path: next, holder });
    next = `${path}.${createHash('sha256').update(holder).digest('hex').slice(0, 16)}`;
  }
}

async function isCreated(path: string, content: string): Promise<boolean> {
  try {
    await createFile(path, content);
    return true;
  } catch (error) {
    return unless('EEXIST', error, false);
  }
}

async function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error) => unless('ENOENT', error, undefined));
}

/** A number of a process is given to another one later, so that its start counts too where it can be found out. */
async function isAlive(holder: string): Promise<boolean> {
  const [, text, start] = /^(\d+) (.*)\n/.exec(holder) ?? [];
  const pid = Number(text);
  const found = await startOf(pid);
  if (start && found) return start === found;
  // As after the restart of a container, in which numbers begin anew.
  if (text === undefined || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** In place of the start of a process: no process that runs has it. */
const ENDED = 'ended';

/** When a process was started and after which start of the machine, on Linux; elsewhere nothing. */
async function startOf(pid: number): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in brackets, and may hold some; the start is the 20th field behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // One that has ended, which nobody has taken note of yet, as in containers without an init process.
    return fields[0] === 'Z' ? ENDED : `${boot.trim()} ${fields[19]}`;
  } catch {
    return '';
  }
}

function unless<Result>(code: string, error: unknown, result: Result): Result {
  if ((error as NodeJS.ErrnoException).code !== code) throw error;
  return result;
}
