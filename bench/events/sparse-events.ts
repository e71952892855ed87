import { Random } from '../../src/data/random.ts';
import type { Properties } from '../../src/lang/value.ts';

/** Generates events that each have a few of very many properties `p0`, `p1` …, all small whole numbers. */
export function generateSparseEvents(count: number, names: number): Properties[] {
  const random = new Random(2);
  return Array.from({ length: count }, () => {
    const own = Array.from({ length: 20 }, () => [`p${random.integer(0, names - 1)}`, random.integer(0, 9)]);
    return JSON.parse(JSON.stringify(Object.fromEntries(own)));
  });
}
