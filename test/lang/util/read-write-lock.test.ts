import { expect, it } from 'vitest';
import { ReadWriteLock } from '../../../src/lang/util/read-write-lock.ts';

/** Has some enter in this order, and answers what happened. */
async function entering(lock: ReadWriteLock, names: readonly string[]) {
  const entered: string[] = [];
  const leaves = names.map(async (name) => {
    const leave = await lock.enter(name.startsWith('alone'));
    entered.push(name);
    return leave;
  });
  await new Promise(setImmediate);
  const leave = async (index: number) => {
    (await leaves[index])?.();
    await new Promise(setImmediate);
  };
  return { entered, leave };
}

it('lets many in together', async () => {
  const { entered } = await entering(new ReadWriteLock(), ['a', 'b', 'c']);
  expect(entered).toEqual(['a', 'b', 'c']);
});

it('lets one in alone once the others have left, before those who came later', async () => {
  const { entered, leave } = await entering(new ReadWriteLock(), ['a', 'b', 'alone', 'c']);
  await leave(0);
  expect(entered).toEqual(['a', 'b']);
  await leave(1);
  expect(entered).toEqual(['a', 'b', 'alone']);
  await leave(2);
  expect(entered).toEqual(['a', 'b', 'alone', 'c']);
});

it('lets those who want to be alone in before others, one after the other', async () => {
  const { entered, leave } = await entering(new ReadWriteLock(), ['a', 'alone 1', 'b', 'alone 2']);
  await leave(0);
  expect(entered).toEqual(['a', 'alone 1']);
  await leave(1);
  await leave(1);
  expect(entered).toEqual(['a', 'alone 1', 'alone 2']);
  await leave(3);
  expect(entered).toEqual(['a', 'alone 1', 'alone 2', 'b']);
});

it('lets others in where the one who waited to be alone gives up', async () => {
  const lock = new ReadWriteLock();
  const leave = await lock.enter(false);
  const controller = new AbortController();
  const alone = lock.enter(true, controller.signal);
  const { entered } = await entering(lock, ['b']);
  expect(entered).toEqual([]);
  controller.abort('enough');
  await expect(alone).rejects.toBe('enough');
  await new Promise(setImmediate);
  expect(entered).toEqual(['b']);
  leave();
  await expect(lock.enter(false, controller.signal)).rejects.toBe('enough');
});
