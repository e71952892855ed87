import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../src/base/json.ts';
import { type EventRecord, toEventRecord } from '../../src/data/event-record.ts';
import { createFieldReader, EVENT_PROPERTY } from '../../src/data/field-mapping.ts';
import { flatten } from '../../src/data/flatten.ts';
import { readTimeValue } from '../../src/data/time-text.ts';
import { applyOperator } from '../../src/lang/operators/overloads.ts';
import { FUNCTIONS } from '../../src/lang/operators/table.ts';
import type { Properties } from '../../src/lang/value.ts';

function toRecord(object: Properties): EventRecord {
  return toEventRecord(object, () => '', 1) as EventRecord;
}

describe('readTimeValue', () => {
  it.each([
    ['2025-06-01 12:00:00'],
    ['2025/06/01 12:00:00'],
    ['2025-06-01 12:00'],
    ['2025-06-01T12:00Z'],
    ['2025-06-01 12:00:00 UTC'],
    ['2025-06-01 12:00:00.250 +0000'],
    ['2025-06-01 14:00:00+02'],
    ['2025-06-01T14:00:00.000+0200'],
    ['2025-06-01 14:00 +02:00'],
    ['1748779200'],
    ['1748779200000'],
    [1748779200],
    [1748779200999],
    ['1748779200000000'],
    [1748779200000999],
    [1748779200000000000],
    ['01.06.2025 12:00'],
    ['1.6.2025 12:00:00'],
  ])('reads %j', (value) => {
    expect(readTimeValue(value)).toBe(Date.UTC(2025, 5, 1, 12) / 1000);
  });

  it('reads hours of one digit', () => {
    expect(readTimeValue('2025-06-01 9:30')).toBe(Date.UTC(2025, 5, 1, 9, 30) / 1000);
    expect(readTimeValue('13.6.2025 9:30')).toBe(Date.UTC(2025, 5, 13, 9, 30) / 1000);
  });

  it.each([
    ['01/06/2025'],
    ['01.06.25'],
    ['31.02.2025'],
    ['06.13.2025'],
    ['2025-06-01 1:5'],
    [5e21],
    ['2025-02-30'],
    ['2025-06-01 25:00'],
    ['12:00'],
    [''],
    ['1969-12-31'],
    [0],
    [null],
    [true],
  ])('does not read %j', (value) => {
    expect(readTimeValue(value)).toBeUndefined();
  });

  it('reads every date after 1970 that `datetime` reads', () => {
    const date = fc.date({ min: new Date(1000), max: new Date('2105-12-31T00:00:00Z'), noInvalidDate: true });
    fc.assert(
      fc.property(date, fc.constantFrom(10, 19, 24), (time, length) => {
        const text = time.toISOString().slice(0, length);
        const seconds = applyOperator(FUNCTIONS.datetime, [text]);
        expect(readTimeValue(text)).toBe(seconds === 0 ? undefined : seconds);
      }),
    );
  });
});

describe('flatten', () => {
  const json = fc.letrec<{ object: Properties; value: unknown }>((tie) => ({
    object: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), tie('value'), { maxKeys: 3 }),
    value: fc.oneof({ depthSize: 'small' }, fc.integer(), fc.constant(null), fc.array(fc.integer()), tie('object')),
  }));

  /** Returns the value at a path of keys. */
  const walk = (object: unknown, path: readonly string[]): unknown =>
    path.reduce(
      (value: unknown, key) => (isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      object,
    );

  it('reads `a.b` as the nested value, and nothing else', () => {
    fc.assert(
      fc.property(json.object, (object) => {
        const flat = flatten(object);
        for (const [name, value] of Object.entries(flat)) expect(value).toBe(walk(object, name.split('.')));
        const count = (value: unknown): number =>
          isJsonObject(value) ? Object.values(value).reduce((sum: number, inner) => sum + count(inner), 0) : 1;
        expect(Object.keys(flat)).toHaveLength(count(object));
      }),
    );
  });

  it('keeps lists of values, and properties whose names have dots in the record itself', () => {
    expect(flatten({ a: { b: 1, c: [2, { d: 2 }] }, 'a.b': 3 })).toEqual({ 'a.b': 3, 'a.c': [2, { d: 2 }] });
    expect(flatten({ 'a.b': 3, a: { b: 1 } })).toEqual({ 'a.b': 3 });
  });

  it('does not exhaust the stack', () => {
    let deep: Properties = { z: 1 };
    for (let level = 0; level < 100_000; level++) deep = { a: deep };
    expect(Object.keys(flatten(deep))).toHaveLength(1);
  });
});

describe('createFieldReader', () => {
  it('reads set columns instead of the standard fields, also beside the properties', () => {
    const read = createFieldReader({
      fields: {
        time: { column: 'timestamp', isSet: true },
        user: { column: 'userId', isSet: true },
        event: { column: undefined, isSet: true },
      },
    });
    const properties = { distinct_id: 'a', time: 5, userId: 7 };
    expect(read(toRecord({ event: 'e', timestamp: '1970-01-01T00:01:00Z', properties }))).toMatchObject({
      time: 60,
      distinctId: '7',
      event: undefined,
      properties,
    });
    expect(read(toRecord({ time: 5, distinct_id: 'a' }))).toMatchObject({ time: undefined, distinctId: undefined });
  });

  it('adds the name of the event as a property unless the record has its own', () => {
    const read = createFieldReader({ withEvent: true });
    const nameOf = (object: Properties) => read(toRecord(object)).properties[EVENT_PROPERTY];
    expect(nameOf({ event: 'e', properties: {} })).toBe('e');
    expect(nameOf({ event: 'e', properties: { $event: null } })).toBeNull();
    expect(nameOf({ plan: 'pro' })).toBeUndefined();
  });

  it('reads columns inside objects by their dotted names', () => {
    const read = createFieldReader({ flatten: true, fields: { user: { column: 'user.id', isSet: true } } });
    expect(read(toRecord({ user: { id: 'u1' } }))).toMatchObject({ distinctId: 'u1', properties: { 'user.id': 'u1' } });
  });
});
