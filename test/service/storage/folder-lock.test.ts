import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FolderInUseError, FolderLock } from '../../../src/service/storage/folder-lock.ts';
import { eventually } from '../../eventually.ts';
import { startChild } from '../../spawned.ts';
import { temporaryFolders } from './log-folder.ts';

const newPath = temporaryFolders();

const PROCESS = fileURLToPath(new URL('lock-process.ts', import.meta.url));

/** Starts a process that sees only its children, as in a container. */
const CONTAINED = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];

function newFolder(): string {
  const folder = newPath();
  mkdirSync(folder);
  return folder;
}

/** Starts a process that locks a folder, and returns its output: `taken`, or the error. */
async function takeElsewhere(folder: string, wrapper: readonly string[] = []) {
  const [command = '', ...args] = [...wrapper, process.execPath, '--import', 'tsx', PROCESS, folder];
  const child = startChild(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { child, output: String(output).trim() };
}

async function kill({ child }: Awaited<ReturnType<typeof takeElsewhere>>): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('the lock of a folder', () => {
  it('lets only one of many callers in', async () => {
    const folder = newFolder();
    for (let round = 0; round < 50; round++) {
      const taken = await Promise.allSettled(Array.from({ length: 20 }, () => FolderLock.take(folder)));
      const locks = taken.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      expect(locks).toHaveLength(1);
      for (const result of taken)
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(FolderInUseError);
      await locks[0]?.release();
    }
    expect(readdirSync(folder)).toEqual(['lock-50']);
  });

  it('names the process that holds it, and is free when that process is killed', async () => {
    const folder = newFolder();
    const other = await takeElsewhere(folder);
    expect(other.output).toBe('taken');
    const error = await FolderLock.take(folder).catch((error) => error);
    expect(error.message).toBe(`${folder} is in use by process ${other.child.pid}. Stop it, or choose another folder.`);
    await kill(other);
    const taken = await Promise.allSettled(Array.from({ length: 20 }, () => FolderLock.take(folder)));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('lets only one of many processes in', async () => {
    const folder = newFolder();
    await kill(await takeElsewhere(folder));
    const others = await Promise.all(Array.from({ length: 5 }, () => takeElsewhere(folder)));
    const holders = others.filter(({ output }) => output === 'taken');
    expect(holders).toHaveLength(1);
    for (const { output } of others) expect(output).toMatch(/^taken$|is in use by process \d+\./);
    for (const other of others) if (other.child.exitCode === null) await kill(other);
  });

  it.runIf(process.platform === 'linux')(
    'is seen by processes of other containers, and is free when its container ends',
    async () => {
      const folder = newFolder();
      // The process that `unshare` started ends shortly after it.
      const retake = async () => (await FolderLock.take(folder)).release();
      const one = await takeElsewhere(folder, CONTAINED);
      expect(one.output).toBe('taken');
      const two = await takeElsewhere(folder, CONTAINED);
      // Each has process ID 1 in its own namespace.
      expect(two.output).toMatch(/ is in use by /);
      await expect(FolderLock.take(folder)).rejects.toThrow('is in use by process');
      await kill(one);
      await eventually(retake);
      const three = await takeElsewhere(folder, [
        ...CONTAINED,
        '--net',
        '--uts',
        'sh',
        '-c',
        'hostname elsewhere; exec "$@"',
        '-',
      ]);
      expect(three.output).toBe('taken');
      await expect(FolderLock.take(folder)).rejects.toThrow('of the container or host elsewhere. Stop it');
      await kill(three);
      await eventually(retake);
    },
  );

  it('names the current process if it holds the lock', async () => {
    const folder = newFolder();
    const lock = await FolderLock.take(folder);
    await expect(FolderLock.take(folder)).rejects.toThrow('is in use by this very process.');
    await lock.release();
    await (await FolderLock.take(folder)).release();
  });

  it('works in a folder whose path is too long for a socket', async () => {
    const folder = join(newFolder(), 'x'.repeat(120), 'y'.repeat(120));
    mkdirSync(folder, { recursive: true });
    const lock = await FolderLock.take(folder);
    await expect(FolderLock.take(folder)).rejects.toThrow('is in use');
    await lock.release();
  });

  it.each(['lock', 'lock-3'])('is free if %s is an ordinary file', async (name) => {
    const folder = newFolder();
    writeFileSync(join(folder, name), '17 another-boot 17\n');
    await (await FolderLock.take(folder)).release();
  });

  it('sends a line to the process that holds the folder and returns its response', async () => {
    const folder = newFolder();
    expect(await FolderLock.ask(folder, 'hello', 1_000)).toBeUndefined();
    const lock = await FolderLock.take(folder, async (line) => `you said ${line}`);
    expect(await FolderLock.ask(folder, 'hello', 60_000)).toBe('you said hello');
    await lock.release();
    expect(await FolderLock.ask(folder, 'hello', 1_000)).toBeUndefined();
    const silent = await FolderLock.take(folder, () => new Promise(() => undefined));
    await expect(FolderLock.ask(folder, 'hello', 10)).rejects.toThrow('does not answer');
    await silent.release();
  });
});
