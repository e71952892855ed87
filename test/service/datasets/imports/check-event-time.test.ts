import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compile } from '../../../../src/api/expressions.ts';
import { checkEventTime } from '../../../../src/service/datasets/imports/record-lines.ts';
import { runs } from '../../../runs.ts';

it('checkEventTime accepts the numbers that `datetime` returns unchanged', () => {
  const datetime = compile('datetime(properties["time"])');
  const edge = fc.tuple(fc.constantFrom(0, 1, 2 ** 32), fc.constantFrom(-1, -0.5, 0, 0.5, 1));
  const time = fc.oneof(
    edge.map(([limit, step]) => limit + step),
    fc.double(),
    fc.maxSafeInteger(),
    fc.integer({ min: 1, max: 2 ** 32 - 1 }),
  );
  fc.assert(
    fc.property(time, (time) => {
      expect(checkEventTime(time) === undefined).toBe(datetime({ time }) === time);
    }),
    { numRuns: runs(500) },
  );
});
