import type { AddictionRequest, FunnelRequest, RetentionRequest } from '../../../src/queries/requests.ts';
import type { StoredEvent } from '../../../src/service/store/store.ts';
import type { QueryName, World } from './arbitraries.ts';
import { did } from './reference/examples.ts';

// Events at the same second, and after clocks went back. Random data has few of them, and a database may order them
// correctly by chance.

/** A data set and requests for it. */
export interface TieCase {
  readonly world: World;
  readonly requests: readonly (readonly [QueryName, object])[];
}

const DAY = '2025-01-01';

/** Returns all permutations: a database that relies on the order of equal events fails for some of them. */
function permute<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => permute(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

/** Creates a user for each permutation of the events, all in the same second. */
function createAtOnce(prefix: string, events: readonly (readonly [event: string, x?: unknown])[]): StoredEvent[] {
  return permute(events).flatMap((order, user) =>
    order.map(([event, x]) => did(`${prefix}${user}`, event, `${DAY} 10:00:00`, { x })),
  );
}

function createWorld(events: readonly StoredEvent[], timeZone: string, day: string): World {
  return { versions: [{ events, people: [] }], timeZone, now: Date.parse('2025-01-10T12:00:00Z') / 1000, day };
}

function funnel(steps: FunnelRequest['steps'], on?: string): readonly [QueryName, FunnelRequest] {
  const dates = { from: DAY, to: DAY };
  return ['funnel', { steps, dates, length: 3600, bucket: { days: 1 }, limit: 255, ...(on !== undefined && { on }) }];
}

const steps = (...names: readonly string[]) => names.map((event) => ({ event }));

const SAME_SECOND: TieCase = {
  world: createWorld(
    [
      ...createAtOnce('steps', [['a'], ['b'], ['c']]),
      ...createAtOnce('twice', [['a'], ['a'], ['b']]),
      ...createAtOnce('filtered', [
        ['a', 1],
        ['b', true],
        ['b', false],
      ]),
      ...createAtOnce('later', [
        ['c', 1],
        ['c', 2],
      ]),
      ...createAtOnce('segments', [
        ['a', 'p'],
        ['a', 'q'],
        ['a', 'r'],
      ]),
    ],
    'UTC',
    DAY,
  ),
  requests: [
    funnel(steps('a', 'b', 'c')),
    funnel(steps('c', 'b', 'a')),
    funnel(steps('a', 'a', 'b')),
    funnel(steps('b', 'a', 'b')),
    funnel([{ event: 'a' }, { event: 'b' }, { event: 'b', where: 'properties["x"] == true' }]),
    // The first event can also be the second step; the other can be the third.
    funnel([
      { event: 'c' },
      { event: 'c', where: 'properties["x"] == 1' },
      { event: 'c', where: 'properties["x"] == 2' },
    ]),
    funnel(steps('a', 'a'), 'properties["x"]'),
    funnel(steps('a', 'b', 'c'), 'properties["x"]'),
  ],
};

/** In St John's, the clocks went from 00:01 on 7 November 2010 back to 23:01 on the 6th. */
const CLOCKS_BACK: TieCase = {
  world: createWorld(
    [
      did('u', 'born', '2010-11-07 02:30:30', { x: 'p' }),
      did('u', 'back', '2010-11-07 02:41:00', { x: 'p' }),
      did('u', 'back', '2010-11-08 12:00:00', { x: 'p' }),
      did('w', 'back', '2010-11-06 11:00:00', { x: 'q' }),
      did('w', 'born', '2010-11-06 12:00:00', { x: 'q' }),
      did('v', 'born', '2010-11-06 12:00:00', { x: 'q' }),
      did('v', 'back', '2010-11-06 13:00:00', { x: 'q' }),
      did('v', 'back', '2010-11-07 13:00:00', { x: 'q' }),
      did('v', 'back', '2010-11-08 13:00:00', { x: 'q' }),
    ],
    'America/St_Johns',
    '2010-11-07',
  ),
  requests: (['birth', 'compounded'] as const).flatMap((type) =>
    [undefined, 'properties["x"]'].map((on): readonly [QueryName, RetentionRequest] => [
      'retention',
      {
        ...{ type, bornEvent: 'born', event: 'back', dates: { from: '2010-11-05', to: '2010-11-08' } },
        ...{ bucket: { days: 1 }, intervalCount: 2, limit: 255, ...(on !== undefined && { on }) },
      },
    ]),
  ),
};

const IS_OK = 'properties["ok"]';
const THE_6TH = { event: 'a', dates: { from: '2010-11-06', to: '2010-11-06' }, limit: 255 };
const FIRST_TIME = { ...THE_6TH, type: 'birth', bornEvent: 'a', bucket: { days: 1 } };

/**
 * The filter fails at the first midnight after 6 November, just before clocks go back. Only queries of that second may
 * fail.
 */
const FAILING_AT_MIDNIGHT: TieCase = {
  world: createWorld(
    [did('u', 'a', '2010-11-07 02:29:59', { ok: true }), did('u', 'a', '2010-11-07 02:30:00', { ok: 1 })],
    'America/St_Johns',
    '2010-11-06',
  ),
  requests: [
    ...[0, 1].map((length): readonly [QueryName, object] => [
      'funnel',
      { ...THE_6TH, steps: steps('a'), length, bucket: { days: 1 }, where: IS_OK },
    ]),
    ...[0, 1].map((intervalCount): readonly [QueryName, object] => [
      'retention',
      { ...FIRST_TIME, intervalCount, where: IS_OK },
    ]),
    ['retention', { ...FIRST_TIME, intervalCount: 1, bornWhere: IS_OK }],
    ...['hour', 'day'].map((unit): readonly [QueryName, object] => [
      'segmentation',
      { ...THE_6TH, type: 'general', unit, where: IS_OK },
    ]),
    ['addiction', { ...THE_6TH, unit: 'day', addictionUnit: 'hour', where: IS_OK }],
  ],
};

/** Samoa skipped 30 December 2011, and the filter fails in the first second after it. */
const FAILING_AFTER_SKIPPED_DAY: TieCase = {
  world: createWorld([did('u', 'a', '2011-12-30 10:00:00', { ok: 1 })], 'Pacific/Apia', '2011-12-30'),
  requests: [0, 1].map((length): readonly [QueryName, FunnelRequest] => [
    'funnel',
    {
      ...{ steps: steps('a'), dates: { from: '2011-12-30', to: '2011-12-30' }, length },
      ...{ bucket: { days: 1 }, limit: 255, where: IS_OK },
    },
  ]),
};

/** Clocks showed 02:30 twice on the previous day; the comparison ends at the first. */
const CLOCKS_BACK_YESTERDAY: TieCase = {
  world: {
    ...createWorld(
      ['26 00:30:00', '26 00:30:01', '26 01:30:00', '27 01:00:00'].map((time) => did('u', 'a', `2025-10-${time}`)),
      'Europe/Berlin',
      '2025-10-27',
    ),
    now: Date.parse('2025-10-27T01:30:59Z') / 1000,
  },
  requests: [['topEvents', { type: 'general', limit: 5 }]],
};

/** At 00:01 clocks went back to 23:01, so that the day that had begun shows 25 hours, one of them of the day before. */
const CLOCKS_BACK_ACROSS_MIDNIGHT: TieCase = {
  world: createWorld(
    Array.from({ length: 2 * 60 }, (_, half) => {
      const time = new Date(Date.parse('2010-11-06T00:00:30Z') + half * 1_800_000).toISOString();
      return did('u', 'a', time.replace('T', ' ').slice(0, 19));
    }),
    'America/Goose_Bay',
    '2010-11-07',
  ),
  requests: (['day', 'week'] as const).map((unit): readonly [QueryName, AddictionRequest] => [
    'addiction',
    { dates: { from: '2010-11-05', to: '2010-11-08' }, unit, addictionUnit: 'hour', limit: 255 },
  ]),
};

export const TIE_CASES: readonly TieCase[] = [
  SAME_SECOND,
  CLOCKS_BACK,
  FAILING_AT_MIDNIGHT,
  FAILING_AFTER_SKIPPED_DAY,
  CLOCKS_BACK_YESTERDAY,
  CLOCKS_BACK_ACROSS_MIDNIGHT,
];
