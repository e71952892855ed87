import fc, { type Arbitrary } from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import type { Properties } from '../../../src/lang/value.ts';
import type { Bucket, BucketUnit, CountType, DateRange, LatestUnits, Queries } from '../../../src/queries/requests.ts';
import type { StoredEvent, StoredPerson } from '../../../src/service/store/store.ts';
import type { ReferenceVersion } from './reference/occurrence.ts';
import type { ReferenceScope } from './reference.ts';

/** Data around a day in a time zone, and a current time close to it. */
export interface World extends ReferenceScope {
  readonly day: string;
}

/** Special days: clocks change at midnight, after it or by half an hour; a month or year ends. */
export const PLACES: readonly (readonly [timeZone: string, day: string])[] = [
  ['UTC', '2024-02-29'],
  ['UTC', '2024-12-31'],
  ['Europe/Berlin', '2025-03-30'],
  ['Europe/Berlin', '2025-10-26'],
  ['America/New_York', '2025-03-09'],
  ['America/New_York', '2025-11-02'],
  ['America/St_Johns', '2010-11-07'],
  ['America/Sao_Paulo', '2018-11-04'],
  ['America/Sao_Paulo', '2018-02-18'],
  ['Australia/Lord_Howe', '2025-04-06'],
  ['Australia/Lord_Howe', '2025-10-05'],
  ['Asia/Kathmandu', '2025-01-31'],
];

/** A few seconds of a day, so that many events coincide or fall on the edges of hours. */
// biome-ignore format: data
const SECONDS = [-1, 0, 0, 1, 59, 60, 3_599, 3_600, 3_601, 5_400, 7_199, 7_200, 9_000, 10_799, 10_800, 43_200, 82_800, 86_399];

/** Mostly the day and the next one, so that funnels and cohorts continue. */
const DAYS = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(0, 0, 1) },
  { weight: 4, arbitrary: fc.constantFrom(-1, 2, 3) },
  { weight: 2, arbitrary: fc.constantFrom(-2, 6, 7, 8, -7, 14, 28, 31, -30, 62) },
);

const ODD_NAME = 'it\'s "c"';
const NAMES = ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', ODD_NAME];

export const TEXTS = ['p', 'q', 'r', 'p', 'é', '\u{1f600}', '\uffff', '', ' ', 'null', 'undefined', 'true', '1', '2.5'];

const LISTS = [[], ['p'], ['p', 'q'], ['q', 'p', 'q'], [1, '1', null], [{}], [2.5, true, [1]], ['\uffff', '\u{1f600}']];

const anything: Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown[]>(...TEXTS) },
  { weight: 3, arbitrary: fc.constantFrom<unknown[]>(0, 1, 2, 2.5, -1, 1e21, 1e-7) },
  { weight: 3, arbitrary: fc.constantFrom<unknown[]>(...LISTS) },
  { weight: 2, arbitrary: fc.constantFrom<unknown[]>(true, false, null, {}, { p: 1 }) },
);

/** Mostly values of one type. */
function mostly(usual: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: anything });
}

const numbers = fc.constantFrom(-3, -1, 0, 0.5, 1, 1.5, 2, 3, 7, 10, 20, 1_250, 99_999.5);

/** Two of them exceed a double. Powers of two add up exactly in any order. */
const hugeNumbers = fc.constantFrom(2 ** 1023, 2 ** 1023, 1.5 * 2 ** 1023, -(2 ** 1023), 2 ** 1022, 0);

/** Local times, of which clocks skip some and show others twice. */
const LOCAL_TIMES = PLACES.slice(-10).flatMap(([, day]) => [day, `${day}T02:30:00`, `${day} 00:00:30`]);

const ownProperties = fc.record(
  {
    at: fc.constantFrom(...LOCAL_TIMES),
    x: anything,
    n: mostly(numbers),
    huge: hugeNumbers,
    ok: mostly(fc.boolean()),
    'a "b"': anything,
  },
  { requiredKeys: [] },
);

export const PROFILES = fc.record(
  {
    plan: fc.constantFrom<unknown[]>('pro', 'free', null, 7),
    tags: fc.constantFrom<unknown[]>(...LISTS),
    age: numbers,
  },
  { requiredKeys: [] },
) as Arbitrary<Properties>;

const users = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('u1', 'u2') },
  { weight: 1, arbitrary: fc.constantFrom<unknown[]>('u3', 12, '12', '\u{1f600}') },
);

function startOf(timeZone: string, day: string): number {
  return Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds / 1000;
}

