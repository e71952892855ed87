import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueryName } from '../../src/queries/requests.ts';
import { Analytics } from '../../src/service/analytics/analytics.ts';
import { PeopleQuery } from '../../src/service/analytics/people/people-query.ts';
import type { ClickHouseStore } from '../../src/service/store/clickhouse/click-house-store.ts';
import type { StoredVersion } from '../../src/service/store/store.ts';
import type { StoreSnapshot } from '../../src/service/store/store-snapshot.ts';
import { eventLine, writeLogFile } from '../service/store/log-files.ts';
import { openShardedStore } from './cluster-stand-in.ts';
import { HAS_CLICKHOUSE } from './open-clickhouse.ts';

const USERS = 400;
const EVENTS = 20_000;
const NOW = 1_735_776_000;
const MOMENT = { now: NOW, timeZone: 'UTC' };

/** The maximum number of rows that a shard may send: more than there are groups, and much fewer than events. */
const MAX_ROWS = 100;

const DATES = { from: '2025-01-01', to: '2025-01-02' };
const SERIES = { event: 'a', dates: DATES, unit: 'day', limit: 10 };
const BY_DATE = { dates: DATES, bucket: { days: 1 }, limit: 10 };
const ON = 'properties["x"]';
const OF_USER = 'user["plan"]';
const STEPS = [{ event: 'a' }, { event: 'b' }];
const PERIOD = { latest: 2 };

const REQUESTS: readonly (readonly [QueryName, object])[] = [
  ['segmentation', { ...SERIES, type: 'general' }],
  ['segmentation', { ...SERIES, type: 'unique', on: ON }],
  ['segmentation', { ...SERIES, type: 'average', on: OF_USER }],
  // It may raise a type error.
  ['segmentation', { ...SERIES, type: 'general', where: `${ON} + ${OF_USER} == "x"` }],
  ['numeric', { ...SERIES, type: 'unique', on: ON, buckets: 5 }],
  ['aggregate', { ...SERIES, on: ON, aggregate: 'average' }],
  ['funnel', { ...BY_DATE, steps: STEPS, length: 86_400 }],
  ['funnel', { ...BY_DATE, steps: STEPS, length: 86_400, on: ON }],
  ['retention', { ...BY_DATE, type: 'birth', bornEvent: 'a', intervalCount: 3, on: OF_USER }],
  ['retention', { ...BY_DATE, type: 'compounded', intervalCount: 3 }],
  ['addiction', { dates: DATES, unit: 'day', addictionUnit: 'hour', limit: 10 }],
  ['events', { events: ['a', 'b'], type: 'unique', unit: 'day', period: PERIOD }],
  ['topEvents', { type: 'average', limit: 10 }],
  ['eventNames', { type: 'general', limit: 10 }],
  ['property', { event: 'a', name: 'x', type: 'unique', unit: 'day', period: PERIOD, limit: 10 }],
  ['topProperties', { event: 'a', limit: 10 }],
  ['propertyValues', { event: 'a', name: 'x', limit: 10 }],
  ['names', { of: 'events', limit: 10 }],
  ['names', { of: 'user', limit: 10 }],
  ['values', { scope: 'properties', name: 'x', limit: 10 }],
  ['overview', { limit: 10 }],
];

