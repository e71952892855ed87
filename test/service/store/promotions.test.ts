import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventQuery } from '../../../src/service/analytics/sql/event-query.ts';
import { DuckDbStore } from '../../../src/service/store/duckdb/duck-db-store.ts';
import { ROLLUP_LIMITS } from '../../../src/service/store/duckdb/rollups.ts';
import type { RecordKind, StoredVersion } from '../../../src/service/store/store.ts';
import { drawSample } from '../../runs.ts';
import { countOf } from './count-of.ts';
import { eventLine, writeLogFile } from './log-files.ts';
import { readExactColumns } from './promoted-columns.ts';

/** The least number of records for which properties are chosen again. */
const ENOUGH = 5_000;

/** More records than one part has. */
const SEVERAL_PARTS = 130_000;

let folder: string;
let store: DuckDbStore;
let version: StoredVersion;
let named = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onwhere-promotions-'));
  store = await open();
});

beforeEach(createVersion);

afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

/** Opens a store that only promotes. */
const open = () =>
  DuckDbStore.open({ temporaryFolder: join(folder, 'temporary') }, { ...ROLLUP_LIMITS, minEvents: Infinity });

function createVersion(): void {
  const id = `p${++named}`;
  version = { id, folder: join(folder, id) };
}

/** Flushes records with the given properties. */
async function flush(kind: RecordKind, records: readonly Record<string, unknown>[]) {
  const lines = records.map((properties, index) =>
    kind === 'events'
      ? eventLine('a', { distinct_id: 'u', time: ++named, ...properties } as never)
      : { $distinct_id: String(index), $set: properties as never },
  );
  await store.flush(version, kind, [
    await writeLogFile(join(folder, 'logs'), String(++named).padStart(8, '0'), [lines]),
  ]);
}

const repeat = (count: number, create: (index: number) => Record<string, unknown>) =>
  Array.from({ length: count }, (_, index) => create(index));

/** Promotes until there is nothing left to do, and returns the number of parts. */
async function promoteAll(between: () => Promise<unknown> = async () => undefined): Promise<number> {
  for (let parts = 0; ; parts++) {
    if (!(await store.optimize(version))) return parts;
    await between();
  }
}

/** Counts the events for each value of a property. */
const countValues = (name: string) =>
  store.read([version], async (snapshot) => {
    const value = { use: 'on', expression: `properties[${JSON.stringify(name)}]` } as const;
    const query = new EventQuery({ snapshot, now: 0, timeZone: 'UTC' }, {}, { value });
    const rows = await query.rows(`SELECT ${query.segmentOf('value')} AS value FROM selected`);
    const counts = new Map<unknown, number>();
    for (const { value } of rows) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts].sort();
  });

