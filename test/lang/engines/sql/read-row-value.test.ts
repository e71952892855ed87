import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeString, NO_LIST } from '../../../../src/lang/engines/sql/encode-element.ts';
import { readRowValue } from '../../../../src/lang/engines/sql/read-row-value.ts';
import { readValue, type Scalar, type Value } from '../../../../src/lang/value.ts';
import { anyValue } from '../../../arbitraries.ts';
import { runs } from '../../../runs.ts';

const getKey = (element: Scalar) => (typeof element === 'string' ? encodeString(element) : String(element));

/**
 * Creates the rows that databases return for a value. ClickHouse has 1 and 0 for booleans, and arrays are never NULL.
 */
function createRows(value: Value): Record<string, unknown>[] {
  const list = Array.isArray(value) ? value.map(getKey) : undefined;
  const getIfType = (type: string, held: unknown) => (typeof value === type ? held : null);
  const scalars = { number: getIfType('number', value), string: getIfType('string', value) };
  return [
    { ...scalars, boolean: getIfType('boolean', value), null: value === null, list: list ?? null },
    { ...scalars, boolean: getIfType('boolean', Number(value)), null: Number(value === null), list: list ?? [NO_LIST] },
    { json: value === undefined ? null : JSON.stringify(value) },
    ...(value === undefined ? [{}, { json: '' }] : []),
  ];
}

it('reads the value of a row in the form of each database', () => {
  fc.assert(
    fc.property(anyValue, (raw) => {
      const value = readValue(raw);
      for (const row of createRows(value)) expect(readRowValue(row)).toStrictEqual(value);
    }),
    { numRuns: runs(500) },
  );
});

it.each<[Record<string, unknown>, Value]>([
  [{ number: -0 }, 0],
  [{ json: '-0' }, 0],
  [{ number: null, list: [] }, []],
  [{ list: ['-0', '"0', 'null', '"null', 'true', '1e21'] }, [0, '0', null, 'null', true, 1e21]],
  [{ list: [NO_LIST] }, undefined],
])('reads the row %j as %j', (row, value) => {
  expect(readRowValue(row)).toStrictEqual(value);
});
