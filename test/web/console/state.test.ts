import { assert, constantFrom, dictionary, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConsoleQueryName, QUERIES } from '../../../src/web/console/queries.ts';
import {
  createStartState,
  followLink,
  formatConsoleLink,
  getFields,
  getParameters,
} from '../../../src/web/console/state.ts';
import { codePoint } from '../../code-point.ts';

const START = createStartState(new Date(2025, 2, 1));
const NAMES = Object.keys(QUERIES) as ConsoleQueryName[];
const FIELDS = [...new Set(NAMES.flatMap((query) => Object.keys(QUERIES[query].fields)))];
const states = {
  query: constantFrom(...NAMES),
  values: dictionary(constantFrom(...FIELDS), string({ minLength: 1, unit: codePoint })),
};

describe('console state', () => {
  it('starts with the last 30 days', () => {
    expect(START.values).toEqual({ from_date: '2025-01-31', to_date: '2025-03-01' });
  });

  it('survives a round trip through its link', () => {
    assert(
      property(states.query, states.values, (query, values) => {
        const state = { query, values };
        const back = followLink({ query: 'top', values: {} }, `#${formatConsoleLink(state)}`);
        expect(back.query).toBe(query);
        expect(getParameters(back)).toEqual(getParameters(state));
      }),
    );
  });

  it('keeps the values of other queries', () => {
    const on = { ...START, values: { ...START.values, on: 'properties["x"]', event: 'a' } };
    const events = followLink(on, formatConsoleLink({ query: 'events', values: { event: 'a\nb' } }));
    expect(getParameters(events)).toEqual([['event', '["a","b"]'], ...Object.entries(START.values)]);
    expect(getParameters({ ...events, query: 'segmentation' })).toContainEqual(['on', 'properties["x"]']);
  });

  it('ignores a link without a known query', () => {
    for (const link of ['', '#', '#query=', '#query=toString', '#event=a']) expect(followLink(START, link)).toBe(START);
  });

  it('omits blank parameters', () => {
    for (const query of NAMES) {
      const blank = Object.fromEntries(getFields({ query, values: {} }).map(([name]) => [name, ' \n']));
      expect(getParameters({ query, values: blank })).toEqual([]);
    }
  });
});
