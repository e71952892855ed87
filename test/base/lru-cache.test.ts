import { describe, expect, it } from 'vitest';
import { LruCache } from '../../src/base/lru-cache.ts';

/** Returns the keys that the cache still has. */
function findKept(cache: LruCache<object>, values: ReadonlyMap<string, object>): string[] {
  const fresh = {};
  // The newest first, because a missing key evicts the oldest one.
  return [...values].reverse().flatMap(([key, value]) => (cache.get(key, () => fresh) === value ? [key] : []));
}

function fill(cache: LruCache<object>, keys: readonly string[]): Map<string, object> {
  return new Map(keys.map((key) => [key, cache.get(key, () => ({}))]));
}

describe('LruCache', () => {
  it('keeps at most the maximum number of entries', () => {
    const cache = new LruCache<object>(2, 100);
    expect(findKept(cache, fill(cache, ['a', 'b', 'c']))).toEqual(['c', 'b']);
  });

  it('keeps at most the maximum total length of keys', () => {
    const cache = new LruCache<object>(100, 10);
    expect(findKept(cache, fill(cache, ['aaaa', 'bbbb', 'cccccc']))).toEqual(['cccccc', 'bbbb']);
  });

  it('does not keep a key that is too long, and evicts nothing for it', () => {
    const cache = new LruCache<object>(100, 10);
    expect(findKept(cache, fill(cache, ['aaaa', 'bbbb', 'c'.repeat(11)]))).toEqual(['bbbb', 'aaaa']);
  });
});
