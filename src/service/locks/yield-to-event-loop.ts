import { setImmediate } from 'node:timers/promises';

/** How long work may block the event loop before it yields. */
const TURN_MS = 20;

/**
 * Yields items that take long to produce and lets the event loop run every 20 ms. Other requests wait at most for the
 * production of one item.
 */
export async function* yieldToEventLoop<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let begun = performance.now();
  for (const item of items) {
    yield item;
    if (performance.now() - begun < TURN_MS) continue;
    await setImmediate();
    begun = performance.now();
  }
}

/** Collects items that take long to produce, yielding to the event loop like {@link yieldToEventLoop}. */
export async function collectYielding<Item>(items: Iterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of yieldToEventLoop(items)) collected.push(item);
  return collected;
}
