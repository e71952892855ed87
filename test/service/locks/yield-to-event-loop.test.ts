import { expect, it } from 'vitest';
import { collectYielding } from '../../../src/service/locks/yield-to-event-loop.ts';

function* yieldSlowly(items: number): Generator<number> {
  for (let item = 0; item < items; item++) {
    for (const end = performance.now() + 25; performance.now() < end; );
    yield item;
  }
}

it('collectYielding returns all items in order', async () => {
  expect(await collectYielding([])).toEqual([]);
  expect(await collectYielding([3, 1, 2])).toEqual([3, 1, 2]);
});

it('collectYielding lets other work run meanwhile', async () => {
  const done: string[] = [];
  const collecting = collectYielding(yieldSlowly(3)).then(() => done.push('slow'));
  await new Promise<void>((resolve) => setImmediate(resolve));
  done.push('quick');
  await collecting;
  expect(done).toEqual(['quick', 'slow']);
});

it('collectYielding rejects if an item fails', async () => {
  const failing = (function* () {
    yield 1;
    throw new Error('no more');
  })();
  await expect(collectYielding(failing)).rejects.toThrow('no more');
});
