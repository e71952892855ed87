import { assert, asyncProperty, constantFrom, integer, nat, record, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toEventRecord } from '../../../src/data/event-record.ts';
import type { UserSelection } from '../../../src/web/answers/answer.ts';
import { answerRequest } from '../../../src/web/events/answer-request.ts';
import { EventStore } from '../../../src/web/events/event-store.ts';
import { KnownNames } from '../../../src/web/questions/known-names.ts';
import { listUsers } from '../../../src/web/questions/list-users.ts';
import type { QuestionName } from '../../../src/web/questions/queries.ts';
import { getParameters, type QuestionState, setValues } from '../../../src/web/questions/state.ts';
import { describeUsers, isSelection } from '../../../src/web/questions/user-selection.ts';
import { ApiError, type QueryApi, type RequestParameters } from '../../../src/web/shared/query-api.ts';

const DAY = 86_400;
const START = Date.parse('2025-06-01T00:00:00Z') / 1000;
const DATES = { from_date: '2025-06-01', to_date: '2025-06-08' };
const STEPS = JSON.stringify(['view', 'cart', 'buy'].map((event) => ({ event })));

const event = record({
  event: constantFrom('view', 'cart', 'buy'),
  user: nat(5).map((number) => `u${number}`),
  time: integer({ min: 0, max: 8 * DAY - 1 }),
  plan: constantFrom('free', 'pro'),
  amount: nat(300),
});

/** The events of a test. No two happen at once, so that their order is known. */
const events = uniqueArray(event, { minLength: 5, maxLength: 40, selector: ({ time }) => time });

type TestEvents = readonly {
  readonly event: string;
  readonly user: string;
  readonly time: number;
  readonly plan: string;
  readonly amount?: number;
}[];

function createApi(found: TestEvents): QueryApi {
  const store = new EventStore();
  store.add(
    found.flatMap(({ event, user, time, plan, amount }, index) => {
      const json = { event, properties: { distinct_id: user, time: START + time, plan, amount } };
      return toEventRecord(json, () => '', index + 1) ?? [];
    }),
  );
  const ask = async (path: string, parameters: RequestParameters) => {
    const answer = await answerRequest(store.toMemory(), { path, parameters, timeZone: 'UTC' });
    if (!('json' in answer)) throw new ApiError(answer.status, answer.message);
    return answer.json;
  };
  return {
    obstacle: undefined,
    emptyHint: '',
    hasAnnotations: false,
    post: async (path, parameters) => JSON.parse(await ask(path, parameters)),
    readLines: async (path, parameters) => (await ask(path, parameters)).split('\n'),
    formatCommands: () => [],
  };
}

function ask(query: QuestionName, values: Readonly<Record<string, string>>): QuestionState {
  return setValues({ query, values: new Map() }, { ...DATES, ...values });
}

function list(api: QueryApi, state: QuestionState, selection: UserSelection): Promise<readonly string[]> {
  return listUsers(api, new KnownNames(api), state, selection, 'distinct_id');
}

