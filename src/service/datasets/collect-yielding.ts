import { setImmediate } from 'node:timers/promises';

/** How long work goes on before others have their turn. */
const TURN_MS = 20;

/** The items of what takes long to make. Other requests are answered meanwhile: none waits for much more than the making of one item. */
export async function* yieldToEventLoop<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let begun = performance.now();
  for (const item of items) {
    yield item;
    if (performance.now() - begun < TURN_MS) continue;
    await setImmediate();
    begun = performance.now();
  }
}

/** All items of what takes long to make, as {@link yieldToEventLoop}. */
export async function collectYielding<Item>(items: Iterable<Item>): Promise<Item[]> {
  const gathered: Item[] = [];
  for await (const item of yieldToEventLoop(items)) gathered.push(item);
  return gathered;
}