describe.skipIf(!HAS_CLICKHOUSE)('a query on 2 shards', () => {
  let store: ClickHouseStore;
  let folder: string;
  let version: StoredVersion;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onwhere-plans-'));
    version = { id: 'plans', folder };
    store = await openShardedStore(2);
    const lines = Array.from({ length: EVENTS }, (_, index) =>
      eventLine('ab'.charAt(index % 2), {
        distinct_id: `u${index % USERS}`,
        time: NOW - 1 - index,
        x: (index * 7) % 5,
      }),
    );
    const updates = Array.from({ length: USERS }, (_, index) => {
      return { $distinct_id: `u${index}`, $set: { plan: index % 3 === 0 ? 'pro' : 'free' } };
    });
    await store.flush(version, 'events', [await writeLogFile(join(folder, 'events'), '00000001', [lines])]);
    await store.flush(version, 'people', [await writeLogFile(join(folder, 'people'), '00000001', [updates])]);
  });

  afterAll(async () => {
    await store?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The work of the shards for a query. */
  interface Work {
    /** The number of rows that each SELECT returns on all shards. */
    readonly sent: number[];
    /** The plans of its statements. */
    readonly plans: string[];
  }

  /** Runs a query and reports what its shards send. */
  async function trace(work: (snapshot: StoreSnapshot) => Promise<unknown>): Promise<Work> {
    const traced: Work = { sent: [], plans: [] };
    await store.read([version], async (snapshot) => {
      const { gather } = snapshot;
      const selects: string[] = [];
      const note = async (sql: string, parameters: Parameters<StoreSnapshot['rows']>[1]) => {
        const plan = await snapshot.rows(`EXPLAIN ${sql}`, parameters);
        traced.plans.push(plan.map(({ explain }) => explain).join('\n'));
        for (const select of selects.splice(0)) {
          const [row] = await snapshot.rows(`SELECT count(*) AS sent FROM ${gather?.(select)}`, parameters);
          traced.sent.push(Number(row?.sent));
        }
      };
      await work({
        ...snapshot,
        gather: (select) => {
          selects.push(select);
          return gather?.(select) ?? '';
        },
        rows: async (sql, parameters) => {
          await note(sql, parameters);
          return snapshot.rows(sql, parameters);
        },
        async *stream(sql, parameters) {
          await note(sql, parameters);
          yield* snapshot.stream(sql, parameters);
        },
      });
    });
    return traced;
  }

  it.each(REQUESTS)('%s %j sends only groups', async (query, request) => {
    const { sent, plans } = await trace(async (snapshot) => {
      const queries = new Analytics({ snapshot, ...MOMENT });
      await (queries[query] as (request: object) => Promise<unknown>).call(queries, request);
    });
    expect(sent.length).toBeGreaterThan(0);
    expect(Math.max(...sent)).toBeLessThan(MAX_ROWS);
    for (const plan of plans) expectAggregatedShards(plan);
  });

  it('of people sends the people of a page, sorted', async () => {
    const { plans } = await trace((snapshot) => new PeopleQuery(snapshot, {}, MOMENT).first(10));
    expect(plans).toHaveLength(1);
    for (const shard of listShards(`${plans[0]}`))
      expect(shard).toMatch(/^ *Limit .*\n( *Limit .*\n| *Offset .*\n)*.*Sorting/);
  });

  it('that counts people sends a row for each shard', async () => {
    const { sent } = await trace((snapshot) =>
      new PeopleQuery(snapshot, { where: `${OF_USER} == "pro"` }, MOMENT).count(),
    );
    expect(sent).toEqual([2]);
  });
});

/** Checks that every shard aggregates before it sends anything. */
function expectAggregatedShards(plan: string): void {
  const shards = listShards(plan);
  expect(shards.length, plan).toBeGreaterThanOrEqual(2);
  for (const shard of shards) expect(shard, plan).toContain('Aggregating');
}

/** Returns the parts of a plan that run on a shard: the children of each `Union` under no other. */
function listShards(plan: string): string[] {
  const lines = plan.split('\n').map((line) => line.replace(/[│├└─]/g, ' '));
  const indent = (line: string) => line.length - line.trimStart().length;
  const shards: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]?.trim() !== 'Union') continue;
    const outer = indent(`${lines[at]}`);
    const end = lines.findIndex((line, index) => index > at && indent(line) <= outer && line.trim() !== '');
    const body = lines.slice(at + 1, end === -1 ? undefined : end);
    const inner = indent(`${body[0]}`);
    for (const line of body) {
      if (indent(line) === inner) shards.push(line);
      else shards.push(`${shards.pop()}\n${line}`);
    }
    at += body.length;
  }
  return shards;
}
