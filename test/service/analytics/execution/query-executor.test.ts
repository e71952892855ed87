import { tmpdir } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Queries, QueryName, RequestOf } from '../../../../src/queries/requests.ts';
import { QueryExecutor, type QueryTarget } from '../../../../src/service/analytics/execution/query-executor.ts';
import type { QueryContext } from '../../../../src/service/analytics/sql/query-context.ts';
import type { StoreSnapshot } from '../../../../src/service/store/store-snapshot.ts';

const NEVER = new AbortController().signal;
const SNAPSHOT = {} as StoreSnapshot;

/** Records each query and its context. */
let calls: { readonly context: QueryContext; readonly request: unknown }[];
let now: number;
let state: string;
let executor: QueryExecutor;

beforeEach(() => {
  calls = [];
  now = 1_750_000_020;
  state = 'first';
  const queriesOf = (context: QueryContext) => {
    const answer = async (request: unknown) => {
      calls.push({ context, request });
      return `answer ${calls.length}`;
    };
    return {
      eventNames: answer,
      topEvents: answer,
      events: answer,
      propertyValues: answer,
      segmentation: answer,
      funnel: answer,
      retention: answer,
    } as unknown as Queries;
  };
  const limits = { atOnce: 1, waiting: 1, seconds: 60, cacheBytes: 10_000, cacheFileBytes: 0 };
  executor = new QueryExecutor(limits, tmpdir(), queriesOf, () => now);
});

function createTarget(): QueryTarget {
  return {
    project: 'demo',
    timeZone: 'Europe/Berlin',
    state: async () => state,
    versions: async () => '',
    read: (work) => work(SNAPSHOT),
  };
}

/** Runs a query whose answer is written unchanged, in two pieces. */
function ask<Name extends QueryName>(name: Name, request: RequestOf<Name>, target = createTarget(), format = 'json') {
  const write = (result: unknown) => [`${format}: `, String(result)];
  return executor.ask(target, { name, request, format, write }, NEVER);
}

const VALUES = { event: 'a', name: 'x', limit: 3 };
const NAMES = { type: 'general', limit: 3 } as const;

