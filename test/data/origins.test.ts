import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../src/base/json.ts';
import { type EventRecord, toEventRecord } from '../../src/data/event-record.ts';
import { createFieldReader, ROLES } from '../../src/data/field-mapping.ts';
import { flatten } from '../../src/data/flatten.ts';
import { openSample } from '../../src/data/guess-fields.ts';
import {
  isOfOrigin,
  listColumns,
  ORIGINS,
  type OriginName,
  openRecord,
  recognizeOrigin,
} from '../../src/data/origins.ts';
import { ORIGIN_SAMPLES } from './origin-samples.ts';

const NAMES = Object.keys(ORIGINS) as OriginName[];

function toRecords(objects: readonly unknown[]): EventRecord[] {
  return objects.map((object, index) => toEventRecord(object, () => '', index + 1) as EventRecord);
}

describe.each(NAMES)('records of %s', (name) => {
  const samples = ORIGIN_SAMPLES[name];

  it('are recognised, and those of no other tool', () => {
    for (const { record } of samples)
      expect(NAMES.filter((other) => isOfOrigin(record as never, other))).toEqual([name]);
    expect(recognizeOrigin(toRecords(samples.map(({ record }) => record)))).toBe(name);
  });

  it.each(samples)('have their time, user, event and properties: $record', ({ record, expected }) => {
    const { fields } = openSample(toRecords(samples.map((sample) => sample.record)), false);
    const [found] = toRecords([record]).map(createFieldReader({ fields }));
    expect(found).toMatchObject(expected);
    expect(found?.whole).toBe(found?.properties);
  });

  it('say the columns that were chosen', () => {
    const { records: opened, fields } = openSample(toRecords(samples.map(({ record }) => record)), false);
    expect(fields.origin).toBe(name);
    for (const role of ROLES) {
      const columns = listColumns(name, role);
      if (columns === undefined) continue;
      const first = columns.find((column) => opened.some(({ whole }) => Object.hasOwn(whole, column)));
      expect(fields[role]).toEqual(first === undefined ? undefined : { column: first, isSet: false });
    }
  });
});

describe('the tool that wrote a file', () => {
  const [call] = ORIGIN_SAMPLES.segment;

  it('is known if most records have its shape', () => {
    const others = (count: number) => Array.from({ length: count }, () => ({ a: 1 }));
    const calls = Array.from({ length: 8 }, () => call?.record);
    expect(recognizeOrigin(toRecords([...calls, ...others(2)]))).toBe('segment');
    expect(recognizeOrigin(toRecords([...calls, ...others(3)]))).toBeUndefined();
    expect(recognizeOrigin([])).toBeUndefined();
  });

  it('is unknown for events with their fields in the standard places', () => {
    const event = { event: 'view', properties: { time: 1_748_772_000, distinct_id: 'u1', type: 'track' } };
    expect(recognizeOrigin(toRecords([event]))).toBeUndefined();
  });

  it('changes nothing of records in another shape', () => {
    const [other] = toRecords([{ event: 'view', properties: { a: 1 } }]);
    expect(openRecord(other as EventRecord, 'segment')).toBe(other);
  });
});

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(1, 'a', true, null, [], ['x'], [1, 'x']),
    tie('object'),
    fc.array(tie('object'), { minLength: 1, maxLength: 3 }),
    fc.array(fc.record({ key: fc.constantFrom('a', 'b', '__proto__'), value: tie('value') }), {
      minLength: 1,
      maxLength: 3,
    }),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'a.b', 'key', 'value', '__proto__'), tie('value'), { maxKeys: 3 }),
})).object as fc.Arbitrary<Readonly<Record<string, unknown>>>;

/** Returns the scalars of JSON, except those of keys of lists of keys and values. */
function listScalars(value: unknown): unknown[] {
  if (Array.isArray(value) || isJsonObject(value)) return Object.values(value).flatMap(listScalars);
  return [value];
}

describe('nested lists', () => {
  it('of objects are opened, whatever is in them', () => {
    fc.assert(
      fc.property(json, (object) => {
        const opened = flatten(object);
        expect(Object.values(opened).filter(isJsonObject)).toEqual([]);
        const scalars = new Set(listScalars(object));
        expect(listScalars(opened).filter((scalar) => !scalars.has(scalar))).toEqual([]);
      }),
    );
  });

  it('of keys and values become a property for each key', () => {
    const list = (value: unknown) => flatten({ p: [{ key: 'k', value }] });
    expect(list(1)).toEqual({ 'p.k': 1 });
    expect(list({ intValue: '12' })).toEqual({ 'p.k': 12 });
    expect(list({ int_value: '12345678901234567890' })).toEqual({ 'p.k': '12345678901234567890' });
    expect(list({ string_value: '12' })).toEqual({ 'p.k': '12' });
    expect(list({ boolValue: true })).toEqual({ 'p.k': true });
    expect(list({ a: 1 })).toEqual({ 'p.k.a': 1 });
  });
});
