import { describe, expect, it } from 'vitest';
import { duckdb } from '../../../src/lang/engines/sql/dialects/duckdb.ts';
import { QueryError } from '../../../src/queries/errors.ts';
import { Analytics } from '../../../src/service/analytics/analytics.ts';
import type { JsonSqlRow, StoreSnapshot } from '../../../src/service/store/store-snapshot.ts';

/** A snapshot that fails if it is queried. */
const snapshot: StoreSnapshot = {
  dialect: duckdb,
  isSnapshot: true,
  versions: [],
  parameters: [],
  rows: () => Promise.reject(new Error('unexpected query')),
  stream: () => {
    throw new Error('unexpected query');
  },
};
const analytics = new Analytics({ snapshot, timeZone: 'UTC', now: 0 });

const names = Array.from({ length: 100 }, (_, index) => `event ${index}`);
const dates = { from: '2000-01-01', to: '2009-12-31' };
const hours = { from: '2000-01-01', to: '2006-12-31' };
const bucket = { days: 1 };

it.each<[name: string, parameter: string, ask: () => Promise<unknown>]>([
  ['events', 'unit', () => analytics.events({ events: names, type: 'general', unit: 'hour', period: hours })],
  [
    'properties',
    'values',
    () => {
      const request = { event: 'a', name: 'x', values: names, limit: 255 };
      return analytics.property({ ...request, type: 'general', unit: 'hour', period: hours });
    },
  ],
  [
    'funnels',
    'to_date',
    () => {
      const steps = Array.from({ length: 400 }, () => ({ event: 'a' }));
      return analytics.funnel({ steps, dates, length: 60, bucket, limit: 1 });
    },
  ],
  [
    'retention',
    'interval_count',
    () => analytics.retention({ dates, type: 'compounded', bucket, intervalCount: 3000, limit: 1 }),
  ],
])('Analytics refuses %s with too many numbers before it queries the store', async (_, parameter, ask) => {
  const error = await ask().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(QueryError);
  const { message, parameters } = error as QueryError;
  expect(message).toMatch(/^The answer would have too many numbers \(at most 5,000,000\): /);
  expect(parameters).toContain(parameter);
});

/** Creates a snapshot that streams far more rows than an answer can have. */
function createEndless(rowOf: (index: number) => JsonSqlRow): StoreSnapshot {
  async function* stream() {
    for (let index = 0; index < 10_000; index += 100) {
      yield Array.from({ length: 100 }, (_, offset) => rowOf(index + offset));
    }
    throw new Error('all rows were read');
  }
  return { ...snapshot, stream };
}

describe('Analytics refuses a large answer while it reads rows', () => {
  const filter = { event: 'a', type: 'general', unit: 'hour' } as const;
  const long = 'x'.repeat(1_000_000);
  const manyNumbers = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [at, at]));
  const cell = { bucket: 0, events: 1, users: 1, total: 1, rank: 1, units: 1, numbers: [] };

  it.each<[name: string, row: (index: number) => JsonSqlRow, ask: (analytics: Analytics) => Promise<unknown>]>([
    [
      'series',
      (index) => ({ ...cell, segment: `${index}` }),
      (analytics) => analytics.segmentation({ ...filter, dates: hours, on: 'properties["x"]', limit: 10_000 }),
    ],
    [
      'ranges',
      (index) => ({ ...cell, range_number: index, width: 1 }),
      (analytics) => analytics.numeric({ ...filter, dates: hours, on: 'properties["x"]', buckets: 10_000 }),
    ],
    [
      'funnel segments',
      (index) => ({ ...cell, segment: `${index}`, users_1: 1 }),
      (analytics) => {
        const steps = Array.from({ length: 3 }, () => ({ event: 'a' }));
        return analytics.funnel({ steps, dates, length: 60, bucket, on: 'properties["x"]', limit: 10_000 });
      },
    ],
    [
      'cohort segments',
      (index) => ({ ...cell, segment: `${index}` }),
      (analytics) =>
        analytics.retention({
          ...{ dates, type: 'compounded', bucket, intervalCount: 100, limit: 10_000 },
          on: 'properties["x"]',
        }),
    ],
    [
      'properties',
      (index) => ({ ...manyNumbers, name: `${index}` }),
      (analytics) => analytics.topProperties({ event: 'a', limit: 10_000 }),
    ],
  ])('if %s have too many numbers', async (_, rowOf, ask) => {
    await expect(ask(new Analytics({ snapshot: createEndless(rowOf), timeZone: 'UTC', now: 0 }))).rejects.toThrow(
      'too many numbers (at most 5,000,000)',
    );
  });

  it.each<[name: string, ask: (analytics: Analytics) => Promise<unknown>]>([
    [
      'series',
      (analytics) =>
        analytics.segmentation({
          ...{ ...filter, dates: { from: '2000-01-01', to: '2000-01-01' } },
          ...{ unit: 'day', on: 'properties["x"]', limit: 10_000 },
        }),
    ],
    [
      'cohorts',
      (analytics) =>
        analytics.retention({
          ...{ dates: { from: '2000-01-01', to: '2000-01-01' }, type: 'compounded', bucket },
          ...{ intervalCount: 1, limit: 10_000, on: 'properties["x"]' },
        }),
    ],
    ['values', (analytics) => analytics.propertyValues({ event: 'a', name: 'x', limit: 10_000 })],
    ['events', (analytics) => analytics.eventNames({ type: 'general', limit: 10_000 })],
    ["today's events", (analytics) => analytics.topEvents({ type: 'general', limit: 10_000 })],
  ])('if the names of %s are too long', async (_, ask) => {
    const rowOf = (index: number) => ({ ...cell, segment: `${index}${long}`, event: `${index}${long}` });
    await expect(ask(new Analytics({ snapshot: createEndless(rowOf), timeZone: 'UTC', now: 0 }))).rejects.toThrow(
      'too many characters in names (at most 32,000,000)',
    );
  });
});
