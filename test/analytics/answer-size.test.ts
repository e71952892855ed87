import { expect, it } from 'vitest';
import { Analytics } from '../../src/analytics/analytics.ts';
import { QueryError } from '../../src/analytics/query-error.ts';
import { duckdb } from '../../src/engines/sql/dialects/duckdb.ts';
import type { Reading } from '../../src/store/reading.ts';

/** Fails where it is asked anything. */
const reading: Reading = {
  dialect: duckdb,
  isSnapshot: true,
  versions: [],
  rows: () => Promise.reject(new Error('nothing may be asked')),
  stream: () => {
    throw new Error('nothing may be asked');
  },
};
const analytics = new Analytics({ reading, timeZone: 'UTC', now: 0 });

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
      const asked = { event: 'a', name: 'x', values: names, limit: 255 };
      return analytics.property({ ...asked, type: 'general', unit: 'hour', period: hours });
    },
  ],
  [
    'funnels',
    'to_date',
    () => {
      const steps = Array.from({ length: 2000 }, () => ({ event: 'a' }));
      return analytics.funnel({ steps, dates, length: 60, bucket, limit: 1 });
    },
  ],
  [
    'retention',
    'interval_count',
    () => analytics.retention({ dates, type: 'compounded', bucket, intervalCount: 3000, limit: 1 }),
  ],
])('too many numbers of %s are refused before anything is asked', async (_, parameter, ask) => {
  const error = await ask().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(QueryError);
  const { message, parameters } = error as QueryError;
  expect(message).toMatch(/^The answer would have [\d,]+ numbers, and 5,000,000 are the most: /);
  expect(parameters).toContain(parameter);
});
