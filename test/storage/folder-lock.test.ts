import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FolderInUseError, FolderLock } from '../../src/storage/folder-lock.ts';
import { startChild } from '../spawned.ts';
import { temporaryFolders } from './log-folder.ts';

const newPath = temporaryFolders();

function newFolder(): string {
  const folder = newPath();
  mkdirSync(folder);
  return folder;
}

describe('the lock of a folder', () => {
  it('lets one of many in', async () => {
    const folder = newFolder();
    const taken = await Promise.allSettled(Array.from({ length: 20 }, () => FolderLock.take(folder)));
    const locks = taken.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(locks).toHaveLength(1);
    await locks[0]?.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('names the process that holds it, and comes free when that is gone', async () => {
    const folder = newFolder();
    const other = startChild('sleep', ['1000']);
    const lock = join(folder, 'lock');
    writeFileSync(lock, `${other.pid} \n`);
    const error = await FolderLock.take(folder).catch((error) => error);
    expect(error).toBeInstanceOf(FolderInUseError);
    expect(error.message).toBe(
      `${folder} is in use by process ${other.pid}. Stop it, or choose another folder. (If it is not onwhere, remove ${lock}.)`,
    );
    other.kill('SIGKILL');
    await once(other, 'exit');
    const taken = await Promise.allSettled(Array.from({ length: 20 }, () => FolderLock.take(folder)));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  it('lets one of many in, every time that one is gone', async () => {
    for (let round = 0; round < 100; round++) {
      const folder = newFolder();
      writeFileSync(join(folder, 'lock'), '');
      const taken = await Promise.allSettled(Array.from({ length: 20 }, () => FolderLock.take(folder)));
      expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(readdirSync(folder)).toEqual(['lock']);
    }
  });

  it.skipIf(!existsSync('/proc'))(
    'is free of a process that has ended, of which its parent takes no note',
    async () => {
      const folder = newFolder();
      const parent = startChild('sh', ['-c', 'exec 3<&0; cat <&3 >/dev/null & echo $!; exec sleep 1000']);
      const [said] = await once(parent.stdout, 'data');
      const pid = Number(said);
      // The shell would take note of a child that ends before it has become another program.
      await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
      parent.stdin.end();
      const fields = () => /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]?.split(' ') ?? [];
      await expect.poll(() => fields()[0]).toBe('Z');
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      writeFileSync(join(folder, 'lock'), `${pid} ${boot} ${fields()[19]}\n`);
      await FolderLock.take(folder);
      parent.kill();
    },
  );

  it('says so where it is this process that holds it', async () => {
    const folder = newFolder();
    const lock = await FolderLock.take(folder);
    await expect(FolderLock.take(folder)).rejects.toThrow('is in use by this very process.');
    await lock.release();
    expect(existsSync(join(folder, 'lock'))).toBe(false);
  });

  it.each(['', 'not a process\n', `${process.pid} \n`, `${process.pid} another-boot 17\n`, '1 another-boot 17\n'])(
    'is not held by %j, which is none of a process that runs',
    async (content) => {
      const folder = newFolder();
      writeFileSync(join(folder, 'lock'), content);
      await FolderLock.take(folder);
      expect(readFileSync(join(folder, 'lock'), 'utf8')).toMatch(new RegExp(`^${process.pid} .*\n[\\w-]{36}\n$`));
    },
  );
});
