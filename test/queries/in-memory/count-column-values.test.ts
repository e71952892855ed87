import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createBatchFromRecords } from '../../../src/api/index.ts';
import type { BatchColumn } from '../../../src/lang/plan/batch-column.ts';
import { readValue } from '../../../src/lang/value.ts';
import { countColumnValues } from '../../../src/queries/in-memory/count-column-values.ts';
import { anyValue } from '../../arbitraries.ts';
import { runs } from '../../runs.ts';

function countValues(values: readonly unknown[]) {
  const batch = createBatchFromRecords(
    values.map((a) => ({ properties: { a } })),
    [{ scope: 'properties', name: 'a' }],
  );
  return countColumnValues(batch.properties.get('a') as BatchColumn, values.length, 1000);
}

it('counts values by type', () => {
  expect(countValues([1, '1', ['1', '1', true], null, 1, undefined])).toEqual([
    { name: '1', type: 'number', count: 2 },
    { name: '1', type: 'list', count: 1 },
    { name: '1', type: 'string', count: 1 },
    { name: 'null', type: 'null', count: 1 },
    { name: 'true', type: 'list', count: 1 },
  ]);
});

it('counts every value that is defined and no list once', () => {
  fc.assert(
    fc.property(fc.array(anyValue), (drawn) => {
      const total = countValues(drawn).reduce((sum, { type, count }) => sum + (type === 'list' ? 0 : count), 0);
      const defined = drawn.map(readValue).filter((value) => value !== undefined && !Array.isArray(value));
      expect(total).toBe(defined.length);
    }),
    { numRuns: runs(500) },
  );
});
