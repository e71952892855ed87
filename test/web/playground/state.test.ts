import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UNITS } from '../../../src/data/buckets.ts';
import {
  formatPlaygroundLink,
  parsePlaygroundLink,
  START,
  suggestExpressions,
  VIEWS,
} from '../../../src/web/playground/state.ts';
import { codePoint } from '../../code-point.ts';

const text = fc.string({ unit: codePoint });
const state = fc.record({
  where: text,
  on: text,
  unit: fc.constantFrom(...UNITS),
  unique: fc.boolean(),
  view: fc.constantFrom(...VIEWS),
});

it('playground state survives a round trip through its link', () => {
  fc.assert(
    fc.property(state, (given) => {
      const { hash } = new URL(`http://localhost/play/?a#${formatPlaygroundLink(given)}`);
      expect(parsePlaygroundLink(hash)).toEqual(given);
    }),
  );
});

it('parsePlaygroundLink accepts every fragment', () => {
  fc.assert(
    fc.property(text, (fragment) => {
      const { unit, view } = parsePlaygroundLink(fragment);
      expect([UNITS.includes(unit), VIEWS.includes(view)]).toEqual([true, true]);
    }),
  );
});

it.each([
  ['', START],
  ['#', START],
  ['#where=true', { ...START, where: 'true', on: '' }],
  ['#on=now&by=century&count=all&view=me', { ...START, where: '', on: 'now' }],
  ['#where=%E0%A4%A&by=week&count=users', { ...START, where: '\ufffd%A', on: '', unit: 'week', unique: true }],
])('parsePlaygroundLink(%o) returns %o', (fragment, expected) => {
  expect(parsePlaygroundLink(fragment)).toEqual(expected);
});

const { where, on } = START;

it.each([
  ['of an unknown schema', undefined, { where, on }],
  ['of a shop', { plan: ['free', 'pro', 'team'], $browser: ['Edge', 'Opera'], country: ['DE', 'US'] }, { where, on }],
  [
    'with a property of few values',
    { id: [], only: ['x'], 'a "b"': ['c', 'd'] },
    { where: '', on: 'properties["a \\"b\\""]' },
  ],
  ['without such a property', { id: [] }, { where: '', on: '' }],
])('suggestExpressions suits events %s', (_, values, expected) => {
  const known = Object.entries(values ?? {}).map(([name, of]) => [name, { types: ['string'] as const, values: of }]);
  expect(suggestExpressions(values && { properties: Object.fromEntries(known) })).toEqual(expected);
});