describe('the users behind a number', () => {
  it('are as many as the step of a funnel has, of all or of a segment', async () => {
    const state = ask('funnels', { steps: STEPS, on: 'properties["plan"]', length: '3' });
    await assert(
      asyncProperty(events, nat(2), constantFrom(undefined, 'free', 'pro'), async (found, step, segment) => {
        const api = createApi(found);
        const parameters = [...getParameters(state), ['interval', '8'] as const];
        const { data } = (await api.post('funnels', parameters)) as {
          data: Record<string, Record<string, { steps: { count: number }[] }>>;
        };
        const steps = data['2025-06-01']?.[segment ?? '$overall']?.steps ?? [];
        const count = (at: number) => steps[at]?.count ?? 0;
        const of = segment === undefined ? {} : { segment };
        if (segment !== undefined && !found.some(({ plan }) => plan === segment)) return;
        const reached = await list(api, state, { kind: 'step', step, dropped: false, ...of });
        expect(reached).toHaveLength(count(step));
        const dropped = await list(api, state, { kind: 'step', step, dropped: true, ...of });
        expect(dropped).toHaveLength(count(step) - (step === 2 ? 0 : count(step + 1)));
        expect(reached).toEqual(expect.arrayContaining([...dropped]));
      }),
    );
  });

  it('are as many as a cell of retention and of frequency has', async () => {
    const retention = ask('retention', { born_event: 'view', unit: 'day', interval_count: '3' });
    const frequency = ask('addiction', { unit: 'week', addiction_unit: 'day' });
    await assert(
      asyncProperty(events, nat(3), nat(6), async (found, column, day) => {
        const api = createApi(found);
        const date = `2025-06-0${day + 1}`;
        const cohorts = (await api.post('retention', getParameters(retention))) as Record<
          string,
          { counts: number[]; first: number }
        >;
        const users = await list(api, retention, { kind: 'cohort', date, column });
        expect(users).toHaveLength(cohorts[date]?.counts[column] ?? 0);
        const all = await list(api, retention, { kind: 'cohort', date, column: -1 });
        expect(all).toHaveLength(cohorts[date]?.first ?? 0);
        const weeks = (await api.post('retention/addiction', getParameters(frequency))) as Record<string, number[]>;
        for (const [week, counts] of Object.entries(weeks)) {
          const active = await list(api, frequency, { kind: 'cohort', date: week, column });
          expect(active).toHaveLength(counts[column] ?? 0);
        }
      }),
    );
  });

  it('are those with an event in a segment', async () => {
    const state = ask('segmentation', { event: 'view', on: 'properties["plan"]', unit: 'day' });
    await assert(
      asyncProperty(events, constantFrom('free', 'pro'), async (found, name) => {
        const expected = found.filter(({ event, plan }) => event === 'view' && plan === name).map(({ user }) => user);
        if (expected.length === 0) return;
        const users = await list(createApi(found), state, { kind: 'segment', name });
        expect([...users].sort()).toEqual([...new Set(expected)].sort());
      }),
    );
  });

  // biome-ignore format: a table with one kind of number per row
  const NUMBERS = [
    ['of several events', 'events', { event: 'view\ncart' }, {}, ({ event }) => event !== 'buy'],
    ['of one of them', 'events', { event: 'view\ncart' }, { name: 'cart' }, ({ event }) => event === 'cart'],
    ['of an event', 'segmentation', { event: 'view', on: 'properties["plan"]' }, {}, ({ event }) => event === 'view'],
    ['of a value', 'properties', { event: 'view', name: 'plan' }, { name: 'pro' }, ({ event, plan }) => event === 'view' && plan === 'pro'],
    ['of a sum', 'sum', { event: 'view', on: 'number(properties["amount"])' }, { name: 'view' }, ({ event }) => event === 'view'],
    ['of a range', 'numeric', { event: 'view', on: 'properties["amount"]' }, { name: '100 - 200' }, ({ event, amount = 0 }) => event === 'view' && amount >= 100 && amount < 200],
    ['of a week', 'events', { event: 'view', unit: 'week' }, { name: 'view', bucket: '2025-05-26' }, ({ event, time }) => event === 'view' && time < DAY],
    ['of a day', 'sum', { event: 'view', on: 'properties["amount"]' }, { bucket: '2025-06-02' }, ({ event, time }) => event === 'view' && Math.floor(time / DAY) === 1],
    ['of an hour', 'segmentation', { event: 'view', unit: 'hour' }, { bucket: '2025-06-02 03:00:00' }, ({ event, time }) => event === 'view' && Math.floor(time / 3600) === 27],
    ['of the period before', 'segmentation', { event: 'view', from_date: '2025-06-05', to_date: '2025-06-08' }, { isBefore: true }, ({ event, time }) => event === 'view' && time < 4 * DAY],
  ] as const satisfies readonly (readonly [string, QuestionName, Readonly<Record<string, string>>, object, (event: TestEvents[number]) => boolean])[];

  it.each(NUMBERS)('are those with the events %s', async (_, query, values, picked, isMeant) => {
    await assert(
      asyncProperty(events, async (found) => {
        const where = 'properties["plan"] != "none"';
        const expected = new Set(found.filter(isMeant).map(({ user }) => user));
        // A value that no event has is not known.
        if (expected.size === 0) return;
        const users = await list(createApi(found), ask(query, { where, ...values }), { kind: 'segment', ...picked });
        expect(new Set(users)).toEqual(expected);
      }),
    );
  });

  it('are those with an event of today', async () => {
    const time = Date.now() / 1000 - START;
    const api = createApi([
      { event: 'view', user: 'u1', time, plan: 'pro' },
      { event: 'view', user: 'u2', time: 0, plan: 'pro' },
    ]);
    const users = await list(api, { query: 'top', values: new Map() }, { kind: 'segment', name: 'view' });
    expect(users).toEqual(['u1']);
  });

  it('are not guessed for a segment whose condition is not known', async () => {
    const state = ask('segmentation', { event: 'view', on: 'properties["time"] > 5', unit: 'day' });
    const api = createApi([{ event: 'view', user: 'u1', time: 0, plan: 'pro' }]);
    await expect(list(api, state, { kind: 'segment', name: 'true' })).rejects.toThrow('cannot be listed');
  });
});

it('the title of a list names the step', () => {
  const state = ask('funnels', { steps: STEPS });
  expect(describeUsers({ kind: 'step', step: 1, dropped: true }, state)).toBe('Users who left after “cart”');
  expect(describeUsers({ kind: 'step', step: 0, dropped: false, segment: 'pro' }, state)).toBe(
    'Users of pro who reached “view”',
  );
  const trend = ask('segmentation', { event: 'view', unit: 'day' });
  const day = { kind: 'segment', name: 'pro', bucket: '2025-06-02' } as const;
  expect(describeUsers(day, trend)).toBe('Users of pro, Mon, 2 June 2025');
  expect(describeUsers({ kind: 'segment', isBefore: true }, trend)).toBe('Users of view, 24–31 May');
});

it('a link opens no users that a number could not have', () => {
  const step = { kind: 'step', step: 1, dropped: true };
  const cohort = { kind: 'cohort', date: '2025-06-01', column: 0 };
  const ofDay = { kind: 'segment', bucket: '2025-06-01', isBefore: true };
  for (const selection of [step, cohort, ofDay, { kind: 'segment', name: 'pro' }, { ...step, segment: 'pro' }])
    expect(isSelection(selection)).toBe(true);
  const wrong = [null, [], {}, { ...step, step: 0.5 }, { ...step, dropped: 1 }, { ...cohort, column: '0' }];
  for (const selection of [
    ...wrong,
    { ...cohort, segment: 1 },
    { ...ofDay, bucket: 'x' },
    { ...ofDay, isBefore: 1 },
    { kind: 'users' },
  ])
    expect(isSelection(selection)).toBe(false);
});
