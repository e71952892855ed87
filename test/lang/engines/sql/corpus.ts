import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { walk } from '../../../../src/lang/ast.ts';
import { OPERATORS } from '../../../../src/lang/operators/table.ts';
import { MAX_SECONDS } from '../../../../src/lang/operators/time.ts';
import { parse, tryParse } from '../../../../src/lang/syntax/parse.ts';
import { print } from '../../../../src/lang/syntax/print.ts';
import type { Properties, Scalar } from '../../../../src/lang/value.ts';
import { anyValue, expressions, records, TRICKY_VALUES } from '../../../arbitraries.ts';
import type { Input } from '../../../engines.ts';
import { readCorpus } from '../../../fuzz/corpus.ts';
import { VECTOR_FILES, type Vector, vectorsIn } from '../../../vectors.ts';
import { Answers } from './answers.ts';
import type { Database } from './database.ts';
import { LAYOUTS, stored } from './layouts.ts';

/** Random tables of records to make of each layout, the records of each, and the random expressions to ask of it. */
const TABLES = Number(process.env.ONWHERE_RUNS ?? 2);
const RECORDS = 60;
const EXPRESSIONS = 25;

/** The most answers that vectors sharing a table ask of it, as each is asked of all their records; the expressions of a statement. */
const SHARING = 400;
const TOGETHER = 5;

/** Every strict operator, on properties. */
const STRICT = OPERATORS.filter((row) => 'overloads' in row).map(({ fixity, name }) =>
  fixity === 'infix' ? `properties["left"] ${name} properties["right"]` : `${name}(properties["left"])`,
);

/** Those below U+0100, and those that tend to have a meaning of their own. Drivers drop a U+FEFF that a string begins with. */
const CHARACTERS = [
  ...Array.from({ length: 0x100 }, (_, code) => String.fromCodePoint(code)),
  ...['\u2028', 'a\ufeff', '\uffff', '\u{10ffff}'],
];

