import type { StoredEvent } from '../../../src/service/store/store.ts';
import type { QueryName, World } from './arbitraries.ts';
import { did } from './reference/examples.ts';

// The law "Which events raise": whether a query fails on an event for which its expression raises a type error.

/** A data set with one event that can raise, and a query. */
export interface RaisingCase {
  readonly name: string;
  readonly world: World;
  readonly query: QueryName;
  readonly request: object;
  readonly raises: boolean;
}

const DATES = { from: '2025-06-02', to: '2025-06-03' };
const BEFORE = '2025-06-01 23:59:59';
const FIRST = '2025-06-02 00:00:00';
const LAST = '2025-06-03 23:59:59';
const AFTER = '2025-06-04 00:00:00';
const HOUR = 3600;
const IN_WINDOW = '2025-06-04 00:59:59';
const BEYOND_WINDOW = '2025-06-04 01:00:00';
/** The ends of the last interval of retention, and the first second after it. */
const IN_INTERVALS = '2025-06-05 23:59:59';
const BEYOND_INTERVALS = '2025-06-06 00:00:00';

/** Raises for a string. */
const RAISING = 'properties["x"] and true';

/** Excludes the event that can raise. */
const OTHERS = 'not defined(properties["x"])';

const ALL = { dates: DATES, type: 'general', unit: 'day', limit: 5 };
const NUMERIC = { event: 'a', dates: DATES, type: 'general', unit: 'day', buckets: 3, on: 'properties["n"]' };
const AGGREGATE = { event: 'a', dates: DATES, unit: 'day', on: 'properties["n"]' };
const ADDICTION = { dates: DATES, unit: 'day', addictionUnit: 'hour', limit: 5 };
const FUNNEL = { steps: [{ event: 'a' }, { event: 'b' }], dates: DATES, length: HOUR, bucket: { days: 1 }, limit: 5 };
const BIRTH = { dates: DATES, type: 'birth' as const, bornEvent: 'a', bucket: { days: 1 }, intervalCount: 2, limit: 5 };
const COMPOUNDED = { ...BIRTH, type: 'compounded', bornEvent: undefined, event: 'a' };

type Row = readonly [query: QueryName, request: object, event: string, time: string, raises: boolean];

/** The cases of a query whose expression is for the events `a` of the dates. */
function inDates(query: QueryName, request: object): Row[] {
  return [
    [query, request, 'a', BEFORE, false],
    [query, request, 'a', FIRST, true],
    [query, request, 'a', LAST, true],
    [query, request, 'a', AFTER, false],
    [query, request, 'z', FIRST, false],
  ];
}

