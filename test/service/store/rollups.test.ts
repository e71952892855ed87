import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DateRange, Queries } from '../../../src/queries/requests.ts';
import { Analytics } from '../../../src/service/analytics/analytics.ts';
import { DuckDbStore } from '../../../src/service/store/duckdb/duck-db-store.ts';
import { ROLLUP_LIMITS, type RollupLimits } from '../../../src/service/store/duckdb/rollups.ts';
import { filterSnapshot } from '../../../src/service/store/filter-snapshot.ts';
import type { StoredVersion } from '../../../src/service/store/store.ts';
import { DamagedVersionError } from '../../../src/service/store/store-error.ts';
import type { Rollups, StoreSnapshot } from '../../../src/service/store/store-snapshot.ts';
import { drawSample } from '../../runs.ts';
import { eventLine, writeLogFile } from './log-files.ts';
import { eventAt, START } from './store-records.ts';

const HOUR = 3_600;

/** Counts events however few there are, a few at a time. */
const EARLY: RollupLimits = { minEvents: 1, minEventsPerRow: 0, part: 3 };

let folder: string;
let store: DuckDbStore;
let version: StoredVersion;
let named = 0;

const open = (limits: RollupLimits) => DuckDbStore.open({ temporaryFolder: join(folder, 'temporary') }, limits);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onwhere-rollups-'));
  store = await open(EARLY);
});

beforeEach(() => {
  const id = `r${++named}`;
  version = { id, folder: join(folder, id) };
});

afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

interface Sent {
  readonly hour: number;
  readonly own: Record<string, unknown>;
}

async function flush(events: readonly Sent[], into = store) {
  const lines = events.map(({ hour, own }) => {
    const { event, properties } = eventAt(hour * HOUR + (named++ % HOUR), own);
    return eventLine(event, properties);
  });
  await into.flush(version, 'events', [
    await writeLogFile(join(folder, 'logs'), String(++named).padStart(8, '0'), [lines]),
  ]);
}

async function optimizeAll(from = store) {
  while (await from.optimize(version));
}

const readRollups = (from = store): Promise<Rollups | undefined> =>
  from.read([version], async ({ versions }) => versions[0]?.rollups);

const repeat = (count: number, hour: number, own: (index: number) => Record<string, unknown>): Sent[] =>
  Array.from({ length: count }, (_, index) => ({ hour, own: own(index) }));

