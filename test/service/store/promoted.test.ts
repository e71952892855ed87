import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  choosePromoted,
  getPromotedColumns,
  MAX_COLUMNS,
  type TypeCounts,
} from '../../../src/service/store/promoted.ts';

const RECORDS = 1_000;

const counts = fc.dictionary(fc.constantFrom('number', 'string', 'boolean', 'null', 'list'), fc.nat({ max: 300 }), {
  noNullPrototype: true,
}) as fc.Arbitrary<TypeCounts>;

const census = fc
  .uniqueArray(fc.tuple(fc.string({ maxLength: 4 }), counts), { selector: ([name]) => name, maxLength: 200 })
  .map((entries) => new Map(entries));

function countValues(types: TypeCounts | undefined): number {
  return Object.values(types ?? {}).reduce((sum, count) => sum + count, 0);
}

describe('the properties to promote', () => {
  it('fit into the columns of a table and are the most frequent', () => {
    fc.assert(
      fc.property(census, (found) => {
        const chosen = choosePromoted(found, RECORDS);
        const columns = chosen.flatMap((name) => Object.keys(found.get(name) ?? {}));
        expect(columns.length).toBeLessThanOrEqual(MAX_COLUMNS);
        const min = Math.min(...chosen.map((name) => countValues(found.get(name))));
        const left = [...found].filter(([name]) => !chosen.includes(name));
        for (const [name, types] of left) {
          if (!name.includes('\0')) expect(countValues(types)).toBeLessThanOrEqual(Math.max(min, RECORDS / 100));
        }
      }),
    );
  });

  it('use all columns', () => {
    const found = (columns: number) =>
      new Map(Array.from({ length: columns }, (_, index): [string, TypeCounts] => [`${index}`, { string: RECORDS }]));
    for (const columns of [MAX_COLUMNS - 1, MAX_COLUMNS, MAX_COLUMNS + 1]) {
      expect(choosePromoted(found(columns), RECORDS)).toHaveLength(Math.min(columns, MAX_COLUMNS));
    }
  });

  it('are in at least 1 % of the records and have names that SQL can contain', () => {
    const found = new Map<string, TypeCounts>([
      ['often', { string: 10 }],
      ['seldom', { string: 9 }],
      ['by types', { string: 5, number: 5 }],
      ['never', {}],
      ['nul\0', { string: RECORDS }],
      ['x'.repeat(256), { string: RECORDS }],
      ['x'.repeat(255), { string: RECORDS }],
    ]);
    expect(choosePromoted(found, RECORDS)).toEqual(['x'.repeat(255), 'often', 'by types']);
  });

  it('have columns named by number, whatever their names', () => {
    const columns = getPromotedColumns([
      { name: '__proto__', number: 1, types: ['number', 'null'] },
      { name: 'a b', number: 2, types: [] },
    ]);
    expect(Object.entries(columns)).toEqual([
      ['__proto__', { number: 'p1_number', null: 'p1_null' }],
      ['a b', {}],
    ]);
  });
});
