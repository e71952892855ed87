import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { check } from '../../../src/api/expressions.ts';
import { QueryError } from '../../../src/queries/errors.ts';
import type { Queries } from '../../../src/queries/requests.ts';
import { Analytics } from '../../../src/service/analytics/analytics.ts';
import { PeopleQuery } from '../../../src/service/analytics/people/people-query.ts';
import { filterSnapshot } from '../../../src/service/store/filter-snapshot.ts';
import type { PersonLine } from '../../../src/service/store/log-line.ts';
import type { RecordKind, Store, StoredVersion } from '../../../src/service/store/store.ts';
import { withCloseNumbersOf } from '../../close-numbers.ts';
import { deepestExpressions } from '../../deepest.ts';
import { drawSample } from '../../runs.ts';
import { eventLine, writeLogFile } from '../store/log-files.ts';

import { FILTERS, type QueryName, requests, type World, worlds } from './arbitraries.ts';
import { expectExports } from './exports/expect-exports.ts';
import { ALLOWING, KEY_REQUESTS, OPTION_CASES } from './option-cases.ts';
import { RAISING_CASES, UNSELECTED_BIRTHS } from './raising.ts';
import { allowedBy } from './reference/allowed.ts';
import { occurrencesOf, type ReferenceVersion } from './reference/occurrence.ts';
import { Reference } from './reference.ts';
import { TIE_CASES, type TieCase } from './ties.ts';

/** The number of random data sets. */
const WORLDS = Number(process.env.ONWHERE_RUNS ?? 2);
/**
 * The least number of events of the first data set: others may be empty, which tests nothing if all are. It and its
 * requests have a fixed seed, so that it does not depend on chance whether a query has an answer.
 */
const FULL = 10;

const KEY_FILTERS = FILTERS.filter((filter) => check(filter, { use: 'where' }).ok);

const QUERIES = Object.keys(requests) as QueryName[];

interface LoadedWorld {
  readonly world: World;
  readonly reference: Reference;
  readonly versions: readonly StoredVersion[];
}

/** The result of a query, or the kind of its error. */
type Outcome = { readonly answer: unknown } | { readonly failure: QueryError['kind'] };

/**
 * Tests that queries of a store return the same as the reference.
 *
 * @param requestCount The number of requests for each query and data set.
 * @param without Parts that are left out: ClickHouse takes minutes for the examples, and the statements of long requests and
 *   of keys with filters are the same for some stores.
 */
