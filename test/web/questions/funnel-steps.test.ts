import fc from 'fast-check';
import { expect, it } from 'vitest';
import { funnelSteps } from '../../../src/queries/endpoints/kinds.ts';
import { formatSteps, parseSteps } from '../../../src/web/questions/funnel-steps.ts';
import { codePoint } from '../../code-point.ts';

const text = fc.string({ unit: codePoint });
const steps = fc.array(
  fc.record({
    event: fc.oneof(text, fc.constantFrom('a', 'b')),
    where: fc.oneof(text, fc.constantFrom('', ' ', '\n')),
  }),
  { maxLength: 20 },
);

it('reads the steps that it has written, without blank filters', () => {
  fc.assert(
    fc.property(steps, (given) => {
      const read = given.map(({ event, where }) => ({ event, where: where.trim() === '' ? '' : where }));
      expect(parseSteps(formatSteps(given))).toEqual(read);
    }),
  );
});

it('writes steps that the endpoint takes, if each has an event', () => {
  fc.assert(
    fc.property(steps, (given) => {
      const written = formatSteps(given);
      const isComplete = given.length > 0 && given.every(({ event }) => event !== '');
      expect(written === '' ? undefined : funnelSteps.read(written)?.length).toBe(
        isComplete ? given.length : undefined,
      );
    }),
  );
});

it('reads steps from any text of a link', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (json) => {
      for (const { event, where } of parseSteps(json))
        expect([typeof event, typeof where]).toEqual(['string', 'string']);
    }),
  );
  expect(parseSteps('[{"event":1,"where":[]},null,3,{"event":"a"},{}]')).toEqual([
    { event: '', where: '' },
    { event: 'a', where: '' },
    { event: '', where: '' },
  ]);
});
