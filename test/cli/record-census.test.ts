import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CensusCollector } from '../../src/cli/workers/census-collector.ts';
import { type CensusLimits, MAX_VALUE_LENGTH } from '../../src/cli/workers/census-limits.ts';
import { RecordCensus } from '../../src/cli/workers/record-census.ts';
import { type EventRecord, toEventRecord } from '../../src/data/event-record.ts';
import { getTypeName, readProperty, showValue, type Value } from '../../src/lang/value.ts';
import { runs } from '../runs.ts';

const name = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...'abcdefghij') },
  { weight: 1, arbitrary: fc.constantFrom('longer name', 'longest name', '__proto__', '7') },
);
const value = fc.oneof(
  { weight: 9, arbitrary: fc.nat({ max: 12 }) },
  { weight: 2, arbitrary: fc.constantFrom('1', true, null, [1, 'x'], { x: 1 }) },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(MAX_VALUE_LENGTH - 2), 'x'.repeat(MAX_VALUE_LENGTH - 1)) },
  { weight: 1, arbitrary: fc.constant(Array.from({ length: MAX_VALUE_LENGTH + 1 }, () => 1)) },
);
const user = fc.oneof(fc.nat({ max: 4 }), fc.constantFrom('u'.repeat(63), 'u'.repeat(64), 'v'.repeat(100), undefined));
const records = fc.array(
  fc
    .record({
      event: fc.option(name, { nil: undefined }),
      user,
      time: fc.option(fc.nat({ max: 100 }), { nil: undefined }),
      entries: fc.array(fc.tuple(name, value), { maxLength: 8 }),
    })
    .map(({ event, user: distinct_id, time, entries }) => {
      const json = {
        event,
        properties: Object.fromEntries([['distinct_id', distinct_id], ['time', time], ...entries]),
      };
      return toEventRecord(JSON.parse(JSON.stringify(json)), () => '', 1) as EventRecord;
    }),
  { maxLength: 40 },
);
const limits: fc.Arbitrary<CensusLimits> = fc.record({
  users: fc.nat({ max: 6 }),
  names: fc.nat({ max: 12 }),
  nameLength: fc.constantFrom(10, 11, 100),
  values: fc.nat({ max: 12 }),
  valueBytes: fc.nat({ max: 4000 }),
});
/** The sizes of the parts, and how many names a part has statistics of. */
const division = fc.record({
  sizes: fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1 }),
  names: fc.nat({ max: 14 }),
});

describe('a census of records', () => {
  it('is the same for all divisions into parts, and holds no more than its limits', () => {
    fc.assert(
      fc.property(records, limits, division, fc.boolean(), (all, most, { sizes, names }, countsValues) => {
        const census = new RecordCensus(countsValues, most);
        const collector = new CensusCollector(countsValues, { ...most, names });
        for (const part of divide(all, sizes)) {
          for (const record of part) collector.add(record);
          const taken = collector.take();
          expect(taken.properties.size).toBeLessThanOrEqual(names);
          // Workers send their parts.
          census.merge(structuredClone(taken));
          expectBounded(census, most);
        }
        const expected = describeAll(all, most);
        expect(report(census)).toEqual(countsValues ? expected : dropValues(expected, most));
      }),
      { numRuns: runs(3000) },
    );
  });

  it('has short examples of strings that are long and narrow', () => {
    const census = new RecordCensus(true);
    const collector = new CensusCollector(true);
    const marks = '\u0301'.repeat(100_000);
    collector.add(toEventRecord({ properties: { mark: marks, list: [marks] } }, () => '', 1) as EventRecord);
    census.merge(collector.take());
    const examples = [...census.properties.values()].flatMap((property) => [...property.examples]);
    expect(examples.map((example) => example.length)).toEqual([200, 200]);
  });
});

function divide<Item>(items: readonly Item[], sizes: readonly number[]): Item[][] {
  const parts: Item[][] = [];
  for (let at = 0, index = 0; at < items.length; index++) {
    const size = sizes[index % sizes.length] as number;
    parts.push(items.slice(at, at + size));
    at += size;
  }
  return parts;
}

function expectBounded(census: RecordCensus, most: CensusLimits): void {
  const { users, events, properties } = census;
  expect(users.size).toBeLessThanOrEqual(most.users);
  for (const id of users) expect(id.length).toBeLessThanOrEqual(64);
  for (const kept of [events, properties]) {
    expect(kept.size).toBeLessThanOrEqual(most.names);
    for (const each of kept.keys()) expect(each.length).toBeLessThanOrEqual(most.nameLength);
  }
  const values = [...properties.values()].flatMap(({ counts }) => {
    expect(counts?.size ?? 0).toBeLessThanOrEqual(most.values);
    return [...(counts?.keys() ?? [])];
  });
  expect(values.reduce((sum, json) => sum + 50 + json.length, 0)).toBeLessThanOrEqual(most.valueBytes);
}