export function describeAnalytics(
  name: string,
  open: (folder: string) => Promise<Store>,
  {
    requestCount = 4,
    without = [],
  }: { readonly requestCount?: number; readonly without?: readonly ('examples' | 'keys' | 'long')[] } = {},
): void {
  const withExamples = !without.includes('examples');
  describe(`Analytics on ${name}`, () => {
    let folder: string;
    let store: Store;
    const loaded: LoadedWorld[] = [];

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'onwhere-analytics-'));
      store = await open(join(folder, 'own'));
      const [full] = fc.sample(
        worlds.filter(({ versions }) => occurrencesOf(versions).length >= FULL),
        { numRuns: 1, seed: 1 },
      );
      for (const [index, world] of [full as World, ...drawSample(worlds, WORLDS - 1)].entries()) {
        const versions = world.versions.map((_, number) => {
          const id = `w${index}v${number}`;
          return { id, folder: join(folder, id, 'store') };
        });
        for (const [number, version] of versions.entries()) await flush(version, world.versions[number]);
        loaded.push({ world, reference: new Reference(world), versions });
      }
    });

    afterAll(async () => {
      await store?.close();
      await rm(folder, { recursive: true, force: true });
    });

    /** Flushes the events in two parts, so that they are not sorted by time. */
    async function flush(version: StoredVersion, { events, people }: ReferenceVersion = { events: [], people: [] }) {
      const lines = events.map(({ event, properties }) => eventLine(event, properties));
      const half = lines.length >> 1;
      const updates = people.map(
        ({ distinctId, properties }): PersonLine => ({ $distinct_id: distinctId, $set: properties }),
      );
      const parts: [RecordKind, Parameters<typeof writeLogFile>[2]][] = [
        ['events', [lines.slice(0, half)]],
        ['events', [lines.slice(half)]],
        ['people', [updates]],
      ];
      for (const [index, [kind, batches]] of parts.entries()) {
        const segment = await writeLogFile(join(folder, version.id, kind), `0000000${index + 1}`, batches);
        await store.flush(version, kind, [segment]);
      }
    }

    /** Flushes the events of a world, and runs queries on them. */
    async function runOn<Result>(id: string, world: World, work: (analytics: Analytics) => Promise<Result>) {
      const version = { id, folder: join(folder, id, 'store') };
      await flush(version, world.versions[0]);
      const { timeZone, now } = world;
      return store.read([version], (snapshot) => work(new Analytics({ snapshot, timeZone, now })));
    }

    it.each(QUERIES)('%s matches the reference on random data', async (query) => {
      const counts = { answers: 0, failures: 0 };
      for (const [index, { world, reference, versions }] of loaded.entries()) {
        const { timeZone, now } = world;
        await store.read(versions, async (snapshot) => {
          const analytics = new Analytics({ snapshot, timeZone, now });
          const property = fc.asyncProperty(requests[query](world) as fc.Arbitrary<never>, async (request) => {
            const expected = await runQuery(reference, query, request);
            const got = await runQuery(analytics, query, request);
            expectSame(got, expected, query, `${JSON.stringify(world)}: `);
            counts['answer' in expected ? 'answers' : 'failures']++;
          });
          await fc.assert(property, { numRuns: requestCount, ...(index === 0 && { seed: 1 }) });
        });
      }
      expect(counts.answers).toBeGreaterThan(0);
      if (process.env.ONWHERE_RUNS !== undefined) console.log({ store: name, query, ...counts });
    });

    it('exports the events of the reference, in the same order', async () => {
      for (const { world, reference, versions } of loaded)
        await store.read(versions, (snapshot) => expectExports(snapshot, world, reference, requestCount));
    });

    it('refuses an invalid property name', async () => {
      const { world, reference, versions } = loaded[0] as LoadedWorld;
      await store.read(versions, async (snapshot) => {
        const analytics = new Analytics({ snapshot, timeZone: world.timeZone, now: world.now });
        for (const queries of [analytics, reference]) {
          const name = 'half \ud800';
          for (const result of [
            queries.propertyValues({ event: 'a', name, limit: 5 }),
            queries.values({ scope: 'properties', name, limit: 5 }),
          ])
            await expect(result).rejects.toMatchObject({ kind: 'parameter', parameters: ['name'] });
        }
      });
    });

    it.each(without.includes('keys') ? [] : QUERIES)(
      '%s ignores records that the filter of a key excludes',
      async (query) => {
        for (const { world, versions } of loaded) {
          const { timeZone, now } = world;
          await store.read(versions, async (snapshot) => {
            const property = fc.asyncProperty(
              KEY_FILTERS,
              requests[query](world) as fc.Arbitrary<never>,
              async (filter, request) => {
                const allowed = {
                  ...world,
                  versions: world.versions.map((version) => allowedBy(filter, version, { now, timeZone })),
                };
                const filtered = filterSnapshot(snapshot, filter, { now, timeZone });
                const expected = await runQuery(new Reference(allowed), query, request);
                const got = await runQuery(new Analytics({ snapshot: filtered, timeZone, now }), query, request);
                expectSame(got, expected, query, `${filter} ${JSON.stringify(world)}: `);
              },
            );
            await fc.assert(property, { numRuns: Math.ceil(requestCount / 3) });
          });
        }
      },
    );

    if (withExamples)
      it('matches the reference on the records that the filter of a key allows', async () => {
        const [{ world }] = OPTION_CASES as readonly [TieCase];
        const { timeZone, now } = world;
        const version = { id: 'allowed', folder: join(folder, 'allowed', 'store') };
        await flush(version, world.versions[0]);
        await store.read([version], async (snapshot) => {
          for (const filter of ALLOWING) {
            const filtered = filterSnapshot(snapshot, filter, { now, timeZone });
            const versions = world.versions.map((one) => allowedBy(filter, one, { now, timeZone }));
            for (const [query, request] of KEY_REQUESTS) {
              const expected = await runQuery(new Reference({ ...world, versions }), query, request as never);
              const got = await runQuery(new Analytics({ snapshot: filtered, timeZone, now }), query, request as never);
              expectSame(got, expected, query, `${filter} ${JSON.stringify(request)}`);
            }
          }
        });
      });

    it('suggests no property to a key with a filter, which may not see any event that has it', async () => {
      const version = { id: 'names', folder: join(folder, 'names', 'store') };
      const properties = { distinct_id: 'ann', time: 86_400, salary: 1 };
      await flush(version, {
        events: [{ event: 'a', properties }],
        people: [{ distinctId: 'ann', properties: { salary: 1 } }],
      } as unknown as ReferenceVersion);
      const moment = { timeZone: 'UTC', now: 0 };
      await store.read([version], async (reading) => {
        const filtered = filterSnapshot(reading, 'properties["plan"] == "free"', moment);
        for (const [snapshot, isShown] of [[reading, true] as const, [filtered, false] as const]) {
          const analytics = new Analytics({ snapshot, ...moment });
          const dates = { from: '1970-01-01', to: '1970-01-03' };
          const where = 'properties["salry"] and 1';
          const asked = analytics.segmentation({ event: 'a', dates, type: 'general', unit: 'day', limit: 1, where });
          const suggested = await asked.catch(({ message }: Error) => message.includes('Did you mean "salary"?'));
          expect([isShown, suggested]).toEqual([isShown, isShown]);
          const people = () => new PeopleQuery(snapshot, { where }, moment);
          if (isShown) expect(people).toThrow('Did you mean "salary"?');
          else expect(people).toThrow(/^(?!.*salary)/);
        }
      });
    });

    it('draws filters of keys that exclude some records and keep others', () => {
      const { world } = loaded[0] as LoadedWorld;
      const { now, timeZone } = world;
      const all = occurrencesOf(world.versions).length;
      const kept = fc.sample(KEY_FILTERS, { numRuns: 200, seed: 1 }).map((filter) => {
        const versions = world.versions.map((version) => allowedBy(filter, version, { now, timeZone }));
        return occurrencesOf(versions).length;
      });
      expect(kept.some((count) => count < all)).toBe(true);
      expect(kept.some((count) => count > 0)).toBe(true);
    });

    // ClickHouse needs minutes for chains of `%` and refuses chains of `in`.
    it.runIf(name === 'the DuckDB store')('matches the reference for the deepest expressions', async () => {
      const { world, reference, versions } = loaded[0] as LoadedWorld;
      const { timeZone, now } = world;
      await store.read(versions, async (snapshot) => {
        const analytics = new Analytics({ snapshot, timeZone, now });
        for (const [query, request] of createDeepRequests(world)) {
          const expected = await runQuery(reference, query, request);
          expectSame(await runQuery(analytics, query, request), expected, query, JSON.stringify(request).slice(0, 200));
        }
      });
    });

    const examples: (readonly [what: string, id: string, cases: readonly TieCase[]])[] = [
      ['events in the same second and after clocks go back', 'ties', TIE_CASES],
      ['every option of a request', 'options', OPTION_CASES],
    ];
    it.each(examples.slice(0, withExamples ? 2 : 1))('matches the reference for %s', async (_, name, cases) => {
      for (const [index, { world, requests }] of cases.entries()) {
        const reference = new Reference(world);
        await runOn(`${name}${index}`, world, async (analytics) => {
          for (const [query, request] of requests) {
            const expected = await runQuery(reference, query, request as never);
            expectSame(await runQuery(analytics, query, request as never), expected, query, JSON.stringify(request));
          }
        });
      }
    });

    if (withExamples)
      it('fails on an event only if the law names it', async () => {
        for (const [index, world] of [...new Set(RAISING_CASES.map((each) => each.world))].entries()) {
          await runOn(`raising${index}`, world, async (analytics) => {
            for (const { name, query, request, raises } of RAISING_CASES.filter((each) => each.world === world)) {
              const outcome = await runQuery(analytics, query, request as never);
              expect('failure' in outcome, name).toBe(raises);
            }
          });
        }
        for (const [index, { world, request, first }] of UNSELECTED_BIRTHS.entries()) {
          const { overall } = await runOn(`unselected${index}`, world, (analytics) => analytics.retention(request));
          expect(
            overall?.map((cohort) => cohort.first),
            request.bornWhere,
          ).toEqual(first);
        }
      });

    if (!without.includes('long'))
      it('matches the reference for many buckets and steps', async () => {
        const { world, reference, versions } = loaded[0] as LoadedWorld;
        const { timeZone, now } = world;
        await store.read(versions, async (snapshot) => {
          const analytics = new Analytics({ snapshot, timeZone, now });
          for (const [query, request] of createLongRequests(world)) {
            const expected = await runQuery(reference, query, request);
            expectSame(await runQuery(analytics, query, request), expected, query, `${JSON.stringify(world)}: `);
          }
        });
      });
  });
}

