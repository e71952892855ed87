import { assert, asyncProperty, constantFrom, integer, nat, record, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toEventRecord } from '../../../src/data/event-record.ts';
import type { UserSelection } from '../../../src/web/answers/answer.ts';
import { answerRequest } from '../../../src/web/events/answer-request.ts';
import { EventStore } from '../../../src/web/events/event-store.ts';
import { KnownNames } from '../../../src/web/questions/known-names.ts';
import { describeUsers, isSelection, listUsers } from '../../../src/web/questions/list-users.ts';
import type { QuestionName } from '../../../src/web/questions/queries.ts';
import { getParameters, type QuestionState, setValues } from '../../../src/web/questions/state.ts';
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
});

/** The events of a test. No two happen at once, so that their order is known. */
const events = uniqueArray(event, { minLength: 5, maxLength: 40, selector: ({ time }) => time });

type TestEvents = readonly {
  readonly event: string;
  readonly user: string;
  readonly time: number;
  readonly plan: string;
}[];

function createApi(found: TestEvents): QueryApi {
  const store = new EventStore();
  store.add(
    found.flatMap(({ event, user, time, plan }, index) => {
      const json = { event, properties: { distinct_id: user, time: START + time, plan } };
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
        const cohorts = (await api.post('retention', getParameters(retention))) as Record<string, { counts: number[] }>;
        const users = await list(api, retention, { kind: 'cohort', date, column });
        expect(users).toHaveLength(cohorts[date]?.counts[column] ?? 0);
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
});

it('a link opens no users that a number could not have', () => {
  const step = { kind: 'step', step: 1, dropped: true };
  const cohort = { kind: 'cohort', date: '2025-06-01', column: 0 };
  for (const selection of [step, cohort, { kind: 'segment', name: 'pro' }, { ...step, segment: 'pro' }])
    expect(isSelection(selection)).toBe(true);
  const wrong = [null, [], {}, { ...step, step: 0.5 }, { ...step, dropped: 1 }, { ...cohort, column: '0' }];
  for (const selection of [...wrong, { ...cohort, segment: 1 }, { kind: 'segment' }, { kind: 'users' }])
    expect(isSelection(selection)).toBe(false);
});
