import { expect, it } from 'vitest';
import { LruCache } from '../../../src/lang/util/lru-cache.ts';

/** Which of some keys were kept. */
function kept(recent: LruCache<object>, values: ReadonlyMap<string, object>): string[] {
  const fresh = {};
  // The newest first: asking for one that is gone pushes out the oldest.
  return [...values].reverse().flatMap(([key, value]) => (recent.get(key, () => fresh) === value ? [key] : []));
}

function fill(recent: LruCache<object>, keys: readonly string[]): Map<string, object> {
  return new Map(keys.map((key) => [key, recent.get(key, () => ({}))]));
}

it('keeps so many entries', () => {
  const recent = new LruCache<object>(2, 100);
  expect(kept(recent, fill(recent, ['a', 'b', 'c']))).toEqual(['c', 'b']);
});

it('keeps keys of so many characters together', () => {
  const recent = new LruCache<object>(100, 10);
  expect(kept(recent, fill(recent, ['aaaa', 'bbbb', 'cccccc']))).toEqual(['cccccc', 'bbbb']);
});

it('does not keep a longer key, and keeps all others', () => {
  const recent = new LruCache<object>(100, 10);
  expect(kept(recent, fill(recent, ['aaaa', 'bbbb', 'c'.repeat(11)]))).toEqual(['bbbb', 'aaaa']);
});