/** Returns what a census says, with the order of its names and values. */
function report({ period, events, users, properties, limited, maxValues }: RecordCensus) {
  return {
    period,
    events: [...events],
    users: users.size,
    properties: [...properties].map(([property, { count, types, examples, counts, hasLong }]) => {
      return { property, count, types: [...types], examples: [...examples], counts: counts && [...counts], hasLong };
    }),
    limited: [...limited].sort(),
    maxValues,
  };
}

/** Returns the report on all records at once. */
function describeAll(all: readonly EventRecord[], most: CensusLimits): ReturnType<typeof report> {
  const users = new Set(all.flatMap(({ distinctId }) => distinctId ?? []));
  const events = new Set(all.flatMap(({ event }) => event ?? []));
  const properties = new Set(all.flatMap((record) => Object.keys(record.properties)));
  const keep = (names: ReadonlySet<string>) => {
    return [...names].filter(({ length }) => length <= most.nameLength).slice(0, most.names);
  };
  const [keptEvents, kept] = [keep(events), keep(properties)];
  const valuesOf = new Map(kept.map((property) => [property, listValues(all, property)]));
  const counted = new Map([...valuesOf].map(([property, values]) => [property, countAll(values.flatMap(toShortJson))]));
  const measureAt = (limit: number) => {
    const sizes = [...counted.values()].map((counts) => {
      const longest = Math.max(0, ...[...counts.keys()].map(({ length }) => length));
      return Math.min(counts.size, limit + 1) * (50 + longest);
    });
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  let maxValues = most.values;
  while (maxValues > 0 && measureAt(maxValues) > most.valueBytes) maxValues = Math.floor(maxValues / 2);
  return {
    period: toPeriod(all),
    events: keptEvents.map((each) => [each, toPeriod(all.filter(({ event }) => event === each))]),
    users: Math.min(users.size, most.users),
    properties: [...valuesOf].map(([property, values]) => {
      const counts = counted.get(property) ?? new Map();
      return {
        property,
        count: values.length,
        types: [...countAll(values.map(getTypeName))],
        examples: [...new Set(values.filter((each) => each !== undefined).map(toExample))].slice(0, 3),
        counts: counts.size > maxValues ? undefined : [...counts],
        hasLong: values.some((each) => each !== undefined && toShortJson(each).length === 0),
      };
    }),
    limited: [
      ...(keptEvents.length < events.size ? (['events'] as const) : []),
      ...(kept.length < properties.size ? (['properties'] as const) : []),
      ...(users.size > most.users ? (['users'] as const) : []),
      ...(maxValues < most.values ? (['values'] as const) : []),
    ],
    maxValues,
  };
}

/** Returns the report of a census that does not count values. */
function dropValues({ properties, limited, ...rest }: ReturnType<typeof report>, { values }: CensusLimits) {
  return {
    ...rest,
    properties: properties.map((property) => ({ ...property, counts: undefined, hasLong: false })),
    limited: limited.filter((kind) => kind !== 'values'),
    maxValues: values,
  };
}

function listValues(all: readonly EventRecord[], property: string): Value[] {
  return all.flatMap(({ properties }) => {
    return Object.hasOwn(properties, property) ? [readProperty(properties, property)] : [];
  });
}

/** Returns the JSON of a value that is counted; nothing for others. */
function toShortJson(each: Value): string[] {
  const json = each === undefined ? undefined : JSON.stringify(each);
  return json === undefined || json.length > MAX_VALUE_LENGTH ? [] : [json];
}

/** All characters of these values have one column. */
function toExample(each: Value): string {
  const shown = showValue(each);
  return shown.length > 24 ? `${shown.slice(0, 23)}…` : shown;
}

function countAll<Item>(items: readonly Item[]): Map<Item, number> {
  const counts = new Map<Item, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function toPeriod(some: readonly EventRecord[]) {
  const times = some.flatMap(({ time }) => time ?? []);
  const isTimed = times.length > 0;
  return {
    count: some.length,
    first: isTimed ? Math.min(...times) : undefined,
    last: isTimed ? Math.max(...times) : undefined,
  };
}
