import { describe, expect, it } from 'vitest';
import { LruCache } from '../../src/base/lru-cache.ts';

/** Adds keys, and returns those that the cache keeps, in order. */
function fill(cache: LruCache<object>, keys: readonly string[]): string[] {
  const values = new Map(keys.map((key) => [key, cache.set(key, {})]));
  return [...values].flatMap(([key, value]) => (cache.get(key) === value ? [key] : []));
}

describe('LruCache', () => {
  it('keeps at most the maximum number of entries', () => {
    expect(fill(new LruCache(100, 2), ['a', 'b', 'c'])).toEqual(['b', 'c']);
  });

  it('keeps at most the maximum size, which is the total length of keys by default', () => {
    expect(fill(new LruCache(10, 100), ['aaaa', 'bbbb', 'cccccc'])).toEqual(['bbbb', 'cccccc']);
  });

  it('evicts the entry that was used least recently', () => {
    const cache = new LruCache<object>(100, 2);
    fill(cache, ['a', 'b', 'c']);
    cache.get('b');
    fill(cache, ['d']);
    expect(['b', 'c', 'd'].filter((key) => cache.get(key))).toEqual(['b', 'd']);
  });

  it('does not keep an entry that is too large, and evicts nothing else for it', () => {
    expect(fill(new LruCache(10, 100), ['aaaa', 'bbbb', 'c'.repeat(11)])).toEqual(['aaaa', 'bbbb']);
  });

  it('hands over every value that it drops: the oldest, the replaced and the one that is too large', () => {
    const dropped: string[] = [];
    const cache = new LruCache<string>(10, 2, (value) => dropped.push(value));
    for (const key of ['a', 'b', 'c', 'c']) cache.set(key, `${key}${dropped.length}`);
    cache.set('d', 'large', 11);
    expect(dropped).toEqual(['a0', 'c0', 'large']);
  });
});
