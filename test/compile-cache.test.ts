import { describe, expect, it } from 'vitest';
import { CompileCache } from '../src/api/compile-cache.ts';

const SOURCES = ['properties["a"] == 1', 'properties["b"] == 1', 'properties["c"] == 1'] as const;

describe('CompileCache', () => {
  it('returns the same function for a source and a use', () => {
    const cache = new CompileCache({ now: 5 });
    const [source] = SOURCES;
    expect(cache.compileWhere(source)).toBe(cache.compileWhere(source));
    expect(cache.compile(source)).not.toBe(cache.compileWhere(source));
    expect(cache.compile('now')({})).toBe(5);
    expect(cache.compileOn(source)({ a: 1 })).toEqual(['true']);
    expect(cache.compileNumber('properties["a"] + 1')({ a: 1 })).toBe(2);
  });

  it('evicts the least recently used entry', () => {
    const cache = new CompileCache({ max: 2 });
    const [first, second] = SOURCES.map((source) => cache.compile(source));
    expect(cache.compile(SOURCES[1])).toBe(second);
    const again = cache.compile(SOURCES[0]);
    expect(again).not.toBe(first);
    expect(cache.compile(SOURCES[1])).toBe(second);
    cache.compile(SOURCES[2]);
    expect(cache.compile(SOURCES[1])).toBe(second);
    expect(cache.compile(SOURCES[0])).not.toBe(again);
  });

  it('evicts sources beyond 4,000,000 characters in total', () => {
    const cache = new CompileCache({ limits: { length: 1_000_000 } });
    const compile = (index: number) => cache.compile(`properties["${'a'.repeat(790_000)}${index}"] == 1`);
    const first = compile(0);
    for (let index = 1; index < 5; index++) compile(index);
    expect(compile(0)).toBe(first);
    for (let index = 5; index < 10; index++) compile(index);
    expect(compile(0)).not.toBe(first);
  });

  it('throws errors of compiling at each call', () => {
    const cache = new CompileCache();
    for (let time = 0; time < 2; time++) {
      expect(() => cache.compileWhere('properties[')).toThrow(/never closed/);
      expect(() => cache.compileWhere('5 and true')).toThrow(/number/);
    }
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity])('refuses the maximum %s', (max) => {
    expect(() => new CompileCache({ max })).toThrow(RangeError);
  });
});