const values = fc.oneof(
  fc.integer({ min: -9, max: 9 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(fc.string(), fc.integer())),
  fc.dictionary(fc.string(), fc.integer(), { maxKeys: 2 }),
);

const names = fc.constantFrom('a', 'A', '', 'a/b', 'a~0', '"', "it's", 'ünï', 'b', '$c');

/** The properties of several records. */
const shapes = fc.array(fc.dictionary(names, values, { maxKeys: 6 }), { minLength: 1, maxLength: 12 });

describe('properties that have become frequent', () => {
  it.each<RecordKind>(['events', 'people'])('have exact columns whatever the first %s had', async (kind) => {
    for (const [first, later, last] of drawSample(fc.tuple(shapes, shapes, shapes), 3)) {
      createVersion();
      await flush(kind, first);
      await flush(
        kind,
        repeat(ENOUGH, (index) => later[index % later.length] as Record<string, unknown>),
      );
      const before = kind === 'events' ? await countValues('a') : [];
      // What is flushed between two parts has new types and properties.
      let flushed = 0;
      await promoteAll(async () => {
        if (flushed++ === 0) await flush(kind, last);
        await readExactColumns(store, version, kind);
      });
      const frequent = new Set(
        later
          .flatMap(Object.entries)
          .filter(([, value]) => isPromotable(value))
          .map(([name]) => name),
      );
      const promoted = await readExactColumns(store, version, kind);
      expect(promoted).toEqual(expect.arrayContaining([...frequent]));
      await flush(kind, last);
      await readExactColumns(store, version, kind);
      if (kind === 'people') continue;
      const added = new Map(before as [unknown, number][]);
      const after = new Map((await countValues('a')) as [unknown, number][]);
      for (const [value, count] of added) expect(after.get(value)).toBeGreaterThanOrEqual(count);
      expect(await countOf(store, version, 'events')).toBe(
        first.length + ENOUGH + (flushed === 0 ? 1 : 2) * last.length,
      );
    }
  });

  it('get them in parts, between which records are flushed and replaced, and reads see one moment', async () => {
    await flush(
      'events',
      repeat(20, () => ({ old: 1 })),
    );
    await flush(
      'events',
      repeat(SEVERAL_PARTS, (index) => ({ old: index, plan: index % 3 === 0 ? 'free' : 'pro' })),
    );
    const free = Math.ceil(SEVERAL_PARTS / 3);
    let parts = 0;
    for (let isLast = false; !isLast; parts++) {
      let part = Promise.resolve(false);
      await store.read([version], async (snapshot) => {
        const count = async () => {
          const filter = { where: 'properties["plan"] == "free"' };
          const query = new EventQuery({ snapshot, now: 0, timeZone: 'UTC' }, filter);
          return (await query.rows('SELECT count(*) AS free FROM selected'))[0]?.free;
        };
        expect(await count()).toBe(free + parts);
        part = store.optimize(version);
        for (let repeats = 0; repeats < 5; repeats++) expect(await count()).toBe(free + parts);
      });
      isLast = !(await part);
      await flush('events', [{ plan: 'free' }]);
    }
    expect(parts).toBeGreaterThan(3);
    expect(await countValues('plan')).toContainEqual(['free', free + parts]);
    expect(await readExactColumns(store, version, 'events')).toEqual(['old', 'plan']);
  });

  it('are chosen again when the records have quadrupled, and not before', async () => {
    await flush(
      'events',
      repeat(ENOUGH, () => ({ first: 1 })),
    );
    expect(await promoteAll()).toBe(0);
    await flush(
      'events',
      repeat(3 * ENOUGH - 1, () => ({ second: 1 })),
    );
    expect(await promoteAll()).toBe(0);
    await flush('events', [{ second: 1 }]);
    expect(await promoteAll()).toBeGreaterThan(0);
    expect(await readExactColumns(store, version, 'events')).toEqual(['first', 'second']);
  });

  it('replace rare ones if there are too many columns', async () => {
    await flush('events', [
      Object.fromEntries(repeat(200, (index) => ({ index })).map((_, index) => [`rare${index}`, index])),
    ]);
    expect(await readExactColumns(store, version, 'events')).toHaveLength(128);
    await flush(
      'events',
      repeat(ENOUGH, (index) => ({ plan: 'free', amount: index, rare0: 'now frequent' })),
    );
    await promoteAll();
    const promoted = await readExactColumns(store, version, 'events');
    expect(promoted).toEqual(expect.arrayContaining(['amount', 'plan', 'rare0']));
    expect(promoted.length).toBeLessThanOrEqual(128);
    expect(await countValues('rare199')).toEqual(expect.arrayContaining([['199', 1]]));
  });

  it.each([
    [1, ['old']],
    [2, ['old', 'other', 'plan']],
  ])('get columns even if the process ends after %i parts', async (parts, promoted) => {
    await flush('events', [{ old: 1 }]);
    await flush(
      'events',
      repeat(ENOUGH, (index) => ({ plan: index, other: [index] })),
    );
    for (let part = 0; part < parts; part++) expect(await store.optimize(version)).toBe(true);
    await store.close();
    store = await open();
    expect(await readExactColumns(store, version, 'events')).toEqual(promoted);
    await flush(
      'events',
      repeat(ENOUGH, (index) => ({ plan: 'pro', other: null, later: index })),
    );
    await promoteAll();
    expect(await readExactColumns(store, version, 'events')).toEqual(['later', 'old', 'other', 'plan']);
  });

  it('stay in JSON if the version is dropped meanwhile', async () => {
    await flush('events', [{ old: 1 }]);
    await flush(
      'events',
      repeat(ENOUGH, () => ({ plan: 1 })),
    );
    expect(await store.optimize(version)).toBe(true);
    await store.drop(version);
    expect(await store.optimize(version)).toBe(false);
    expect(await countOf(store, version, 'events')).toBe(0);
  });
});

function isPromotable(value: unknown): boolean {
  return value === null || Array.isArray(value) || typeof value !== 'object';
}
