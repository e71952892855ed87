import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../src/data/random.ts';
import { Client } from '../end-to-end/client.ts';
import { ServerProcess, TestFolder } from '../end-to-end/server-process.ts';
import { SmallDisk } from '../end-to-end/small-disk.ts';
import { checkFolder, checkServed, checkStored } from './check-folder.ts';
import { ExpectedVersions } from './expected-versions.ts';
import { Load, numbers } from './load.ts';
import type { Tally } from './tally.ts';

const DISK_MEGABYTES = 96;

/** The most free space that is left for a server, in bytes. */
const MAX_FREE = 2 ** 20;

/** Has servers import and flush on a disk that gets full, kills them while it is, and compares what is found when there is room again. */
export async function killOnFullDisk(random: Random, kills: number, tally: Tally): Promise<void> {
  const disk = SmallDisk.mount(DISK_MEGABYTES);
  try {
    const folder = TestFolder.make(disk.path);
    const expected = new ExpectedVersions();
    const batches = numbers();
    const ballast = join(disk.path, 'ballast');
    for (let kill = 0; kill < kills; kill++) {
      const server = await ServerProcess.start(folder);
      const client = new Client(folder, server);
      const load = new Load(client, expected, batches, tally);
      expected.checkList(await client.list(), tally);
      const main = expected.present[0] ?? expected.add((await client.create()).version_id);
      const free = random.integer(0, MAX_FREE);
      await fill(ballast, (await freeSpaceOf(disk)) - free);
      // The server may refuse both.
      const work = [load.write(main), load.publish(main).catch(() => undefined)];
      await Promise.all(random.chance(0.7) ? work : [pause(random.integer(0, 1_000))]);
      await pause(random.integer(0, 500));
      await server.kill();
      await Promise.all(work);
      tally.kill('server on a full disk');
      await rm(ballast);
    }
    const server = await ServerProcess.start(folder);
    const client = new Client(folder, server);
    expected.checkList(await client.list(), tally);
    await checkServed(client, expected, tally);
    tally.expect((await server.stop()) === 0, 'the server did not exit with 0');
    await checkStored(folder, expected, tally);
    checkFolder(folder, tally);
  } finally {
    disk.unmount();
  }
}

/** Writes the given number of bytes, or fewer if the server has used some of the space in the meantime. */
async function fill(path: string, bytes: number): Promise<void> {
  try {
    await writeFile(path, Buffer.alloc(Math.max(0, bytes)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/** Returns the free space of a disk in bytes. */
async function freeSpaceOf(disk: SmallDisk): Promise<number> {
  const { bavail, bsize } = await statfs(disk.path);
  return bavail * bsize;
}