describe('counts of events by hour', () => {
  it('are those of the events, whatever is flushed between two parts', async () => {
    const values = fc.constantFrom<unknown>(
      'p',
      'q',
      '',
      '1',
      1,
      0,
      -0,
      1e21,
      true,
      false,
      null,
      [],
      ['p'],
      [1, '1'],
      {},
    );
    const own = fc.dictionary(fc.constantFrom('a', 'A', '', '__proto__', 'constructor', "it's", 'b'), values, {
      maxKeys: 4,
    });
    const sent = fc.record({ hour: fc.nat({ max: 6 }), own: fc.oneof(own, own, fc.constant({ $insert_id: 'same' })) });
    const flushes = fc.array(fc.tuple(fc.array(sent, { minLength: 1, maxLength: 12 }), fc.nat({ max: 3 })), {
      minLength: 2,
      maxLength: 5,
    });
    // The last event is late, has a new type, and its hour is counted before it comes.
    const late: [Sent[], number][] = [
      [[0, 0, 0, 0, 3].map((hour) => ({ hour, own: { a: 1 } })), 2],
      [[{ hour: 0, own: { a: 'p' } }], 0],
    ];
    const ends: number[] = [];
    for (const steps of [late, ...drawSample(flushes, 12)]) {
      version = { id: `r${++named}`, folder: join(folder, `r${named}`) };
      for (const [events, parts] of steps) {
        await flush(events);
        for (let part = 0; part < parts; part++) await store.optimize(version);
        await store.verify(version);
      }
      const rollups = await readRollups();
      if (rollups !== undefined) ends.push((rollups.before - START) / HOUR);
    }
    expect(ends[0]).toBe(3);
  });

  it('are damage if they differ', async () => {
    await flush([...repeat(5, 0, () => ({ plan: 'pro' })), { hour: 1, own: {} }]);
    await optimizeAll();
    await store.close();
    const instance = await DuckDBInstance.create(join(version.folder, 'store.duckdb'));
    const connection = await instance.connect();
    await connection.run("UPDATE rollup_1 SET p1_string = 'free'");
    connection.closeSync();
    instance.closeSync();
    store = await open(EARLY);
    await expect(store.verify(version)).rejects.toThrow(DamagedVersionError);
  });

  it('are read by queries that need no more, up to the last hour', async () => {
    await flush([...repeat(5, 0, (index) => ({ plan: 'pro', amount: index })), { hour: 1, own: {} }]);
    await optimizeAll();
    expect(await readRollups()).toMatchObject({ before: START + HOUR });
    const dates: DateRange = { from: '2025-01-01', to: '2025-01-01' };
    const segmentation = { event: 'a', dates, type: 'general', unit: 'day', limit: 10 } as const;
    const plan = 'properties["plan"]';
    type Ask = (queries: Queries) => Promise<unknown>;
    const cases: [Ask, string, string?][] = [
      [(queries) => queries.segmentation(segmentation), 'rollup_0'],
      [(queries) => queries.segmentation({ ...segmentation, unit: 'hour' }), 'rollup_0'],
      [(queries) => queries.segmentation({ ...segmentation, on: plan }), 'rollup_2'],
      [(queries) => queries.segmentation({ ...segmentation, where: `${plan} == "pro"`, on: plan }), 'rollup_2'],
      [(queries) => queries.segmentation({ ...segmentation, where: 'properties["amount"] > 1' }), 'rollup_1'],
      [(queries) => queries.segmentation({ ...segmentation, where: 'properties["amount"] > 1', on: plan }), 'events'],
      [(queries) => queries.segmentation({ ...segmentation, where: 'properties["time"] > 1' }), 'events'],
      [(queries) => queries.segmentation({ ...segmentation, where: 'properties["constructor"] == 1' }), 'events'],
      [(queries) => queries.segmentation({ ...segmentation, where: 'user["plan"] == "pro"' }), 'events'],
      [(queries) => queries.segmentation({ ...segmentation, unit: 'minute' }), 'events'],
      [(queries) => queries.segmentation({ ...segmentation, type: 'unique' }), 'events'],
      [(queries) => queries.segmentation(segmentation), 'events', 'Asia/Kolkata'],
      [(queries) => queries.events({ events: ['a'], type: 'general', unit: 'day', period: dates }), 'rollup_0'],
      [(queries) => queries.names({ of: 'events', limit: 10 }), 'rollup_0'],
      [(queries) => queries.names({ of: 'properties', limit: 10 }), 'events'],
      [(queries) => queries.values({ scope: 'properties', name: 'plan', limit: 10 }), 'rollup_2'],
      [(queries) => queries.propertyValues({ event: 'a', name: 'plan', limit: 10 }), 'rollup_2'],
    ];
    await store.read([version], async (snapshot) => {
      for (const [ask, table, timeZone = 'UTC'] of cases) {
        const tables = new Set<string>();
        const spied: StoreSnapshot = {
          ...snapshot,
          stream: (sql, parameters) => {
            for (const [name] of sql.matchAll(/rollup_\d/g)) tables.add(name);
            return snapshot.stream(sql, parameters);
          },
        };
        const moment = { timeZone, now: START + 2 * HOUR };
        const answer = await ask(new Analytics({ snapshot: spied, ...moment }));
        expect([...tables], String(ask)).toEqual(table === 'events' ? [] : [table]);
        tables.clear();
        const versions = snapshot.versions.map((one) => ({ ...one, rollups: undefined }));
        expect(await ask(new Analytics({ snapshot: { ...spied, versions }, ...moment })), String(ask)).toEqual(answer);
        expect([...tables], String(ask)).toEqual([]);
        await ask(new Analytics({ snapshot: filterSnapshot(spied, `${plan} == "free"`, moment), ...moment }));
        expect([...tables], String(ask)).toEqual([]);
      }
    });
  });

  it('are left out for a property with nearly as many values as events', async () => {
    const large = await open({ ...ROLLUP_LIMITS, minEvents: 100 });
    await flush([...repeat(100, 0, (index) => ({ id: index, plan: 'pro' })), { hour: 1, own: {} }], large);
    await optimizeAll(large);
    expect(Object.keys((await readRollups(large))?.byProperty ?? {})).toEqual(['plan']);
    await large.verify(version);
    await large.close();
  });

  it('begin again when further properties are promoted', async () => {
    await flush([...repeat(2, 0, () => ({ plan: 'pro' })), { hour: 1, own: {} }]);
    await optimizeAll();
    await flush(repeat(5_000, 1, () => ({ country: 'DE' })));
    await optimizeAll();
    const { before, byProperty } = (await readRollups()) as Rollups;
    expect([before, Object.keys(byProperty).sort()]).toEqual([START + 2 * HOUR, ['country', 'plan']]);
    await store.verify(version);
  });
});