/** Every power of two and of ten that a double can be. */
const POWERS = [
  ...Array.from({ length: 2098 }, (_, index) => 2 ** (index - 1074)),
  ...Array.from({ length: 632 }, (_, index) => Number(`1e${index - 323}`)),
];

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
      const answersFor = async (
        sources: readonly string[],
        inputs: readonly Input[],
        ...uses: Parameters<Answers['compare']>[1][]
      ): Promise<number> => {
        const { kept: keep, create } = LAYOUTS[layout];
        const kept = inputs.map((input) => stored(keep(input), database.holdsNul));
        const answers = new Answers(database, await create(database, 'records', kept), kept);
        for (const group of groupsOf(sources, TOGETHER)) await answers.compare(group, ...uses);
        return answers.agreed;
      };

      // What the others hold is read like a column of JSON, but for how it is found.
      it.each(layout === 'json' || layout === 'columns' ? VECTOR_FILES : ['own-properties.ndjson'])(
        'answers %s',
        async (file) => {
          let answers = 0;
          const parsed = vectorsIn(file).filter(({ expr }) => tryParse(expr).tree !== undefined);
          // In JSON, a property is read alike whatever its name; a column is typed.
          const named = layout === 'columns' || file === 'own-properties.ndjson' ? parsed : parsed.map(withoutNames);
          // Of those drawn at random, each layout gets a quarter of its own, as it is asked about others drawn anew, below.
          const quarter = layout === 'columns' ? 1 : 0;
          const vectors = file === 'random.ndjson' ? named.filter((_, index) => index % 4 === quarter) : named;
          for (const group of byTime(vectors).flatMap(sharingTables)) {
            const inputs = group.map(({ props, user, now }) => ({ properties: props, user, now }));
            // Segments and numbers are made of a value, in the same way for all: other tests ask for them.
            answers += await answersFor([...new Set(group.map(({ expr }) => expr))], inputs, ['value']);
          }
          expect(answers).toBeGreaterThan(0);
        },
      );

      it('answers every strict operator on values that are easy to get wrong', async () => {
        const rights = fc.sample(anyValue, TRICKY_VALUES.length);
        const inputs = TRICKY_VALUES.flatMap((left, index) => [
          { properties: { left, right: rights[index] } },
          { properties: { left, right: TRICKY_VALUES[index + 1] } },
        ]);
        expect(await answersFor(STRICT, inputs)).toBeGreaterThan(0);
      });

      it('answers `==`, `in` and `on` of characters, one by one', async () => {
        const characters = database.holdsNul ? CHARACTERS : CHARACTERS.slice(1);
        const equalities = groupsOf(characters, 20).map(equalitiesWith);
        const answers = await answersFor([...equalities, ...searchesFor(characters)], besideThemselves(characters));
        expect(answers).toBeGreaterThan(0);
      });

      it.skipIf(layout === 'texts')('answers `==`, `in` and `on` of every power of two and ten', async () => {
        expect(await answersFor(searchesFor(POWERS), besideThemselves(POWERS))).toBeGreaterThan(0);
      });

      it('answers what was once answered wrongly', async () => {
        for (const cases of groupedBy(readCorpus(), ({ records: [first] }) => first?.now).values()) {
          const inputs = cases.flatMap((example) => example.records);
          const sources = cases.map(({ expression }) => expression);
          expect(await answersFor(sources, inputs)).toBeGreaterThanOrEqual(sources.length * inputs.length);
        }
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

/** Each value, beside the same and a list of it alone. */
function besideThemselves(values: readonly Scalar[]): Input[] {
  return values.map((left) => ({ properties: { left, same: left, right: [left] } }));
}

/** The segment of a value and those of its list, whether the list has it, and whether it is one of those written. */
function searchesFor(values: readonly Scalar[]): string[] {
  const written = values.map((value) => JSON.stringify(value)).join(', ');
  const lists = ['properties["right"]', `[${written}]`].map((list) => `properties["left"] in ${list}`);
  return ['properties["left"]', 'properties["right"]', 'properties["left"] == properties["same"]', ...lists];
}

/** One expression that is wrong wherever one of the equalities is. */
function equalitiesWith(values: readonly Scalar[]): string {
  return values.map((value) => `(properties["left"] == ${JSON.stringify(value)})`).join(' == ');
}

/** A vector with its properties renamed by their place, as it then shares its expression, and its statements, with many. */
function withoutNames(vector: Vector): Vector {
  const read = [...walk(parse(vector.expr))].filter((node) => node.kind === 'property');
  const names = [...new Set(read.map(({ name }) => name))];
  const renamed = (part: Properties): Properties =>
    Object.fromEntries(names.flatMap((name, index) => (Object.hasOwn(part, name) ? [[`p${index}`, part[name]]] : [])));
  const expr = read
    .toSorted((left, right) => right.span.start - left.span.start)
    .reduce(
      (text, { scope, name, span }) =>
        `${text.slice(0, span.start)}${scope}["p${names.indexOf(name)}"]${text.slice(span.end)}`,
      vector.expr,
    );
  return { ...vector, expr, props: renamed(vector.props), user: vector.user && renamed(vector.user) };
}

/** Vectors that share a table: many of one expression, or a few of many. */
function sharingTables(vectors: readonly Vector[]): Vector[][] {
  const tables: Vector[][] = [];
  let expressions = new Set<string>();
  for (const vector of vectors) {
    const table = tables.at(-1);
    expressions.add(vector.expr);
    if (table !== undefined && expressions.size * (table.length + 1) <= SHARING) {
      table.push(vector);
    } else {
      tables.push([vector]);
      expressions = new Set([vector.expr]);
    }
  }
  return tables;
}

/** Vectors by their time, which a query has only one of; those of one expression beside each other. */
function byTime(vectors: readonly Vector[]): Vector[][] {
  const sorted = vectors.toSorted((left, right) => (left.expr < right.expr ? -1 : 1));
  return [...groupedBy(sorted, ({ now }) => now).values()];
}

function groupedBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function groupsOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
