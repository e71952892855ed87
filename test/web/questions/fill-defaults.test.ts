import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../src/queries/endpoints/endpoints.ts';
import { MAX_NUMERIC_DAYS } from '../../../src/queries/endpoints/segmentation.ts';
import { fillDefaults, type KnownData, listMissing } from '../../../src/web/questions/fill-defaults.ts';
import { parseSteps } from '../../../src/web/questions/funnel-steps.ts';
import { type PageQuery, QUERIES, type QuestionName } from '../../../src/web/questions/queries.ts';
import {
  getDates,
  getNamedValue,
  getParameters,
  type QuestionState,
  setValues,
} from '../../../src/web/questions/state.ts';
import { countDays } from '../../../src/web/shared/day.ts';

const DAY_MS = 86_400_000;
const countDaysOf = (state: QuestionState) =>
  countDays(getNamedValue(state, 'from_date'), getNamedValue(state, 'to_date'));
const formatDay = (time: number) => new Date(time).toISOString().slice(0, 10);

const queries = fc.constantFrom(...(Object.keys(QUERIES) as QuestionName[]));
const days = fc.integer({ min: 1, max: 1_500 });

/** Data over some days until a date, whose most frequent event comes first. */
const overviews = fc
  .record({
    last: fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
    days,
    names: fc.uniqueArray(fc.constantFrom('buy', 'view', 'sign up', 'leave', 'return'), { minLength: 1 }),
  })
  .map(({ last, days, names }): KnownData['overview'] => ({
    from_date: formatDay(last.getTime() - (days - 1) * DAY_MS),
    to_date: formatDay(last.getTime()),
    unit: 'day',
    series: [],
    events: names.map((event, at) => ({ event, count: 9 - at, values: [] })),
  }));

const funnels = fc.array(fc.record({ funnel_id: fc.integer({ min: 1 }), name: fc.string() }), { maxLength: 2 });
const project = { name: 'shop', time_zone: 'UTC' };

const known = fc.record({ project: fc.constant(project), overview: overviews, funnels });

function start(query: QuestionName, values: Readonly<Record<string, string>> = {}): QuestionState {
  return setValues({ query, values: new Map() }, values);
}

const isNumeric = (query: QuestionName) => (QUERIES[query] as PageQuery).on === 'number';

describe('the defaults of a question', () => {
  it('are values that its endpoint takes', () => {
    fc.assert(
      fc.property(queries, known, (query, data) => {
        const { parameters = {} } = ENDPOINTS.find(({ path }) => path === `/${QUERIES[query].path}`) ?? {};
        for (const [name, value] of getParameters(fillDefaults(start(query), data)))
          expect([name, parameters[name]?.kind.read(value)]).not.toEqual([name, undefined]);
      }),
    );
  });

  it('ask it, except for a number or a property', () => {
    fc.assert(
      fc.property(queries, known, (query, data) => {
        const missing = listMissing(fillDefaults(start(query), data));
        expect(missing).toEqual(isNumeric(query) ? ['Number'] : query === 'properties' ? ['Property'] : []);
      }),
    );
  });

  it('are the dates of the data, or as many of the last days as the endpoint takes', () => {
    fc.assert(
      fc.property(queries, known, (query, data) => {
        const state = fillDefaults(start(query), data);
        if (query === 'top' || query === 'people') return;
        const { from_date, to_date } = data.overview;
        const length = (Date.parse(to_date ?? '') - Date.parse(from_date ?? '')) / DAY_MS + 1;
        expect(getDates(state).to).toBe(to_date);
        expect(countDaysOf(state)).toBe(isNumeric(query) ? Math.min(length, MAX_NUMERIC_DAYS) : length);
      }),
    );
  });

  it('divide the dates into a number of buckets that is easy to read', () => {
    const hours = { minute: 1 / 60, hour: 1, day: 24, week: 168, month: 730 };
    fc.assert(
      fc.property(queries, known, (query, data) => {
        const state = fillDefaults(start(query), data);
        const unit = getNamedValue(state, 'unit') as keyof typeof hours;
        const buckets = (countDaysOf(state) * 24) / hours[unit || 'day'];
        // Frequency and retention have a row for each; others a point.
        expect(buckets).toBeLessThanOrEqual(query === 'retention' || query === 'addiction' ? 60 : 400);
      }),
    );
  });

  it('keep what someone has chosen', () => {
    const values = fc.record(
      {
        event: fc.constantFrom('mine', 'a\nb'),
        born_event: fc.constant('mine'),
        unit: fc.constantFrom('day', 'month'),
        interval_count: fc.constant('7'),
        funnel_id: fc.constant('4711'),
        from_date: fc.constant('2020-02-01'),
        to_date: fc.constant('2020-02-03'),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(queries, values, known, (query, chosen, data) => {
        const state = start(query, chosen);
        const filled = fillDefaults(state, data);
        for (const [key, value] of state.values) expect(filled.values.get(key)).toBe(value);
        expect(getParameters(fillDefaults(filled, data))).toEqual(getParameters(filled));
      }),
    );
  });

  it('are none without data', () => {
    const overview = { from_date: null, to_date: null, unit: 'day', series: [], events: [] };
    for (const query of Object.keys(QUERIES) as QuestionName[]) {
      const filled = fillDefaults(start(query), { project, overview, funnels: [] });
      expect(getDates(filled)).toEqual({ from: '', to: '' });
      expect(['event', 'born_event', 'steps'].map((name) => getNamedValue(filled, name))).toEqual(['', '', '']);
    }
  });

  it('are a saved funnel, or the top events as steps', () => {
    fc.assert(
      fc.property(known, (data) => {
        const state = fillDefaults(start('funnels'), data);
        const names = data.overview.events.map(({ event }) => event);
        const [saved] = data.funnels;
        expect(getNamedValue(state, 'funnel_id')).toBe(saved === undefined ? '' : String(saved.funnel_id));
        expect(parseSteps(getNamedValue(state, 'steps')).map(({ event }) => event)).toEqual(
          saved === undefined ? names.slice(0, 3) : [],
        );
      }),
    );
  });

  it('let users begin with the event that sounds like it', () => {
    fc.assert(
      fc.property(known, (data) => {
        const names = data.overview.events.map(({ event }) => event);
        const born = getNamedValue(fillDefaults(start('retention'), data), 'born_event');
        expect(born).toBe(names.includes('sign up') ? 'sign up' : names[0]);
      }),
    );
  });

  it('never show more intervals of retention than the dates have', () => {
    fc.assert(
      fc.property(known, fc.constantFrom('', '3', '90'), (data, interval) => {
        const state = fillDefaults(start('retention', { interval }), data);
        const unit = { day: 1, week: 7, month: 28 }[getNamedValue(state, 'unit')] ?? 1;
        const count = Number(getNamedValue(state, 'interval_count'));
        const length = interval === '' ? unit : Number(interval);
        expect(count).toBeGreaterThanOrEqual(1);
        expect(count).toBeLessThanOrEqual(Math.max(1, Math.ceil(countDaysOf(state) / length)));
      }),
    );
  });
});
