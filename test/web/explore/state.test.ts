import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UNITS } from '../../../src/data/buckets.ts';
import {
  formatExplorerLink,
  parseExplorerLink,
  SAMPLE_STATE,
  suggestExpressions,
  VIEWS,
} from '../../../src/web/explore/state.ts';
import { codePoint } from '../../code-point.ts';

const text = fc.string({ unit: codePoint });
const state = fc.record({
  where: text,
  on: text,
  unit: fc.constantFrom(...UNITS),
  unique: fc.boolean(),
  view: fc.constantFrom(...VIEWS),
});

it('the state survives a round trip through its link', () => {
  fc.assert(
    fc.property(state, (given) => {
      const { hash } = new URL(`http://localhost/play/?a#${formatExplorerLink(given)}`);
      expect(parseExplorerLink(hash)).toEqual(given);
    }),
  );
});

it('parseExplorerLink accepts every fragment', () => {
  fc.assert(
    fc.property(text, (fragment) => {
      const { unit, view } = parseExplorerLink(fragment);
      expect([UNITS.includes(unit), VIEWS.includes(view)]).toEqual([true, true]);
    }),
  );
});

it.each([
  ['', SAMPLE_STATE],
  ['#', SAMPLE_STATE],
  ['#where=true', { ...SAMPLE_STATE, where: 'true', on: '' }],
  ['#on=now&by=century&count=all&view=me', { ...SAMPLE_STATE, where: '', on: 'now' }],
  ['#where=%E0%A4%A&by=week&count=users', { ...SAMPLE_STATE, where: '\ufffd%A', on: '', unit: 'week', unique: true }],
])('parseExplorerLink(%o) returns %o', (fragment, expected) => {
  expect(parseExplorerLink(fragment)).toEqual(expected);
});

const { where, on } = SAMPLE_STATE;

it.each([
  ['of an unknown schema', undefined, { where: '', on: '' }],
  ['without properties', {}, { where: '', on: '' }],
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
