import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_SECONDS } from '../../src/operators/time.ts';
import { tryParse } from '../../src/syntax/parse.ts';
import { print } from '../../src/syntax/print.ts';
import { expressions, records } from '../arbitraries.ts';
import type { Input } from '../engines.ts';
import { VECTOR_FILES, type Vector, vectorsIn } from '../vectors.ts';
import { compareAnswers } from './answers.ts';
import type { Database } from './database.ts';
import { LAYOUTS, stored } from './layouts.ts';

/** Random tables of records to make of each layout, the records of each, and the random expressions to ask of it. */
const TABLES = Number(process.env.ONWHERE_RUNS ?? 12);
const RECORDS = 60;
const EXPRESSIONS = 25;

/** How many vectors share a table: each is asked of all their records. */
const TOGETHER = 25;

export type LayoutName = keyof typeof LAYOUTS;

/** Asks every vector, and random expressions over random records, of a database in each layout that it knows. */
export function describeCorpus(name: string, open: () => Promise<Database>, layouts: readonly LayoutName[]): void {
  describe(name, () => {
    let database: Database;

    beforeAll(async () => {
      database = await open();
    });

    afterAll(() => database?.close());

    describe.each(layouts)('keeping records as %s', (layout) => {
      const answersFor = async (sources: readonly string[], inputs: readonly Input[]): Promise<number> => {
        const kept = inputs.map((input) => stored(input, database.holdsNul));
        const source = await LAYOUTS[layout].create(database, 'records', kept);
        let answers = 0;
        for (const text of sources) {
          const compared = await compareAnswers(text, database, source, kept);
          if (typeof compared === 'object') answers += compared.answers;
        }
        return answers;
      };

      it.each(VECTOR_FILES)('answers %s', async (file) => {
        let answers = 0;
        const vectors = vectorsIn(file).filter(({ expr }) => tryParse(expr).tree !== undefined);
        for (const group of groupsOf(vectors)) {
          const inputs = group.map(({ props, user, now }) => ({ properties: props, user, now }));
          answers += await answersFor([...new Set(group.map(({ expr }) => expr))], inputs);
        }
        expect(answers).toBeGreaterThan(0);
      });

      it(`answers ${TABLES * EXPRESSIONS} random expressions over ${RECORDS} records each`, async () => {
        const trees = fc.array(expressions(4), { minLength: EXPRESSIONS, maxLength: EXPRESSIONS });
        const inputs = fc.array(records, { minLength: RECORDS, maxLength: RECORDS });
        let answers = 0;
        const ask = fc.asyncProperty(trees, inputs, async (sample, table) => {
          // One time for all, as a query has it.
          const now = Math.min(table[0]?.now ?? 0, MAX_SECONDS);
          answers += await answersFor(
            sample.map((tree) => print(tree)),
            table.map((input) => ({ ...input, now })),
          );
        });
        // A difference says all there is to say of it, and to shrink it would ask the database again and again.
        const { errorInstance } = await fc.check(ask, { numRuns: TABLES, endOnFailure: true });
        if (errorInstance !== null) throw errorInstance;
        if (process.env.ONWHERE_RUNS !== undefined) console.log({ database: name, layout, answers });
        expect(answers).toBeGreaterThan(TABLES * EXPRESSIONS * RECORDS);
      }, 3_600_000);
    });
  });
}

/** Vectors of one time in groups that share a table. */
function groupsOf(vectors: readonly Vector[]): Vector[][] {
  const byTime = new Map<number | undefined, Vector[]>();
  for (const vector of vectors) byTime.set(vector.now, [...(byTime.get(vector.now) ?? []), vector]);
  return [...byTime.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / TOGETHER) }, (_, index) =>
      group.slice(index * TOGETHER, (index + 1) * TOGETHER),
    ),
  );
}
