import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../../../src/api/expressions.ts';
import { QueryError } from '../../../src/queries/errors.ts';
import type { MemoryContext } from '../../../src/queries/in-memory/memory-context.ts';
import { MemoryQueries } from '../../../src/queries/in-memory/memory-queries.ts';
import type { Queries } from '../../../src/queries/requests.ts';
import { withCloseNumbersOf } from '../../close-numbers.ts';
import { runs, splitRuns } from '../../runs.ts';
import { type QueryName, requests, type World, worlds } from './arbitraries.ts';
import { OPTION_CASES } from './option-cases.ts';
import { RAISING_CASES, UNSELECTED_BIRTHS } from './raising.ts';
import { countRecordProperties, createRecordTable, type MemoryEvent } from './record-table.ts';
import { occurrencesOf } from './reference/occurrence.ts';
import { Reference } from './reference.ts';
import { TIE_CASES } from './ties.ts';

const QUERIES = Object.keys(requests) as QueryName[];

/** The number of data sets and requests for each query. */
const RUNS = runs(60);

describe('MemoryQueries', () => {
  it.each(QUERIES)('%s matches the reference on random data', async (query) => {
    const counts = { answers: 0, failures: 0 };
    const cases = worlds.chain((world) => fc.tuple(fc.constant(world), requests[query](world) as fc.Arbitrary<never>));
    const property = fc.asyncProperty(cases, async ([world, request]) => {
      const expected = await runQuery(new Reference(world), query, request);
      const got = await runQuery(createMemoryQueries(world), query, request);
      expect(query === 'aggregate' ? withCloseNumbersOf(expected, got) : got).toEqual(expected);
      counts['answer' in expected ? 'answers' : 'failures']++;
    });
    const { seeded, fresh } = splitRuns(RUNS);
    await fc.assert(property, seeded);
    expect(counts.answers).toBeGreaterThan(0);
    await fc.assert(property, fresh);
  });

  it.each([
    ['events in the same second and after clocks go back', TIE_CASES],
    ['every option of a request', OPTION_CASES],
  ])('matches the reference for %s', async (_, cases) => {
    for (const { world, requests } of cases) {
      for (const [query, request] of requests) {
        const expected = await runQuery(new Reference(world), query, request as never);
        const got = await runQuery(createMemoryQueries(world), query, request as never);
        expect(got, JSON.stringify(request)).toEqual(expected);
      }
    }
  });

  it.each(RAISING_CASES)('$name', async ({ world, query, request, raises }) => {
    const outcome = await runQuery(createMemoryQueries(world), query, request as never);
    expect('failure' in outcome).toBe(raises);
  });

  it.each(UNSELECTED_BIRTHS)(
    'does not select an earlier born event on which $request.bornWhere fails',
    async (each) => {
      const { world, request, first } = each;
      const { overall } = await createMemoryQueries(world).retention(request);
      expect(overall?.map((cohort) => cohort.first)).toEqual(first);
    },
  );

  it.each(['steps', 'length', 'on', 'where', 'dates'] as const)(
    'answers a funnel after another one over the same events that differs in: %s',
    async (change) => {
      const cases = worlds.chain((world) =>
        fc.tuple(fc.constant(world), requests.funnel(world), requests.funnel(world)),
      );
      let changed = 0;
      const property = fc.asyncProperty(cases, async ([world, first, other]) => {
        const second = { ...first, [change]: other[change] };
        const queries = createMemoryQueries(world);
        const before = await runQuery(queries, 'funnel', first as never);
        const expected = await runQuery(createMemoryQueries(world), 'funnel', second as never);
        if (!isDeepStrictEqual(before, expected)) changed++;
        expect(await runQuery(queries, 'funnel', second as never)).toEqual(expected);
      });
      await fc.assert(property, { numRuns: 40, seed: 1 });
      expect(changed).toBeGreaterThan(3);
      await fc.assert(property, { numRuns: RUNS });
    },
  );

  it('suggests a correction in the error of an invalid expression', async () => {
    const queries = createQueries([], { people: [], timeZone: 'UTC', now: 0 });
    const where = 'properties["plan"] = "pro"';
    const help = check(where).diagnostics[0]?.help as string;
    const dates = { from: '2025-06-01', to: '2025-06-01' };
    const request = { event: 'a', dates, type: 'general', unit: 'day', where, limit: 1 } as const;
    await expect(queries.segmentation(request)).rejects.toThrow(help);
  });
});

function createMemoryQueries({ versions, timeZone, now }: World): MemoryQueries {
  const people = versions.flatMap((version) => version.people);
  return createQueries(occurrencesOf(versions), { people, timeZone, now });
}

function createQueries(events: readonly MemoryEvent[], rest: Pick<MemoryContext, 'people' | 'timeZone' | 'now'>) {
  const countProperties = (event: string | undefined) => countRecordProperties(events, event);
  return new MemoryQueries({ table: createRecordTable(events), countProperties, ...rest });
}

/** The result of a query, or the kind of its error. */
type Outcome = { readonly answer: unknown } | { readonly failure: QueryError['kind'] };

async function runQuery(queries: Queries, query: QueryName, request: never): Promise<Outcome> {
  try {
    return { answer: JSON.parse(JSON.stringify(await queries[query](request))) };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { failure: error.kind };
  }
}
