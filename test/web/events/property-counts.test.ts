import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EventRecord } from '../../../src/data/event-record.ts';
import { readValue } from '../../../src/lang/value.ts';
import { PropertyCounts, ValueCounts } from '../../../src/web/events/property-counts.ts';
import { anyValue } from '../../arbitraries.ts';
import { runs } from '../../runs.ts';

function record(properties: object): EventRecord {
  return { properties } as EventRecord;
}

it('counts names and values of properties by type', () => {
  const names = new PropertyCounts('properties');
  const values = new ValueCounts('properties', 'a');
  for (const properties of [{ a: 1 }, { a: '1' }, { a: ['1', '1', true] }, { a: null, b: 1 }, { a: 1 }, { b: {} }]) {
    names.add(record(properties));
    values.add(record(properties));
  }
  expect(names.list()).toEqual([
    { name: 'a', count: 5 },
    { name: 'b', count: 2 },
  ]);
  expect(values.list()).toEqual([
    { value: '1', type: 'number', count: 2 },
    { value: '1', type: 'string', count: 1 },
    { value: '1', type: 'list', count: 1 },
    { value: 'null', type: 'null', count: 1 },
    { value: 'true', type: 'list', count: 1 },
  ]);
});

it('counts every value that is defined and no list once', () => {
  fc.assert(
    fc.property(fc.array(anyValue), (drawn) => {
      const counts = new ValueCounts('properties', 'a');
      for (const value of drawn) counts.add(record({ a: value }));
      const total = counts.list().reduce((sum, { type, count }) => sum + (type === 'list' ? 0 : count), 0);
      const defined = drawn.map(readValue).filter((value) => value !== undefined && !Array.isArray(value));
      expect(total).toBe(defined.length);
    }),
    { numRuns: runs(500) },
  );
});
