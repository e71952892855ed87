import { assert, constantFrom, dictionary, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { type ConsoleQueryName, QUERIES } from '../../../src/web/console/queries.ts';
import { followLink, formatConsoleLink, getFields, getParameters, startState } from '../../../src/web/console/state.ts';
import { codePoint } from '../../code-point.ts';

const START = startState(new Date(2025, 2, 1));
const NAMES = Object.keys(QUERIES) as ConsoleQueryName[];
const FIELDS = [...new Set(NAMES.flatMap((query) => Object.keys(QUERIES[query].fields)))];
const states = {
  query: constantFrom(...NAMES),
  texts: dictionary(constantFrom(...FIELDS), string({ minLength: 1, unit: codePoint })),
};

it('begins with the last thirty days', () => {
  expect(START.texts).toEqual({ from_date: '2025-01-31', to_date: '2025-03-01' });
});

it('comes back from its link, for the query that is asked', () => {
  assert(
    property(states.query, states.texts, (query, texts) => {
      const state = { query, texts };
      const back = followLink({ query: 'top', texts: {} }, `#${formatConsoleLink(state)}`);
      expect(back.query).toBe(query);
      expect(getParameters(back)).toEqual(getParameters(state));
    }),
  );
});

it('keeps what is set for other queries', () => {
  const on = { ...START, texts: { ...START.texts, on: 'properties["x"]', event: 'a' } };
  const events = followLink(on, formatConsoleLink({ query: 'events', texts: { event: 'a\nb' } }));
  expect(getParameters(events)).toEqual([['event', '["a","b"]'], ...Object.entries(START.texts)]);
  expect(getParameters({ ...events, query: 'segmentation' })).toContainEqual(['on', 'properties["x"]']);
});

it('stays as it is where a link says nothing of a query', () => {
  for (const link of ['', '#', '#query=', '#query=toString', '#event=a']) expect(followLink(START, link)).toBe(START);
});

it('sends nothing that is blank', () => {
  for (const query of NAMES) {
    const blank = Object.fromEntries(getFields({ query, texts: {} }).map(([name]) => [name, ' \n']));
    expect(getParameters({ query, texts: blank })).toEqual([]);
  }
});
