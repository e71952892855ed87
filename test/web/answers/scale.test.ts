import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScale, spreadLabels } from '../../../src/web/answers/scale.ts';

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -1_000, max: 100_000 }),
  fc.constantFrom(0, 5e-324, -5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, 1e308),
);

describe('a scale', () => {
  it('has round ticks', () => {
    expect(createScale([0, 42]).ticks).toEqual([0, 10, 20, 30, 40, 50]);
    expect(createScale([0.1, 0.35]).ticks).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
    expect(createScale([-3, -8]).ticks).toEqual([-8, -6, -4, -2, 0]);
    expect(createScale([1, null, 2]).ticks).toEqual([0, 1, 2]);
    expect(createScale([]).ticks).toEqual([0, 1]);
  });

  it('shows 0 and all numbers inside, in order, with few ticks', () => {
    fc.assert(
      fc.property(fc.array(fc.option(number)), (values) => {
        const { ticks, place } = createScale(values);
        expect(ticks).toContain(0);
        expect(ticks.length).toBeLessThanOrEqual(8);
        expect(ticks).toEqual([...new Set(ticks)].sort((a, b) => a - b));
        const numbers = values.filter((value) => value !== null).sort((a, b) => a - b);
        const places = numbers.map(place);
        for (const [at, found] of places.entries()) {
          expect(found).toBeGreaterThanOrEqual(-1e-9);
          expect(found).toBeLessThanOrEqual(1 + 1e-9);
          if (at > 0) expect(found).toBeGreaterThanOrEqual(places[at - 1] as number);
        }
      }),
      { examples: [[[-5e-324]], [[5e-324]], [[-Number.MAX_VALUE, Number.MAX_VALUE]], [[-5, 1000]]] },
    );
  });
});

describe('labels', () => {
  const [SIZE, HEIGHT] = [15, 240];
  const centres = fc.array(fc.double({ min: 0, max: HEIGHT, noNaN: true }), { maxLength: HEIGHT / SIZE });

  it('do not overlap, keep their order and stay inside', () => {
    fc.assert(
      fc.property(centres, (given) => {
        const placed = spreadLabels(given, SIZE, HEIGHT);
        const order = given.map((_, at) => at).sort((a, b) => (given[a] as number) - (given[b] as number));
        const sorted = order.map((at) => placed[at] as number);
        for (const [at, centre] of sorted.entries()) {
          expect(centre).toBeGreaterThanOrEqual(SIZE / 2 - 1e-6);
          expect(centre).toBeLessThanOrEqual(HEIGHT - SIZE / 2 + 1e-6);
          if (at > 0) expect(centre - (sorted[at - 1] as number)).toBeGreaterThanOrEqual(SIZE - 1e-6);
        }
      }),
    );
  });

  it('stay where they belong if there is room, and move apart evenly if not', () => {
    expect(spreadLabels([200, 20, 100], SIZE, HEIGHT)).toEqual([200, 20, 100]);
    expect(spreadLabels([100, 100, 20], SIZE, HEIGHT)).toEqual([92.5, 107.5, 20]);
  });
});