describe('QueryExecutor', () => {
  it('runs a query on a snapshot, in the time zone of the project and at the current time', async () => {
    expect(await ask('propertyValues', VALUES)).toBe('json: answer 1');
    expect(calls).toMatchObject([{ context: { timeZone: 'Europe/Berlin', now }, request: VALUES }]);
    expect(calls[0]?.context.snapshot).toBe(SNAPSHOT);
  });

  it('returns a cached answer until the data changes', async () => {
    const values = () => ask('propertyValues', { ...VALUES });
    await values();
    expect(await values()).toBe('json: answer 1');
    state = 'second';
    expect(await values()).toBe('json: answer 2');
    state = 'first';
    expect(await values()).toBe('json: answer 1');
  });

  it('caches answers by request, query name and format', async () => {
    await ask('propertyValues', VALUES);
    expect(await ask('propertyValues', { ...VALUES, limit: 4 })).toBe('json: answer 2');
    await ask('eventNames', NAMES);
    expect(await ask('topEvents', NAMES)).toBe('json: answer 4');
    expect(await ask('topEvents', NAMES, createTarget(), 'csv')).toBe('csv: answer 5');
  });

  const COUNT = {
    event: 'a',
    dates: { from: '2024-01-01', to: '2024-01-02' },
    type: 'general',
    unit: 'day',
    limit: 1,
  } as const;

  it.each([
    ['properties["a"] == 1 and properties["b"] > 2', ' ( 2<properties["b"] ) AND event["a"]==1'],
    ['properties["a"] != 1', 'not (properties["a"] == 1)'],
    ['properties["a"] > 5', 'properties["a"] > 5 or properties["a"] > 5'],
    ['properties["a"] in ["x", "y"]', 'properties["a"] == "y" or properties["a"] == "x"'],
    ['datetime(properties["a"]) < datetime("2025-06-01")', 'properties["a"] < datetime(1748728800)'],
  ])('caches one answer for %s and %s', async (where, respelled) => {
    const first = await ask('segmentation', { ...COUNT, where });
    expect(await ask('segmentation', { ...COUNT, where: respelled })).toBe(first);
    expect(executor.cached).toMatchObject({ hits: 1, misses: 1 });
    const steps = (filter: string) => ({ steps: [{ event: 'a' }, { event: 'b', where: filter }] }) as never;
    const funnel = await ask('funnel', steps(where));
    expect(await ask('funnel', steps(respelled))).toBe(funnel);
  });

  it.each([
    ['a filter that fails on other records', 'properties["a"]', 'properties["a"] == true'],
    ['a filter that fails on every record', 'properties["a"] and 1 == 1 and 5', '5 and properties["a"]'],
    [
      'a longer filter',
      `properties["a"] == 1 and properties["b"] in ["${'x'.repeat(4_000)}"]`,
      `properties["b"] in ["${'x'.repeat(4_000)}"] and properties["a"] == 1`,
    ],
  ])('caches two answers for %s', async (_, where, other) => {
    const first = await ask('segmentation', { ...COUNT, where });
    expect(await ask('segmentation', { ...COUNT, where: other })).not.toBe(first);
    expect(executor.cached).toMatchObject({ hits: 0, misses: 2 });
  });

  it('caches the answer of a long filter for each layout of it', async () => {
    const where = `properties["b"] in ["${'x'.repeat(4_000)}"]`;
    const first = await ask('segmentation', { ...COUNT, where });
    expect(await ask('segmentation', { ...COUNT, where: `(${where.replace(' in ', '  IN\t')})` })).toBe(first);
  });

  it('keeps what segments are named after', async () => {
    const on = 'properties["a"] and true';
    const first = await ask('segmentation', { ...COUNT, on });
    expect(await ask('segmentation', { ...COUNT, on: 'properties["a"]' })).not.toBe(first);
    expect(await ask('segmentation', { ...COUNT, on: 'true and event["a"]' })).toBe(first);
  });

  it('caches answers by time zone', async () => {
    const where = 'datetime(properties["a"]) > 5';
    const first = await ask('segmentation', { ...COUNT, where });
    const elsewhere = { ...createTarget(), timeZone: 'UTC' };
    expect(await ask('segmentation', { ...COUNT, where }, elsewhere)).not.toBe(first);
  });

  it('caches answers for a relative period for a minute', async () => {
    const latest = { events: ['a'], type: 'general', unit: 'day', period: { latest: 2 } } as const;
    const past = { ...latest, period: { from: '2024-01-01', to: '2024-01-02' } } as const;
    const all = async () => [
      await ask('events', latest),
      await ask('events', past),
      await ask('eventNames', NAMES),
      await ask('topEvents', NAMES),
    ];
    const first = await all();
    now += 59;
    expect(await all()).toEqual(first);
    now += 1;
    const [events, before, names, top] = await all();
    expect(before).toBe(first[1]);
    for (const answer of [events, names, top]) expect(first).not.toContain(answer);
  });

  describe.each(['NOW-properties["t"]<9', 'properties["t"] >\nnow', '1 <\tnow'])('with %j', (reading) => {
    const DATES = { from: '2024-01-01', to: '2024-01-02' };
    const COUNT = { event: 'a', dates: DATES, type: 'general', unit: 'day', limit: 1 } as const;
    const FUNNEL = { steps: [{ event: 'a' }], dates: DATES, length: 60, bucket: { days: 1 }, limit: 1 } as const;
    const RETENTION = { dates: DATES, type: 'birth', bucket: { days: 1 }, intervalCount: 1, limit: 1 } as const;

    it.each<[string, QueryName, object]>([
      ['where', 'segmentation', { ...COUNT, where: reading }],
      ['on', 'segmentation', { ...COUNT, on: reading }],
      ['bornWhere', 'retention', { ...RETENTION, bornWhere: reading }],
      ['the filter of a step', 'funnel', { ...FUNNEL, steps: [{ event: 'a' }, { event: 'b', where: reading }] }],
    ])('in %s caches an answer for a second', async (_, name, request) => {
      const first = await ask(name, request as never);
      expect(await ask(name, request as never)).toBe(first);
      now += 1;
      expect(await ask(name, request as never)).not.toBe(first);
    });
  });

  it('caches answers of strings that only look like the time', async () => {
    const events = { events: ['now'], type: 'general', unit: 'day', period: { from: '2024-01-01', to: '2024-01-02' } };
    const first = await ask('events', events as RequestOf<'events'>);
    now += 1;
    expect(await ask('events', events as RequestOf<'events'>)).toBe(first);
  });

  it('does not run a query if its dataset does not exist', async () => {
    const missing = { ...createTarget(), state: () => Promise.reject(new Error('no such dataset')) };
    await expect(ask('propertyValues', VALUES, missing)).rejects.toThrow('no such dataset');
    expect(calls).toEqual([]);
  });
});
