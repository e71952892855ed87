import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { walk } from '../../../../src/lang/ast.ts';
import { OPERATORS } from '../../../../src/lang/operators/table.ts';
import { MAX_SECONDS } from '../../../../src/lang/operators/time.ts';
import { parse, tryParse } from '../../../../src/lang/syntax/parse.ts';
import { print } from '../../../../src/lang/syntax/print.ts';
import type { Properties, Scalar } from '../../../../src/lang/value.ts';
import { anyValue, expressions, records, TRICKY_VALUES, timeZones } from '../../../arbitraries.ts';
import type { Input } from '../../../engines.ts';
import { readCorpus } from '../../../fuzz/corpus.ts';
import { drawSample, splitRuns } from '../../../runs.ts';
import { VECTOR_FILES, type Vector, vectorsIn } from '../../../vectors.ts';
import type { Database } from './database.ts';
import { LAYOUTS, toStored } from './layouts.ts';
import { expectAgreement, SqlComparison } from './sql-comparison.ts';

/** The number of random tables per layout, and of records and random expressions per table. */
const TABLES = Number(process.env.ONWHERE_RUNS ?? 2);
const RECORDS = 40;
const EXPRESSIONS = 20;

/**
 * Vectors share a table, and each expression is evaluated on all of its records: the maximum number of results per
 * table, and the number of expressions per statement.
 */
const MAX_RESULTS = 400;
const BATCH_SIZE = 5;

/** An expression for every strict operator, with properties as operands. */
const STRICT = OPERATORS.filter((row) => 'overloads' in row).map(({ fixity, name }) =>
  fixity === 'infix' ? `properties["left"] ${name} properties["right"]` : `${name}(properties["left"])`,
);

/** Numbers that a column of doubles can hold but the language does not have, and other values of `x`. */
const RAW_SCALARS = [Infinity, -Infinity, Number.NaN, -0, 0, 1, 2, -1, true, false, null, 'a', undefined];

const RAW_EXPRESSIONS = [
  ...['>', '>=', '<', '<=', '==', '!='].flatMap((operator) => [
    `properties["x"] ${operator} 1`,
    `not (properties["x"] ${operator} 1)`,
    `properties["x"] ${operator} properties["y"]`,
  ]),
  ...['properties["x"]', 'properties["x"] + 1', 'defined(properties["x"])', 'properties["x"] == properties["missing"]'],
  ...['[false, 1]', '[true, "a"]', '[0, 1]', '[false]'].map((list) => `properties["x"] in ${list}`),
];

/**
 * Characters below U+0100, and others that are often special. Drivers drop a leading U+FEFF, so `a` comes before it.
 */
const CHARACTERS = [
  ...Array.from({ length: 0x100 }, (_, code) => String.fromCodePoint(code)),
  ...['\u2028', 'a\ufeff', '\uffff', '\u{10ffff}'],
];

/** All powers of two and of ten in the range of doubles. */
const POWERS = [
  ...Array.from({ length: 2098 }, (_, index) => 2 ** (index - 1074)),
  ...Array.from({ length: 632 }, (_, index) => Number(`1e${index - 323}`)),
];

export type LayoutName = keyof typeof LAYOUTS;

/**
 * Tests a database in each layout that it supports, with every vector and with random expressions and records.
 *
 * @param step Takes each `step`th vector of a file, and fewer other values, for another set-up of a database that takes
 *   all of them.
 */
