import { assert, constantFrom, dictionary, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { QUERIES, type QueryName } from '../../src/console/queries.ts';
import { fieldsOf, followed, parametersOf, startState, toFragment } from '../../src/console/state.ts';
import { codePoint } from '../code-point.ts';

const START = startState(new Date(2025, 2, 1));
const NAMES = Object.keys(QUERIES) as QueryName[];
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
      const back = followed({ query: 'top', texts: {} }, `#${toFragment(state)}`);
      expect(back.query).toBe(query);
      expect(parametersOf(back)).toEqual(parametersOf(state));
    }),
  );
});

it('keeps what is set for other queries', () => {
  const on = { ...START, texts: { ...START.texts, on: 'properties["x"]', event: 'a' } };
  const events = followed(on, toFragment({ query: 'events', texts: { event: 'a\nb' } }));
  expect(parametersOf(events)).toEqual([['event', '["a","b"]'], ...Object.entries(START.texts)]);
  expect(parametersOf({ ...events, query: 'segmentation' })).toContainEqual(['on', 'properties["x"]']);
});

it('stays as it is where a link says nothing of a query', () => {
  for (const link of ['', '#', '#query=', '#query=toString', '#event=a']) expect(followed(START, link)).toBe(START);
});

it('sends nothing that is blank', () => {
  for (const query of NAMES) {
    const blank = Object.fromEntries(fieldsOf({ query, texts: {} }).map(([name]) => [name, ' \n']));
    expect(parametersOf({ query, texts: blank })).toEqual([]);
  }
});
