import { array, assert, constantFrom, property, string, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Field, type PageQuery, QUERIES, type QuestionName } from '../../../src/web/questions/queries.ts';
import {
  createStartState,
  followLink,
  formatQuestionLink,
  getFields,
  getFieldValue,
  getParameters,
  type QuestionState,
} from '../../../src/web/questions/state.ts';
import { codePoint } from '../../code-point.ts';

const START = createStartState(new Date(2025, 2, 1));
const DATES = [
  ['from_date', '2025-01-31'],
  ['to_date', '2025-03-01'],
];
const NAMES = Object.keys(QUERIES) as QuestionName[];
const FIELDS = [...new Set(NAMES.flatMap((query) => Object.values<Field>(QUERIES[query].fields)))];
const states = {
  query: constantFrom(...NAMES),
  values: array(tuple(constantFrom(...FIELDS), string({ minLength: 1, unit: codePoint }))).map(
    (entries) => new Map(entries),
  ),
};

function set(state: QuestionState, name: string, value: string): QuestionState {
  const field = (QUERIES[state.query] as PageQuery).fields[name] as Field;
  return { ...state, values: new Map(state.values).set(field, value) };
}

/** Follows the link of the navigation to another query. */
function choose(state: QuestionState, query: QuestionName): QuestionState {
  return followLink(state, `#${formatQuestionLink({ ...state, query })}`);
}

describe('the state of questions', () => {
  it('starts with the last 30 days', () => {
    expect(getParameters(START)).toEqual(DATES);
  });

  it('survives a round trip through its link', () => {
    assert(
      property(states.query, states.values, (query, values) => {
        const state = { query, values };
        const back = followLink({ query: 'top', values: new Map() }, `#${formatQuestionLink(state)}`);
        expect(back.query).toBe(query);
        expect(getParameters(back)).toEqual(getParameters(state));
      }),
    );
  });

  it('is the same after a visit to another query', () => {
    assert(
      property(states.query, states.values, states.query, (query, values, other) => {
        const state = { query, values };
        const back = choose(choose(state, other), query);
        expect(getParameters(back)).toEqual(getParameters(state));
        for (const field of FIELDS) expect(getFieldValue(back, field)).toBe(getFieldValue(state, field));
      }),
    );
  });

  it('shares values only with queries that have the same field', () => {
    let state = set(set(START, 'event', 'a'), 'on', 'properties["x"]');
    expect(getParameters(choose(state, 'sum'))).toEqual([['event', 'a'], ...DATES]);
    expect(getParameters(choose(state, 'events'))).toEqual(DATES);
    expect(getParameters(choose(state, 'retention'))).toEqual([['on', 'properties["x"]'], ...DATES]);
    state = set(choose(state, 'funnels'), 'unit', 'month');
    expect(getParameters(choose(state, 'numeric'))).toEqual([['event', 'a'], ...DATES]);
    expect(getParameters(choose(state, 'addiction'))).toContainEqual(['unit', 'month']);
  });

  it('takes the place of what was set if a link is followed', () => {
    const link = formatQuestionLink(set({ query: 'events', values: new Map() }, 'event', 'a\nb'));
    const events = followLink(set(choose(START, 'events'), 'type', 'unique'), link);
    expect(getParameters(events)).toEqual([['event', '["a","b"]'], ...DATES]);
  });

  it('ignores a link without a known query', () => {
    for (const link of ['', '#', '#query=', '#query=toString', '#event=a']) expect(followLink(START, link)).toBe(START);
  });

  it('omits blank parameters', () => {
    for (const query of NAMES) {
      const fields = getFields({ query, values: new Map() });
      const blank = new Map(fields.map(([, field]) => [field, ' \n']));
      expect(getParameters({ query, values: blank })).toEqual([]);
    }
  });
});