export function describeCorpus(
  name: string,
  open: () => Promise<Database>,
  layouts: readonly LayoutName[],
  step = 1,
): void {
  describe(name, () => {
    let database: Database;

    beforeAll(async () => {
      database = await open();
    });

    afterAll(() => database?.close());

    describe.each(layouts)('with records as %s', (layout) => {
      const compare = async (
        sources: readonly string[],
        inputs: readonly Input[],
        ...uses: Parameters<SqlComparison['compare']>[1][]
      ): Promise<SqlComparison> => {
        const { keep, create } = LAYOUTS[layout];
        const storedInputs = inputs.map((input) => toStored(keep(input), database.holdsNul));
        expect(storedInputs.map(({ user }) => user === undefined)).toEqual(
          inputs.map(({ user }) => user === undefined),
        );
        const comparison = new SqlComparison(database, await create(database, 'records', storedInputs), storedInputs);
        for (const group of splitIntoGroups(sources, database.hasLongSql ? 2 : BATCH_SIZE))
          await comparison.compare(group, ...uses);
        return comparison;
      };

      // Other layouts find a property differently, but read its value like a JSON column.
      const isOwnReading = layout === 'json' || layout === 'columns';

      /** Returns all values or, where they are read as in another layout or set-up, a tenth of them. */
      const takeSome = <Value>(values: readonly Value[], isLong = false): readonly Value[] => {
        if (isOwnReading && step === 1 && !isLong) return values;
        const length = Math.ceil(values.length / 10);
        return drawSample(fc.shuffledSubarray([...values], { minLength: length, maxLength: length }), 1)[0] ?? [];
      };

      it.each(isOwnReading ? VECTOR_FILES : ['own-properties.ndjson'])(
        'agrees with the interpreter on %s',
        async (file) => {
          let compared = 0;
          const zones = new Set<string>();
          const parsed = vectorsIn(file).filter(({ expr }) => tryParse(expr).tree !== undefined);
          // JSON properties of any name are read alike, so vectors can share names. Columns are typed.
          const named =
            layout === 'columns' || file === 'own-properties.ndjson' ? parsed : parsed.map(renameProperties);
          // Each layout gets one quarter of the random vectors. New random expressions follow below.
          const quarter = layout === 'columns' ? 1 : 0;
          const own = file === 'random.ndjson' ? named.filter((_, index) => index % 4 === quarter) : named;
          const vectors = own.filter((_, index) => index % step === 0);
          // Each layout gets one half of the time zones, whose queries differ in nothing else.
          const queries = groupByQuery(vectors).filter(
            (_, index) => file !== 'datetime-zones.ndjson' || index % 2 === quarter,
          );
          for (const group of queries.flatMap(groupByTable)) {
            const inputs = group.map(({ props, user, now, timeZone }) => ({ properties: props, user, now, timeZone }));
            // Segments and numbers derive from the value in the same way for all vectors. Other tests cover them.
            const comparison = await compare([...new Set(group.map(({ expr }) => expr))], inputs, ['value']);
            compared += comparison.compared;
            zones.add(comparison.timeZone);
          }
          expect(compared).toBeGreaterThan(0);
          expect(zones).toEqual(new Set(queries.flat().map(({ timeZone = 'UTC' }) => timeZone)));
        },
      );

      it('agrees on every strict operator with edge cases as operands', async () => {
        const rights = drawSample(anyValue, TRICKY_VALUES.length);
        const inputs = TRICKY_VALUES.flatMap((left, index) => [
          { properties: { left, right: rights[index] } },
          { properties: { left, right: TRICKY_VALUES[index + 1] } },
        ]);
        expect((await compare(STRICT, inputs)).compared).toBeGreaterThan(0);
      });

      it('agrees on numbers that are not finite, and on booleans in lists', async () => {
        const inputs = RAW_SCALARS.map((x) => ({ properties: { x, y: 1 } }));
        expect((await compare(RAW_EXPRESSIONS, inputs)).compared).toBeGreaterThan(0);
      });

      it('agrees on `==`, `in` and `on` of single characters', async () => {
        const characters = takeSome(database.holdsNul ? CHARACTERS : CHARACTERS.slice(1));
        const equalities = splitIntoGroups(characters, 20).map(joinEqualities);
        const { compared } = await compare([...equalities, ...createSearches(characters)], createInputs(characters));
        expect(compared).toBeGreaterThan(0);
      });

      it.skipIf(layout === 'strings')('agrees on `==`, `in` and `on` of powers of two and ten', async () => {
        const powers = takeSome(POWERS, database.hasLongSql);
        expect((await compare(createSearches(powers), createInputs(powers))).compared).toBeGreaterThan(0);
      });

      it('agrees on all former differences', async () => {
        for (const cases of groupBy(
          readCorpus(),
          ({ records: [first] }) => `${first?.now} ${first?.timeZone}`,
        ).values()) {
          const inputs = cases.flatMap((example) => example.records);
          const sources = cases.map(({ expression }) => expression);
          const { compared } = await compare(sources, inputs);
          expect(compared).toBeGreaterThanOrEqual(sources.length * inputs.length);
        }
      });

      const count = step === 1 ? EXPRESSIONS : EXPRESSIONS / 5;
      it(`agrees on ${TABLES * count} random expressions over ${RECORDS} records each`, async () => {
        const trees = fc.array(expressions(4), { minLength: count, maxLength: count });
        const inputs = fc.array(records, { minLength: RECORDS, maxLength: RECORDS });
        let compared = 0;
        const ask = fc.asyncProperty(trees, inputs, timeZones, async (sample, table, timeZone) => {
          // A query has only one time and one time zone.
          const now = Math.min(table[0]?.now ?? 0, MAX_SECONDS);
          const comparison = await compare(
            sample.map((tree) => print(tree)),
            table.map((input) => ({ ...input, now, timeZone })),
          );
          expect(comparison.timeZone).toBe(timeZone);
          compared += comparison.compared;
        });
        const { seeded, fresh } = splitRuns(TABLES);
        await expectAgreement(ask, seeded);
        expect(compared).toBeGreaterThan(seeded.numRuns * count * RECORDS);
        await expectAgreement(ask, fresh);
        if (process.env.ONWHERE_RUNS !== undefined) console.log({ database: name, layout, compared });
      }, 3_600_000);
    });
  });
}

