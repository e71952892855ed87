import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ClauseCounter } from '../../../src/data/clause-counts.ts';
import type { EventRecord } from '../../../src/data/event-record.ts';
import { createFieldReader } from '../../../src/data/field-mapping.ts';
import { describeAbsent, NameCensus } from '../../../src/data/name-census.ts';
import { listKeys, listNamed, Occurrences } from '../../../src/data/occurrences.ts';
import { parseRecord } from '../../../src/data/parse-records.ts';
import { inferSchema } from '../../../src/lang/check/infer-schema.ts';
import { EventStore } from '../../../src/web/events/event-store.ts';
import { runs } from '../../runs.ts';

/** Values as strange as files have them. */
const value = fc.constantFrom(
  ...['1', '1', '2.5', '-0', '"1"', '"pro"', '"pro"', '"Zoë"', '"\\ud800"', `"${'x'.repeat(70)}"`],
  ...['null', 'true', '[]', '["a",1,{}]', '{}', '{"a":1}'],
);

const NAMES = ['plan', 'amount', '$event', '__proto__', 'properties'];

const members = fc.dictionary(fc.constantFrom(...NAMES), value).map((found) => Object.entries(found));

const toJson = (found: readonly (readonly [string, string])[]) =>
  `{${found.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;

const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(members, fc.constantFrom('', '"event":"view",', '"event":"buy",'), fc.constantFrom('"ada"', '7', 'null'))
      .map(([own, event, user]) => `{${event}"properties":${toJson([...own, ['distinct_id', user], ['time', '1']])}}`),
  },
  members.map((own) => `{"$distinct_id":"ada","$properties":${toJson(own)}}`),
  members.map(toJson),
);

const files = fc.array(fc.array(line, { maxLength: 12 }), { maxLength: 4 });

const WHERES = [
  'properties["plan"] == "pro" and properties["amount"] > 1',
  'properties["plan"] == "por" or user["plan"] == "free" or properties["missing"] or properties["amount"]',
  'properties["$event"] == "view" and defined(properties["amount"])',
  'properties["amount"] == 2 and not (user["amount"] > 3 or "a" in properties["plan"])',
];

const addEvent = createFieldReader({ withEvent: true });

function readRecords(blocks: readonly (readonly string[])[]): EventRecord[][] {
  let at = 0;
  return blocks.map((texts) => texts.map((text) => parseRecord(text, ++at) as EventRecord));
}

/** Fills a store, which keeps the texts of every other block only. */
function createStore(blocks: readonly (readonly EventRecord[])[]): EventStore {
  const store = new EventStore();
  const restore = (text: string, at: number) => parseRecord(text, at) as EventRecord;
  for (const [index, records] of blocks.entries()) store.add(records, index % 2 === 0 ? restore : undefined);
  return store;
}

it('answers from columns what the records say', async () => {
  const found = { absent: 0, errors: 0, missing: 0 };
  await fc.assert(
    fc.asyncProperty(files, fc.constantFrom(...WHERES), async (texts, where) => {
      const blocks = readRecords(texts);
      const records = blocks.flat();
      const named = records.map(addEvent);
      const store = createStore(blocks);
      expect(store.inferSchema()).toEqual(inferSchema(named));
      const query = { where, on: '', unit: 'day', unique: false, now: 0, timeZone: 'UTC' } as const;
      const absent = findAbsent(named, where);
      expect(store.findAbsent(query)).toEqual(absent);
      const counter = new ClauseCounter(where, 0);
      for (const { properties, user } of named) counter.add(properties, user);
      expect(await store.count(query)).toEqual(counter.counts);
      for (const scope of ['properties', 'user'] as const) {
        const counted = store.countProperties(scope).map(({ name, count }) => [name, count]);
        expect(new Map(counted as [string, number][])).toEqual(countNames(named, scope));
      }
      const { rows } = store.list('all', 0, records.length);
      expect(rows).toEqual(
        named.map(({ text: _, whole: __, ...record }, index) => ({ ...record, index, matches: undefined })),
      );
      found.absent += absent.length;
      found.errors += counter.counts.errors;
      found.missing += counter.counts.tree.clauses.filter(({ missing }) => missing.length > 0).length;
    }),
    { numRuns: runs(400, 100) },
  );
  expect(Object.values(found).every((count) => count > 0)).toBe(true);
});

function findAbsent(records: readonly EventRecord[], where: string) {
  const named = listNamed({ sources: [where], now: 0 });
  const [occurrences, census] = [new Occurrences(named), new NameCensus(named)];
  for (const record of records) {
    occurrences.add(record);
    census.add(record);
  }
  const missing = new Set(listKeys(named));
  for (const key of occurrences.take()) missing.delete(key);
  if (records.length === 0) return [];
  return [...describeAbsent(named, (key) => missing.has(key), census, { scope: '', isWhole: true })];
}

function countNames(records: readonly EventRecord[], scope: 'properties' | 'user'): Map<string, number> {
  const counts = new Map<string, number>();
  for (const record of records)
    for (const name of Object.keys(record[scope] ?? {})) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
