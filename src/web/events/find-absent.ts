import { type AbsentName, describeAbsent, MAX_COUNTED, type NameCounts } from '../../data/name-census.ts';
import { listKeys, listStrings, type Named, type NamedProperty, Occurrences } from '../../data/occurrences.ts';
import type { Value } from '../../lang/value.ts';
import type { PropertyColumn } from './property-column.ts';
import type { RecordColumns } from './record-columns.ts';

/** Finds properties and values that expressions name and no record has. */
export function findAbsent(columns: RecordColumns, named: Named): AbsentName[] {
  const missing = new Set(listKeys(named));
  const occurrences = new Occurrences(named);
  for (const { scope, name } of named.properties) {
    const column = scope === 'properties' ? columns.properties.get(name) : undefined;
    for (const value of column === undefined ? [] : listValues(column)) {
      occurrences.add({ event: undefined, properties: { [name]: value }, user: undefined });
    }
  }
  for (const user of columns.profiles.values()) occurrences.add({ event: undefined, properties: {}, user });
  for (const key of occurrences.take()) missing.delete(key);
  if (missing.size === 0 || columns.length === 0) return [];
  return [
    ...describeAbsent(named, (key) => missing.has(key), countNames(columns, named), { scope: '', isWhole: true }),
  ];
}

/** Lists the values of a property, each string once, and undefined because records have the property. */
function* listValues({ values: { numbers = new Float64Array(), dictionary } }: PropertyColumn): Generator<Value> {
  yield* dictionary;
  for (let at = 0; at < numbers.length; at++) if (!Number.isNaN(numbers[at])) yield numbers[at];
}

function countNames(columns: RecordColumns, named: Named): NameCounts {
  const compared = named.properties.filter(({ values, types }) => values.length > 0 || types.length > 0);
  return {
    records: columns.length,
    events: limit(columns.countEvents()),
    properties: limit(columns.countNames('properties')),
    user: limit(columns.countNames('user')),
    values: new Map(compared.map((property) => [property, countStrings(columns, property)])),
  };
}

/** Counts the records with each string of a property. */
function countStrings({ properties, profiles }: RecordColumns, { scope, name }: NamedProperty): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (value: unknown, count: number) => {
    for (const text of new Set(listStrings(value))) {
      const known = counts.get(text) ?? 0;
      if (known > 0 || counts.size < MAX_COUNTED) counts.set(text, known + count);
    }
  };
  if (scope === 'user') for (const profile of profiles.values()) add(Object.hasOwn(profile, name) && profile[name], 1);
  const column = scope === 'properties' ? properties.get(name) : undefined;
  if (column === undefined) return counts;
  const { codes } = column.countValues();
  for (const [code, value] of column.values.dictionary.entries()) add(value, codes[code] as number);
  return counts;
}

function limit(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return counts.size <= MAX_COUNTED ? counts : new Map([...counts].slice(0, MAX_COUNTED));
}
