import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FolderLease } from '../../../src/service/storage/folder-lease.ts';
import { LeaseFiles } from '../../../src/service/storage/lease-files.ts';
import { assertServerIsHere, lockFolder } from '../../../src/service/storage/lock-folder.ts';
import { temporaryFolders } from './log-folder.ts';

const newPath = temporaryFolders();

function newFolder(): string {
  const folder = newPath();
  mkdirSync(folder);
  return folder;
}

it('a command works on a folder that no server uses, shared or not', async () => {
  const folder = newFolder();
  await assertServerIsHere(folder);
  await LeaseFiles.open(folder);
  await assertServerIsHere(folder);
});

it('a command works beside a server of this machine, and not beside one of another', async () => {
  const folder = newFolder();
  const lease = new FolderLease(await LeaseFiles.open(folder), undefined, undefined, 'host-7');
  expect(await lease.tryTake()).toBe(true);
  const message = `${folder} is in use by a server on another machine, host-7. Run the command there.`;
  await expect(assertServerIsHere(folder)).rejects.toThrow(message);
  const locked = await lockFolder(folder, undefined, lease);
  await assertServerIsHere(folder);
  await locked.release();
  await expect(assertServerIsHere(folder)).rejects.toThrow(message);
  await lease.release();
  await assertServerIsHere(folder);
});
