import type { StoredEvent } from '../../../src/service/store/store.ts';
import type { QueryName } from './arbitraries.ts';
import { did } from './reference/examples.ts';
import type { TieCase } from './ties.ts';

// Requests whose results change with each option, on events that make them change. Random requests may miss an option.

/** Each user does `a`, most do `b` and some `c`, at times around the midnights of the time zone, which are at 03:30. */
const EVENTS: readonly StoredEvent[] = [0, 1, 2, 3, 4, 5, 6].flatMap((user) => {
  const day = (number: number) => String(number).padStart(2, '0');
  const properties = {
    x: ['p', 'q', 'r'][user % 3],
    n: user * 7 - 10,
    list: ['p', user],
    ok: [true, 1, undefined][user % 3],
  };
  const event = (name: string, time: string, own = {}) => did(`u${user}`, name, time, { ...properties, ...own });
  return [
    event('a', '2025-01-06 12:00:00', { n: null }),
    event('a', `2025-01-${day(6 + (user % 4))} 03:29:59`),
    event('a', `2025-01-${day(6 + (user % 4))} 03:30:00`, { x: 'q' }),
    ...(user < 5 ? [event('b', `2025-01-${day(7 + (user % 4))} 03:${day(10 + 10 * user)}:00`)] : []),
    ...(user < 3 ? [event('b', '2025-01-09 18:00:00'), event('c', `2025-01-09 1${8 + (user % 2)}:30:00`)] : []),
    ...(user === 1 ? [event('b', '2025-01-01 00:00:00'), event('a', '2025-01-10 11:59:30')] : []),
  ];
});

const PEOPLE = [0, 1, 2, 3, 4, 5].map((user) => ({
  distinctId: `u${user}`,
  properties: { plan: user % 2 === 0 ? 'pro' : 'free' },
}));

const DATES = { from: '2025-01-06', to: '2025-01-09' };
const ON = 'properties["x"]';

/** Filters that read the time zone, the time, the user, and a list. */
const FILTERS = [
  'properties["time"] >= datetime("2025-01-08")',
  'properties["time"] > now - 172800',
  'user["plan"] == "pro"',
  '"p" in properties["list"] and properties["n"] > 0',
];

const TYPES = ['general', 'unique', 'average'] as const;
const BY_DAY = { bucket: { days: 1 }, limit: 255 };

type NamedRequest = readonly [QueryName, object];

/** Returns a request with each option on top of what it needs. */
function vary(query: QueryName, needed: object, options: readonly object[]): NamedRequest[] {
  return [{}, ...options].map((own) => [query, { ...needed, ...own }]);
}

const WHERE = FILTERS.map((where) => ({ where }));

const FUNNEL = { dates: DATES, steps: [{ event: 'a' }, { event: 'b' }], length: 86_400, ...BY_DAY };
const BIRTH = { dates: DATES, type: 'birth', bornEvent: 'a', event: 'b', intervalCount: 2, ...BY_DAY };

const REQUESTS: readonly NamedRequest[] = [
  ...TYPES.flatMap((type) =>
    vary('segmentation', { event: 'a', dates: DATES, type, unit: 'day', limit: 255 }, [
      ...WHERE,
      { on: ON },
      { on: ON, limit: 1 },
      { on: 'user["plan"]' },
      { on: 'properties["list"]' },
      { unit: 'hour' },
      { unit: 'week' },
      { interval: 3 },
      { event: 'b' },
    ]),
  ),
  ...TYPES.flatMap((type) => [
    ...vary('numeric', { event: 'a', dates: DATES, type, unit: 'day', on: 'properties["n"]', buckets: 4 }, [
      ...WHERE,
      { buckets: 2 },
    ]),
    ...vary('events', { events: ['a', 'b'], type, unit: 'day', period: DATES }, [{ period: { latest: 2 } }]),
    ...vary('property', { event: 'a', name: 'x', type, unit: 'day', period: DATES, limit: 255 }, [
      { values: ['q', 'r'] },
      { limit: 1 },
      { period: { latest: 3 } },
    ]),
    ...vary('topEvents', { type, limit: 10 }, [{ limit: 1 }]),
    ...vary('eventNames', { type, limit: 10 }, [{ limit: 1 }]),
  ]),
  ...(['sum', 'average'] as const).flatMap((aggregate) =>
    vary('aggregate', { aggregate, event: 'a', dates: DATES, unit: 'day', on: 'properties["n"]' }, [
      ...WHERE,
      { unit: 'hour' },
      { event: 'b' },
    ]),
  ),
  ...vary('funnel', FUNNEL, [
    ...WHERE,
    { length: 3_600 },
    { length: 260_000 },
    { on: ON },
    { on: ON, limit: 1 },
    { bucket: { unit: 'week' } },
    { steps: [{ event: 'a' }, { event: 'b' }, { event: 'c' }], length: 260_000 },
    { steps: [{ event: 'a', where: FILTERS[2] }, { event: 'b' }] },
    { steps: [{ event: 'a' }, { event: 'b', where: FILTERS[3] }], length: 260_000 },
  ]),
  ...vary('retention', BIRTH, [
    ...WHERE,
    ...FILTERS.map((bornWhere) => ({ bornWhere })),
    { intervalCount: 1 },
    { on: ON },
    { on: ON, limit: 1 },
    { event: undefined },
    { bornEvent: 'b' },
    { type: 'compounded' },
    { type: 'compounded', on: ON, limit: 1 },
    { bucket: { unit: 'week' } },
  ]),
  ...vary('addiction', { dates: DATES, unit: 'day', addictionUnit: 'hour', event: 'a', limit: 255 }, [
    ...WHERE,
    { on: ON },
    { event: undefined },
    { unit: 'week' },
    { unit: 'week', addictionUnit: 'day' },
  ]),
];

/** Filters of keys. The last one fails on the records of some users, which are then left out. */
export const ALLOWING: readonly string[] = [...FILTERS, 'properties["ok"] or properties["n"] > 10'];

/** Requests that read events, their users and people. */
export const KEY_REQUESTS: readonly NamedRequest[] = [
  ['segmentation', { event: 'a', dates: DATES, type: 'general', unit: 'day', limit: 255 }],
  ['segmentation', { event: 'a', dates: DATES, type: 'general', unit: 'day', on: 'user["plan"]', limit: 255 }],
  ['names', { of: 'user', limit: 10 }],
  ['values', { scope: 'user', name: 'plan', limit: 10 }],
];

/** A data set with requests for each option of each query. */
export const OPTION_CASES: readonly TieCase[] = [
  {
    world: {
      versions: [{ events: EVENTS, people: PEOPLE }],
      timeZone: 'America/St_Johns',
      now: Date.parse('2025-01-10T12:00:00Z') / 1000,
      day: DATES.from,
    },
    requests: REQUESTS,
  },
];