function dayAfter(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** Versions with events around a day. */
export function versionsAbout(timeZone: string, day: string): Arbitrary<ReferenceVersion> {
  const start = startOf(timeZone, day);
  const times = fc.tuple(DAYS, fc.constantFrom(...SECONDS)).map(([days, seconds]) => start + days * 86_400 + seconds);
  const events: Arbitrary<StoredEvent> = fc
    .tuple(fc.constantFrom(...NAMES), users, times, ownProperties)
    .map(([event, distinct_id, time, own]) => ({ event, properties: { distinct_id, time, ...own } as Properties }));
  const people: Arbitrary<StoredPerson> = fc.record({
    distinctId: users.map(String),
    properties: PROFILES,
  });
  return fc.record({
    events: fc.oneof(
      { weight: 1, arbitrary: fc.array(events, { maxLength: 3 }) },
      createArrays(events, 20),
      createArrays(events, 60),
    ),
    people: fc.uniqueArray(people, { selector: ({ distinctId }) => distinctId, maxLength: 4 }),
  });
}

function createArrays<Item>(items: Arbitrary<Item>, length: number) {
  return { weight: 2, arbitrary: fc.array(items, { minLength: length / 2, maxLength: length, size: 'max' }) };
}

/** One to three versions with events around one day. */
export const worlds: Arbitrary<World> = fc.constantFrom(...PLACES).chain(([timeZone, day]) => {
  const start = startOf(timeZone, day);
  return fc.record({
    timeZone: fc.constant(timeZone),
    day: fc.constant(day),
    versions: fc.array(versionsAbout(timeZone, day), { minLength: 1, maxLength: 3 }),
    now: fc.tuple(fc.constantFrom(0, 0, 1, 2, 30), fc.constantFrom(...SECONDS)).map(([days, seconds]) => {
      return start + days * 86_400 + seconds;
    }),
  });
});

/** Expressions: some fail with type errors on some events, a few on all events; a few are invalid. */
export const FILTERS = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      'true',
      'false',
      'properties["n"] > -2 or not defined(properties["n"])',
      'properties["x"] != "p"',
      'properties["x"] in ["p", "q", 1]',
      '"p" in properties["x"]',
      'properties["n"] > 1',
      'defined(properties["x"]) and event["n"] <= 2',
      'not (properties["x"] == "q")',
      'user["plan"] == "pro"',
      'user["age"] > properties["n"] or "p" in user["tags"]',
      'properties["distinct_id"] == "u1"',
      'properties["time"] < now',
      ...PLACES.slice(-8).map(([, day]) => `properties["time"] >= datetime("${day}")`),
      'properties["time"] > datetime(properties["at"])',
    ),
  },
  { weight: 3, arbitrary: fc.constantFrom('properties["ok"]', 'properties["ok"] or properties["x"] == 1') },
  { weight: 1, arbitrary: fc.constantFrom('properties["x"]', 'not user["plan"] and true', '5', 'properties["x"') },
);

export const SEGMENTS = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.constantFrom(
      'properties["x"]',
      'properties["x"]',
      'properties["n"]',
      'properties["ok"]',
      'properties["a \\"b\\""]',
      'user["plan"]',
      'user["tags"]',
      'properties["n"] > 1',
      'properties["x"] + "!"',
      'floor(properties["n"] / 2)',
      'properties["missing"]',
      'datetime(properties["at"])',
      'properties["distinct_id"]',
      '"all"',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('properties["ok"] and properties["n"] > 0', 'user["plan"] or true', '1 +') },
);

export const NUMBERS = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.constantFrom(
      'properties["n"]',
      'properties["n"]',
      'properties["huge"]',
      'properties["huge"]',
      'number(properties["n"])',
      '-properties["n"] / 3',
      'properties["n"] * 1000 + user["age"]',
      'number(properties["ok"])',
      'properties["n"] / 0.001',
      'ceil(properties["n"] / -1000)',
      'properties["missing"]',
      'datetime(properties["at"])',
      '12',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('number(properties["n"] and true)', 'now and true') },
);

const TYPES = fc.constantFrom<CountType[]>('general', 'unique', 'average');
const UNITS = fc.constantFrom<BucketUnit[]>('minute', 'hour', 'hour', 'day', 'day', 'week', 'month');
const CALENDAR_UNITS = fc.constantFrom('day', 'day', 'week', 'month');
const HOUR_OR_DAY = fc.constantFrom('hour', 'day');
const LIMITS = fc.constantFrom(1, 2, 3, 255);
export const EVENTS = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('a', 'b') },
  { weight: 4, arbitrary: fc.constantFrom('c', ODD_NAME) },
  { weight: 1, arbitrary: fc.constant('never done') },
);
export const PROPERTIES = fc.constantFrom('x', 'x', 'n', 'ok', 'a "b"', 'distinct_id', 'time', 'missing');
const BUCKETS: Arbitrary<Bucket> = fc.oneof(
  fc.record({ days: fc.constantFrom(1, 1, 2, 3, 7, 30) }),
  fc.record({ unit: CALENDAR_UNITS }),
);

/** Date ranges near the day of the data, short enough for the unit. */
function datesOf({ day }: World, unit?: BucketUnit): Arbitrary<DateRange> {
  const lengths = { minute: [0, 0, 1], hour: [0, 0, 1, 2, 7] }[unit as 'hour'] ?? [0, 0, 1, 1, 2, 3, 6, 7, 13, 30, 62];
  const firsts = fc.constantFrom(0, 0, 0, 0, -1, -1, -1, 1, -2, 2, -6, -7, -30, 29).map((days) => dayAfter(day, days));
  return fc.tuple(firsts, fc.constantFrom(...lengths)).map(([from, days]) => ({ from, to: dayAfter(from, days) }));
}