const ROWS: readonly Row[] = [
  ...inDates('segmentation', { ...ALL, event: 'a', where: RAISING }),
  ...inDates('segmentation', { ...ALL, event: 'a', on: RAISING }),
  ['segmentation', { ...ALL, event: 'a', where: OTHERS, on: RAISING }, 'a', FIRST, false],
  ...inDates('numeric', { ...NUMERIC, where: RAISING }),
  ...inDates('aggregate', { ...AGGREGATE, aggregate: 'sum', where: RAISING }),
  ...inDates('aggregate', { ...AGGREGATE, aggregate: 'average', where: RAISING }),
  ...inDates('addiction', { ...ADDICTION, event: 'a', where: RAISING }),
  ...inDates('addiction', { ...ADDICTION, event: 'a', on: RAISING }),

  ['funnel', { ...FUNNEL, where: RAISING }, 'a', BEFORE, false],
  ['funnel', { ...FUNNEL, where: RAISING }, 'a', FIRST, true],
  ['funnel', { ...FUNNEL, where: RAISING }, 'b', IN_WINDOW, true],
  ['funnel', { ...FUNNEL, where: RAISING }, 'b', BEYOND_WINDOW, false],
  ['funnel', { ...FUNNEL, where: RAISING }, 'z', FIRST, false],
  ...(['a', 'b'] as const).flatMap((event): Row[] => {
    const steps = FUNNEL.steps.map((step) => (step.event === event ? { event, where: RAISING } : step));
    return [
      ['funnel', { ...FUNNEL, steps }, event, BEFORE, false],
      ['funnel', { ...FUNNEL, steps }, event, FIRST, true],
      ['funnel', { ...FUNNEL, steps }, event, IN_WINDOW, true],
      ['funnel', { ...FUNNEL, steps }, event, BEYOND_WINDOW, false],
      ['funnel', { ...FUNNEL, steps }, event === 'a' ? 'b' : 'a', FIRST, false],
    ];
  }),
  ['funnel', { ...FUNNEL, on: RAISING }, 'a', BEFORE, false],
  ['funnel', { ...FUNNEL, on: RAISING }, 'a', FIRST, true],
  ['funnel', { ...FUNNEL, on: RAISING }, 'a', LAST, true],
  ['funnel', { ...FUNNEL, on: RAISING }, 'a', AFTER, false],
  ['funnel', { ...FUNNEL, on: RAISING }, 'b', FIRST, false],
  ['funnel', { ...FUNNEL, on: RAISING, where: OTHERS }, 'a', FIRST, false],
  ['funnel', { ...FUNNEL, on: RAISING, steps: [{ event: 'a', where: OTHERS }] }, 'a', FIRST, false],

  ...inDates('retention', { ...BIRTH, bornWhere: RAISING }),
  ...inDates('retention', { ...BIRTH, on: RAISING }),
  ['retention', { ...BIRTH, on: RAISING, bornWhere: OTHERS }, 'a', FIRST, false],
  ['retention', { ...BIRTH, event: 'b', where: RAISING }, 'b', BEFORE, false],
  ['retention', { ...BIRTH, event: 'b', where: RAISING }, 'b', FIRST, true],
  ['retention', { ...BIRTH, event: 'b', where: RAISING }, 'b', IN_INTERVALS, true],
  ['retention', { ...BIRTH, event: 'b', where: RAISING }, 'b', BEYOND_INTERVALS, false],
  ['retention', { ...BIRTH, event: 'b', where: RAISING }, 'a', FIRST, false],
  ['retention', { ...COMPOUNDED, where: RAISING }, 'a', BEFORE, false],
  ['retention', { ...COMPOUNDED, where: RAISING }, 'a', IN_INTERVALS, true],
  ['retention', { ...COMPOUNDED, where: RAISING }, 'a', BEYOND_INTERVALS, false],
  ...inDates('retention', { ...COMPOUNDED, on: RAISING }),
];

/** The user has an earlier event of each name, which is therefore the first. */
const EARLIER = '2025-05-01 00:00:00';

function createWorld(events: readonly StoredEvent[]): World {
  const now = Date.parse('2025-07-01T00:00:00Z') / 1000;
  return { versions: [{ events, people: [] }], timeZone: 'UTC', now, day: DATES.from };
}

/** Shared by cases with the same event, since a database takes long to store each. */
const WORLDS = new Map<string, World>();

function getWorld(event: string, time: string): World {
  const key = `${event} ${time}`;
  const events = [did('u', 'a', EARLIER), did('u', 'b', EARLIER), did('u', event, time, { x: 'text' })];
  const world = WORLDS.get(key) ?? createWorld(events);
  WORLDS.set(key, world);
  return world;
}

export const RAISING_CASES: readonly RaisingCase[] = ROWS.map(([query, request, event, time, raises]) => {
  const world = getWorld(event, time);
  const name = `${query} ${JSON.stringify(request)} ${raises ? 'fails' : 'does not fail'} on ${event} at ${time}`;
  return { name, world, query, request, raises };
});

/**
 * Another user whose first event fails outside the dates: the event is not selected, so the next one is the first. In
 * SQL, the condition of the second filter is true for it.
 */
export const UNSELECTED_BIRTHS = [RAISING, `(${RAISING}) or true`].map((bornWhere) => ({
  world: createWorld([did('u', 'a', BEFORE, { x: 'text' }), did('u', 'a', FIRST, { x: true })]),
  request: { ...BIRTH, bornWhere },
  first: [1, 0],
}));
