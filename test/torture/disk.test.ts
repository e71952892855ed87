import { expect, it } from 'vitest';
import { Random } from '../../src/data/random.ts';
import { Disk, Folder } from './disk.ts';
import { DiskFile } from './disk-file.ts';
import type { Loss } from './losses.ts';
import type { Operation } from './system-calls.ts';

const bytes = (text: string) => Buffer.from(text);

/** Applies operations to a folder `/d` with a file `old`; returns the contents by name after a power loss. */
function contentAfter(loss: Loss, operations: readonly Operation[], seed = 1): Record<string, unknown> {
  const disk = new Disk('/d', new Folder(new Map([['old', new DiskFile(bytes('old'))]])));
  for (const operation of operations) disk.apply(operation);
  return contentOf(disk.lose(loss, new Random(seed)));
}

function contentOf(folder: Folder): Record<string, unknown> {
  const entries = [...folder.entries].map(([name, node]) => {
    return [name, node instanceof Folder ? contentOf(node) : node.bytes.toString()];
  });
  return Object.fromEntries(entries);
}

/** Returns all contents that a power loss may leave, as JSON. */
function possibleContents(loss: Loss, operations: readonly Operation[]): Set<string> {
  return new Set(Array.from({ length: 50 }, (_, seed) => JSON.stringify(contentAfter(loss, operations, seed))));
}

const open = (path: string): Operation => ({ kind: 'open', path, truncates: false });
const write = (path: string, text: string): Operation => ({ kind: 'write', path, bytes: bytes(text) });
const sync = (path: string, covers: number): Operation => ({ kind: 'sync', path, covers });

it('keeps bytes if their file was synced, and a name if its folder was synced', () => {
  const made = [open('/d/new'), write('/d/new', 'a')];
  expect(contentAfter('synced', [...made, sync('/d', 2)])).toEqual({ old: 'old', new: '' });
  expect(contentAfter('synced', [...made, sync('/d/new', 2)])).toEqual({ old: 'old' });
  expect(contentAfter('synced', [...made, sync('/d/new', 2), sync('/d', 3), write('/d/new', 'b')])).toEqual({
    old: 'old',
    new: 'a',
  });
  expect(contentAfter('all', [...made, write('/d/new', 'b')])).toEqual({ old: 'old', new: 'ab' });
});

it('does not count changes during a sync as synced', () => {
  expect(contentAfter('synced', [write('/d/old', '1'), write('/d/old', '2'), sync('/d/old', 1)])).toEqual({
    old: 'old1',
  });
});

it('keeps a renamed file under its old or its new name', () => {
  const rename: Operation = { kind: 'rename', from: '/d/old', to: '/d/new' };
  expect(possibleContents('reordered', [rename])).toEqual(new Set(['{"old":"old"}', '{"new":"old"}']));
  expect(possibleContents('journaled', [{ kind: 'remove', path: '/d/old' }])).toEqual(new Set(['{"old":"old"}', '{}']));
  expect(contentAfter('synced', [rename, sync('/d', 1)])).toEqual({ new: 'old' });
});

it('keeps changes of names in order with a journal, and in order per folder without one', () => {
  const two: Operation[] = [
    { kind: 'make folder', path: '/d/a' },
    { kind: 'make folder', path: '/d/b' },
    sync('/d', 2),
    open('/d/a/1'),
    open('/d/b/2'),
  ];
  const second = '{"old":"old","a":{},"b":{"2":""}}';
  expect(possibleContents('journaled', two)).not.toContain(second);
  expect(possibleContents('reordered', two)).toContain(second);
});

it('may keep some writes that were not synced, and only whole pages of a large one', () => {
  const lost = possibleContents('journaled', [write('/d/old', 'x'.repeat(9_000))]);
  const lengths = [...lost].map((text) => JSON.parse(text).old.length).sort((one, other) => one - other);
  expect(lengths).toEqual([3, 4_096, 8_192, 9_003]);
});

it('truncates files and fills holes with zeros', () => {
  const cut: Operation = { kind: 'truncate', path: '/d/old', length: 1 };
  expect(contentAfter('all', [cut, { kind: 'write', path: '/d/old', at: 2, bytes: bytes('z') }])).toEqual({
    old: 'o\0z',
  });
  expect(contentAfter('all', [{ kind: 'punch', path: '/d/old', at: 1, length: 9 }])).toEqual({ old: 'o\0\0' });
});