/** Creates a record for each value, with the same value and a list of it in other properties. */
function createInputs(values: readonly Scalar[]): Input[] {
  return values.map((left) => ({ properties: { left, same: left, right: [left] } }));
}

/** Creates expressions for segments of a value and of its list, and for `in` with the list and with literals. */
function createSearches(values: readonly Scalar[]): string[] {
  const literals = values.map((value) => JSON.stringify(value)).join(', ');
  const lists = ['properties["right"]', `[${literals}]`].map((list) => `properties["left"] in ${list}`);
  return ['properties["left"]', 'properties["right"]', 'properties["left"] == properties["same"]', ...lists];
}

/** Joins equalities to one expression, whose result is wrong if one of them is wrong. */
function joinEqualities(values: readonly Scalar[]): string {
  return values.map((value) => `(properties["left"] == ${JSON.stringify(value)})`).join(' == ');
}

/**
 * Renames the properties of a vector to `p0`, `p1` and so on, so that many vectors share an expression and a statement.
 */
function renameProperties(vector: Vector): Vector {
  const read = [...walk(parse(vector.expr))].filter((node) => node.kind === 'property');
  const names = [...new Set(read.map(({ name }) => name))];
  const rename = (part: Properties): Properties =>
    Object.fromEntries(names.flatMap((name, index) => (Object.hasOwn(part, name) ? [[`p${index}`, part[name]]] : [])));
  const expr = read
    .toSorted((left, right) => right.span.start - left.span.start)
    .reduce(
      (text, { scope, name, span }) =>
        `${text.slice(0, span.start)}${scope}["p${names.indexOf(name)}"]${text.slice(span.end)}`,
      vector.expr,
    );
  return { ...vector, expr, props: rename(vector.props), user: vector.user && rename(vector.user) };
}

/** Groups vectors by table: many vectors of one expression, or a few vectors of many expressions. */
function groupByTable(vectors: readonly Vector[]): Vector[][] {
  const tables: Vector[][] = [];
  let expressions = new Set<string>();
  for (const vector of vectors) {
    const table = tables.at(-1);
    expressions.add(vector.expr);
    if (table !== undefined && expressions.size * (table.length + 1) <= MAX_RESULTS) {
      table.push(vector);
    } else {
      tables.push([vector]);
      expressions = new Set([vector.expr]);
    }
  }
  return tables;
}

/** Groups vectors by time and time zone, of which a query has one. Vectors with the same expression stay together. */
function groupByQuery(vectors: readonly Vector[]): Vector[][] {
  const sorted = vectors.toSorted((left, right) => (left.expr < right.expr ? -1 : 1));
  return [...groupBy(sorted, ({ now, timeZone }) => `${now} ${timeZone}`).values()];
}

function groupBy<Item, Key>(items: readonly Item[], getKey: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(getKey(item), [...(groups.get(getKey(item)) ?? []), item]);
  return groups;
}

function splitIntoGroups<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