/** Creates queries with deep expressions on a property without a column, so that its JSON is read. */
function createDeepRequests({ day }: World): [QueryName, never][] {
  const base = { event: 'a', dates: { from: day, to: day }, unit: 'day', type: 'general', limit: 255 };
  const expressions = deepestExpressions('properties["missing"]');
  return expressions.flatMap((on, index): [QueryName, never][] => {
    // Each takes about half a second, so each run takes another third of them.
    if ((index + Number(process.env.ONWHERE_SEED)) % 3 !== 0) return [];
    const isFilter = check(on, { use: 'where' }).ok;
    const segmentation: [QueryName, never] = ['segmentation', { ...base, on, ...(isFilter && { where: on }) } as never];
    // `numeric` nests its expression as deep; one chain is enough.
    return index < 3 ? [segmentation, ['numeric', { ...base, on, buckets: 3 } as never]] : [segmentation];
  });
}

/** Creates queries with many buckets and intervals, and a funnel of many steps. */
function createLongRequests({ day }: World): [QueryName, never][] {
  const dates = {
    from: Temporal.PlainDate.from(day).subtract({ days: 100 }).toString(),
    to: Temporal.PlainDate.from(day).add({ days: 70 }).toString(),
  };
  const base = { dates, bucket: { days: 1 }, intervalCount: 90, bornEvent: 'a', limit: 255 };
  const requests: [QueryName, object][] = (['birth', 'compounded'] as const).flatMap((type) => [
    ['retention', { ...base, type }],
    ['retention', { ...base, type, on: 'properties["x"]' }],
  ]);
  const manyIntervals = { ...base, dates: { from: day, to: day }, intervalCount: 2_000 };
  requests.push(
    ['retention', { ...manyIntervals, type: 'birth' }],
    ['retention', { ...manyIntervals, type: 'compounded' }],
  );
  const steps = Array.from({ length: 12 }, (_, step) => ({ event: 'aab'.charAt(step % 3) }));
  const funnel = { steps, dates, length: 90 * 86_400, bucket: { unit: 'month' }, limit: 255 };
  return [...requests, ['funnel', funnel]] as [QueryName, never][];
}

async function runQuery(queries: Queries, query: QueryName, request: never): Promise<Outcome> {
  try {
    return { answer: JSON.parse(JSON.stringify(await queries[query](request))) };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { failure: error.kind };
  }
}

/** Rounds sums, which depend on the order of additions. */
function expectSame(got: Outcome, expected: Outcome, query: QueryName, message: string): void {
  expect(query === 'aggregate' ? withCloseNumbersOf(expected, got) : got, message).toEqual(expected);
}