function periodsOf(world: World, unit: BucketUnit): Arbitrary<DateRange | LatestUnits> {
  const latest = fc.record({ latest: fc.constantFrom(1, 2, 3, 5, unit === 'month' ? 4 : 30) });
  return fc.oneof({ weight: 2, arbitrary: datesOf(world, unit) }, latest);
}

/** Records with optional keys that are mostly missing. */
function optional<Required extends object, Optional extends object>(
  required: { [Key in keyof Required]: Arbitrary<Required[Key]> },
  others: { [Key in keyof Optional]: Arbitrary<Optional[Key]> },
): Arbitrary<Required & Partial<Optional>> {
  const entries = Object.entries<Arbitrary<unknown>>(others).map(([key, values]) =>
    fc.oneof(
      { weight: 2, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: values.map((value) => ({ [key]: value })) },
    ),
  );
  return fc.tuple(fc.record(required), ...entries).map((parts) => Object.assign({}, ...parts));
}

export type QueryName = keyof Queries;

/** Valid requests of each query for a data set. */
export const requests: {
  readonly [Name in QueryName]: (world: World) => Arbitrary<Parameters<Queries[Name]>[0]>;
} = {
  events: (world) =>
    UNITS.chain((unit) =>
      fc.record({
        events: fc.array(EVENTS, { minLength: 1, maxLength: 4 }),
        type: TYPES,
        unit: fc.constant(unit),
        period: periodsOf(world, unit),
      }),
    ),
  topEvents: () => fc.record({ type: TYPES, limit: LIMITS }),
  eventNames: () => fc.record({ type: TYPES, limit: LIMITS }),
  property: (world) =>
    UNITS.chain((unit) =>
      optional(
        {
          event: EVENTS,
          name: PROPERTIES,
          type: TYPES,
          unit: fc.constant(unit),
          period: periodsOf(world, unit),
          limit: LIMITS,
        },
        { values: fc.array(fc.constantFrom(...TEXTS, '0', 'never there'), { maxLength: 5 }) },
      ),
    ),
  topProperties: () => fc.record({ event: EVENTS, limit: LIMITS }),
  propertyValues: () => fc.record({ event: EVENTS, name: PROPERTIES, limit: LIMITS }),
  overview: () => fc.record({ limit: LIMITS }),
  names: () => fc.record({ of: fc.constantFrom('events', 'properties', 'user'), limit: LIMITS }),
  values: () => fc.record({ scope: fc.constantFrom('properties', 'user'), name: PROPERTIES, limit: LIMITS }),
  segmentation: (world) =>
    UNITS.chain((unit) =>
      optional(
        { event: EVENTS, dates: datesOf(world, unit), type: TYPES, unit: fc.constant(unit), limit: LIMITS },
        { interval: fc.constantFrom(1, 2, 3, 7, 90), on: SEGMENTS, where: FILTERS },
      ),
    ),
  numeric: (world) =>
    HOUR_OR_DAY.chain((unit) =>
      optional(
        {
          event: EVENTS,
          dates: datesOf(world, unit),
          type: TYPES,
          unit: fc.constant(unit),
          on: NUMBERS,
          buckets: fc.constantFrom(1, 2, 3, 12, 50),
        },
        { where: FILTERS },
      ),
    ),
  aggregate: (world) =>
    HOUR_OR_DAY.chain((unit) =>
      optional(
        {
          aggregate: fc.constantFrom('sum', 'average'),
          event: EVENTS,
          dates: datesOf(world, unit),
          unit: fc.constant(unit),
          on: NUMBERS,
        },
        { where: FILTERS },
      ),
    ),
  funnel: (world) => {
    const step = optional({ event: fc.constantFrom('a', 'a', 'b', 'c') }, { where: FILTERS });
    const seconds = fc.constantFrom(0, 1, 60, 3_600, 7_200, 86_399, 86_400, 86_400, 3 * 86_400, 90 * 86_400);
    return optional(
      {
        steps: fc.array(step, { minLength: 1, maxLength: 4 }),
        dates: datesOf(world),
        length: seconds,
        bucket: BUCKETS,
        limit: LIMITS,
      },
      { on: SEGMENTS, where: FILTERS },
    );
  },
  retention: (world) =>
    optional(
      {
        dates: datesOf(world),
        type: fc.constantFrom('birth', 'compounded'),
        bornEvent: EVENTS,
        bucket: BUCKETS,
        intervalCount: fc.constantFrom(0, 1, 2, 5),
        limit: LIMITS,
      },
      { bornWhere: FILTERS, event: EVENTS, where: FILTERS, on: SEGMENTS },
    ),
  addiction: (world) =>
    optional(
      { dates: datesOf(world), unit: CALENDAR_UNITS, addictionUnit: HOUR_OR_DAY, limit: LIMITS },
      { event: EVENTS, where: FILTERS, on: SEGMENTS },
    ),
};
