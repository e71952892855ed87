import { expect, it } from 'vitest';
import { Recent } from '../../src/util/recent.ts';

/** Which of some keys were kept. */
function kept(recent: Recent<object>, values: ReadonlyMap<string, object>): string[] {
  const fresh = {};
  // The newest first: asking for one that is gone pushes out the oldest.
  return [...values].reverse().flatMap(([key, value]) => (recent.get(key, () => fresh) === value ? [key] : []));
}

function fill(recent: Recent<object>, keys: readonly string[]): Map<string, object> {
  return new Map(keys.map((key) => [key, recent.get(key, () => ({}))]));
}

it('keeps so many entries', () => {
  const recent = new Recent<object>(2, 100);
  expect(kept(recent, fill(recent, ['a', 'b', 'c']))).toEqual(['c', 'b']);
});

it('keeps keys of so many characters together', () => {
  const recent = new Recent<object>(100, 10);
  expect(kept(recent, fill(recent, ['aaaa', 'bbbb', 'cccccc']))).toEqual(['cccccc', 'bbbb']);
});

it('does not keep a longer key, and keeps all others', () => {
  const recent = new Recent<object>(100, 10);
  expect(kept(recent, fill(recent, ['aaaa', 'bbbb', 'c'.repeat(11)]))).toEqual(['bbbb', 'aaaa']);
});
