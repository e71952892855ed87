import { describe, expect, it } from 'vitest';
import { ReadWriteLock } from '../../../src/service/locks/read-write-lock.ts';

/** Enters as readers and writers in this order. Returns the list of those who entered, and a function to leave. */
async function enterAll(lock: ReadWriteLock, names: readonly string[]) {
  const entered: string[] = [];
  const leaves = names.map(async (name) => {
    const leave = await lock.enter(name.startsWith('writer'));
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

describe('ReadWriteLock', () => {
  it('admits many readers at once', async () => {
    const { entered } = await enterAll(new ReadWriteLock(), ['a', 'b', 'c']);
    expect(entered).toEqual(['a', 'b', 'c']);
  });

  it('admits a writer once all readers have left, before later readers', async () => {
    const { entered, leave } = await enterAll(new ReadWriteLock(), ['a', 'b', 'writer', 'c']);
    await leave(0);
    expect(entered).toEqual(['a', 'b']);
    await leave(1);
    expect(entered).toEqual(['a', 'b', 'writer']);
    await leave(2);
    expect(entered).toEqual(['a', 'b', 'writer', 'c']);
  });

  it('admits writers one at a time, before readers', async () => {
    const { entered, leave } = await enterAll(new ReadWriteLock(), ['a', 'writer 1', 'b', 'writer 2']);
    await leave(0);
    expect(entered).toEqual(['a', 'writer 1']);
    await leave(1);
    await leave(1);
    expect(entered).toEqual(['a', 'writer 1', 'writer 2']);
    await leave(3);
    expect(entered).toEqual(['a', 'writer 1', 'writer 2', 'b']);
  });

  it('admits readers when a waiting writer aborts', async () => {
    const lock = new ReadWriteLock();
    const leave = await lock.enter(false);
    const controller = new AbortController();
    const writer = lock.enter(true, controller.signal);
    const { entered } = await enterAll(lock, ['b']);
    expect(entered).toEqual([]);
    controller.abort('enough');
    await expect(writer).rejects.toBe('enough');
    await new Promise(setImmediate);
    expect(entered).toEqual(['b']);
    leave();
    await expect(lock.enter(false, controller.signal)).rejects.toBe('enough');
  });
});
