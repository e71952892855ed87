import { expect, it } from 'vitest';
import { fromForm } from '../../../src/api/forms.ts';
import type { CountedValue, PropertyCatalog } from '../../../src/web/shared/property-catalog.ts';
import { findSegmentCondition } from '../../../src/web/shared/segment-condition.ts';

const VALUES: readonly CountedValue[] = [
  { value: 'pro', type: 'string', count: 9 },
  { value: '1.5', type: 'number', count: 8 },
  { value: 'true', type: 'boolean', count: 7 },
  { value: 'null', type: 'null', count: 6 },
  { value: 'red', type: 'list', count: 5 },
  { value: '2', type: 'number', count: 4 },
  { value: '2', type: 'string', count: 3 },
];

const catalog: PropertyCatalog = { getAllProperties: async () => [], getValues: async () => VALUES };

it.each([
  ['properties["a"]', 'pro', 'properties["a"] == "pro"', 'properties["a"] != "pro"'],
  ['user["a"]', '1.5', 'user["a"] == 1.5', 'user["a"] != 1.5'],
  ['event["a"]', 'true', 'properties["a"] == true', 'properties["a"] != true'],
  ['properties["a"]', 'null', 'not defined(properties["a"])', 'defined(properties["a"])'],
  ['properties["a"]', 'red', '"red" in properties["a"]', 'not "red" in properties["a"]'],
  ['properties["a"]', '2', undefined, undefined],
  ['properties["a"]', 'undefined', undefined, undefined],
  ['floor(properties["a"])', 'pro', undefined, undefined],
  ['properties[', 'pro', undefined, undefined],
  ['', 'pro', undefined, undefined],
])('filters by the segment of %s named %s', async (on, segment, selected, others) => {
  const write = async (excluded: boolean) => {
    const row = await findSegmentCondition(catalog, on, segment, excluded);
    return row && fromForm({ kind: 'group', join: 'and', negated: false, rows: [row] });
  };
  expect([await write(false), await write(true)]).toEqual([selected, others]);
});
