import { array, assert, constantFrom, property, string, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Field, findField, listFields, QUERIES, type QuestionName } from '../../../src/web/questions/queries.ts';
import {
  followLink,
  formatQuestionLink,
  getDates,
  getFieldValue,
  getParameters,
  getTab,
  hasComparison,
  isQuestionLink,
  type QuestionState,
  NEW_QUESTION as START,
  setValues,
  zoomDates,
} from '../../../src/web/questions/state.ts';
import { codePoint } from '../../code-point.ts';

const DATES = { from_date: '2025-01-31', to_date: '2025-03-01' };
const DATED = setValues(START, DATES);
const NAMES = Object.keys(QUERIES) as QuestionName[];
const FIELDS = [...new Map(NAMES.flatMap(listFields).map((field) => [field.key, field])).values()];
const states = {
  query: constantFrom(...NAMES),
  values: array(tuple(constantFrom(...FIELDS.map(({ key }) => key)), string({ minLength: 1, unit: codePoint }))).map(
    (entries) => new Map(entries),
  ),
};

/** Follows the link of the navigation to another question. */
function choose(state: QuestionState, query: QuestionName): QuestionState {
  return followLink(state, `#${formatQuestionLink({ ...state, query })}`);
}

const listParameters = (state: QuestionState) => Object.fromEntries(getParameters(state));

describe('the state of questions', () => {
  it('survives a round trip through its link', () => {
    assert(
      property(states.query, states.values, (query, values) => {
        const state = { query, values };
        const link = formatQuestionLink(state);
        const back = followLink({ query: 'top', values: new Map() }, `#${link}`);
        expect(back.query).toBe(query);
        expect(getParameters(back)).toEqual(getParameters(state));
        expect(hasComparison(back)).toBe(hasComparison(state));
        expect(formatQuestionLink(back)).toBe(link);
        expect([isQuestionLink(link), getTab(back)]).toEqual([true, QUERIES[query].tab]);
      }),
    );
  });

  it('is the same after a visit to another question', () => {
    assert(
      property(states.query, states.values, states.query, (query, values, other) => {
        const state = { query, values };
        const back = choose(choose(state, other), query);
        expect(getParameters(back)).toEqual(getParameters(state));
        for (const field of FIELDS) expect(getFieldValue(back, field)).toBe(getFieldValue(state, field));
      }),
    );
  });

  it('has the values that are set, of the fields that the question has', () => {
    assert(
      property(states.query, states.values, constantFrom(...FIELDS), string(), (query, values, field, value) => {
        const state = { query, values };
        const set = setValues(state, { [field.name]: value });
        const own: Field | undefined = findField(query, field.name);
        for (const one of FIELDS)
          expect(getFieldValue(set, one)).toBe(one.key === own?.key ? value : getFieldValue(state, one));
      }),
    );
  });

  it('shares values only with questions that have the same field', () => {
    let state = setValues(DATED, { event: 'a', on: 'properties["x"]' });
    // What groups is seldom a number.
    expect(listParameters(choose(state, 'sum'))).toEqual({ event: 'a', ...DATES });
    expect(listParameters(choose(state, 'events'))).toEqual(DATES);
    expect(listParameters(choose(state, 'retention'))).toMatchObject({ on: 'properties["x"]', ...DATES });
    state = setValues(choose(state, 'funnels'), { unit: 'month' });
    expect(listParameters(choose(state, 'numeric'))).not.toHaveProperty('unit');
    expect(listParameters(choose(state, 'addiction'))).toMatchObject({ unit: 'month' });
  });

  it('takes the place of what was set if a link is followed', () => {
    const link = formatQuestionLink(setValues({ query: 'events', values: new Map() }, { event: 'a\nb' }));
    const events = followLink(setValues(choose(DATED, 'events'), { type: 'unique' }), link);
    expect(listParameters(events)).toEqual({ event: '["a","b"]', ...DATES });
  });

  it('ignores a link without a known question', () => {
    for (const link of ['', '#', '#query=', '#query=toString', '#event=a']) {
      expect(followLink(DATED, link)).toBe(DATED);
      expect(isQuestionLink(link)).toBe(false);
    }
  });

  it('omits blank parameters', () => {
    for (const query of NAMES) {
      const blank = new Map(listFields(query).map(({ key }) => [key, ' \n']));
      expect(getParameters({ query, values: blank })).toEqual([]);
    }
  });

  it('asks no saved funnel beside steps, and sends no comparison', () => {
    const funnel = setValues({ query: 'funnels', values: new Map() }, { funnel_id: '3', steps: '[{"event":"a"}]' });
    expect(listParameters(funnel)).toEqual({ steps: '[{"event":"a"}]' });
    expect(listParameters(setValues(funnel, { steps: '' }))).toEqual({ funnel_id: '3' });
    const compared = setValues(DATED, { compare: 'before' });
    expect([hasComparison(compared), listParameters(compared)]).toEqual([true, DATES]);
    expect(hasComparison({ ...compared, query: 'sum' })).toBe(false);
  });

  it('zooms into dates, never before the first', () => {
    expect(getDates(zoomDates(DATED, '2025-02-10', '2025-02-11'))).toEqual({ from: '2025-02-10', to: '2025-02-11' });
    expect(getDates(zoomDates(DATED, '2025-01-27', undefined))).toEqual({ from: '2025-01-31', to: '2025-03-01' });
  });
});
