import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EventRecord, toEventRecord } from '../../src/data/event-record.ts';
import { createFieldReader, ROLES } from '../../src/data/field-mapping.ts';
import { describeTimes, findAmbiguousDate, findRivalTimes, guessFields } from '../../src/data/guess-fields.ts';
import type { Properties } from '../../src/lang/value.ts';

const TIMES = [
  '2025-06-01T10:00:00Z',
  '2025-06-01 10:00',
  '2025-06-01',
  '1.6.2025 10:00',
  1748772000,
  1748772000123,
  '1748772000',
];

function toRecords(objects: readonly Properties[]): EventRecord[] {
  return objects.map((object, index) => toEventRecord(object, () => '', index + 1) as EventRecord);
}

/** Returns the guessed columns of records that all have these values. */
function guess(object: Properties): Record<string, string | undefined> {
  const fields = guessFields(toRecords(Array.from({ length: 4 }, () => object)));
  return Object.fromEntries(ROLES.flatMap((role) => (fields[role] ? [[role, fields[role].column]] : [])));
}

const column = fc.constantFrom(
  ...['time', 'timestamp', 'created_at', 'Created (UTC)', '@timestamp', 'createdAt', 'order_date', 'signup_date'],
  ...['user_id', 'userId', 'customer', 'email', 'clientip', 'event_name', 'type', 'action', 'name', 'amount'],
);
const cell = fc.constantFrom<unknown>(...TIMES, 'a', 'b', 'x@y.z', '01/06/2025', '', null, 12, 20250601, true, {
  a: 1,
});
const table = fc
  .uniqueArray(column, { minLength: 1, maxLength: 8 })
  .chain((names) =>
    fc.array(fc.tuple(...names.map(() => cell)), { minLength: 1, maxLength: 6 }).map((rows) => ({ names, rows })),
  );

describe('guessFields', () => {
  it.each(TIMES)('takes a column of times such as %j for the time', (time) => {
    expect(guess({ created_at: time })).toEqual({ time: 'created_at' });
  });

  it.each([
    ['created_at', 12],
    ['date', 20250601],
    ['date', '01/06/2025'],
    ['time', '12:00'],
    ['created_at', true],
    ['amount', 1748772000],
  ])('takes no column %s with the value %j for the time', (name, value) => {
    expect(guess({ [name]: value })).toEqual({});
  });

  it('prefers the more telling name, and ignores case, separators and a zone', () => {
    const time = '2025-06-01';
    expect(guess({ updated_at: time, 'Created (UTC)': time, email: 'a@b.c', userId: 1 })).toEqual({
      time: 'Created (UTC)',
      user: 'userId',
    });
    expect(guess({ '@timestamp': time, clientip: '1.2.3.4' })).toEqual({ time: '@timestamp', user: 'clientip' });
  });

  it('takes a column for the time by the end of its name only if it is the only one', () => {
    expect(guess({ order_date: '2025-06-01' })).toEqual({ time: 'order_date' });
    const rides = { pickup_datetime: '2025-06-01', dropoff_datetime: '2025-06-01' };
    expect(guess(rides)).toEqual({});
    expect(findRivalTimes(toRecords([rides]))).toEqual(['dropoff_datetime', 'pickup_datetime']);
    expect(findRivalTimes(toRecords([{ ...rides, created_at: '2025-06-01' }]))).toEqual([]);
    expect(findRivalTimes(toRecords([{ ...rides, time: 1_748_772_000 }]))).toEqual([]);
  });

  it('takes the only column of dates for the time, whatever its name', () => {
    expect(guess({ Datum: '2025-06-01', Kunde: 'K8', Menge: 1_748_772_000 })).toEqual({ time: 'Datum' });
    expect(guess({ time_iso8601: '2025-06-01T10:00:00Z' })).toEqual({ time: 'time_iso8601' });
    expect(guess({ von: '2025-06-01', bis: '2025-06-01' })).toEqual({});
    expect(findRivalTimes(toRecords([{ von: '2025-06-01', bis: '2025-06-01' }]))).toEqual(['bis', 'von']);
  });

  it('takes a general name for the event only if its values repeat', () => {
    expect(guess({ action: 'buy' })).toEqual({ event: 'action' });
    const different = Array.from({ length: 10 }, (_, index) => ({ name: `person ${index}`, event_name: 'e' }));
    expect(guessFields(toRecords(different))).toEqual({ event: { column: 'event_name', isSet: false } });
  });

  it('guesses nothing beside standard fields and records in the standard shapes', () => {
    const flat = { time: 1, distinct_id: 'u', event: 'e', created_at: '2025-06-01', user_id: 1, action: 'buy' };
    expect(guess(flat)).toEqual({});
    const custom = { created_at: '2025-06-01', user_id: 'a' };
    expect(guess({ event: 'e', properties: custom })).toEqual({});
    expect(guess({ $distinct_id: 'u', $properties: custom })).toEqual({});
    expect(guessFields(toRecords([custom, custom, { event: 'e', properties: {} }]))).toEqual({});
  });

  it('does not depend on the order of the columns', () => {
    fc.assert(
      fc.property(
        table.chain(({ names, rows }) =>
          fc.tuple(
            fc.constant(rows.map((row) => names.map((name, index) => [name, row[index]] as const))),
            fc.shuffledSubarray([...names.keys()], { minLength: names.length }),
          ),
        ),
        ([rows, order]) => {
          const shuffled = rows.map((row) => order.map((index) => row[index] as readonly [string, unknown]));
          const guessRows = (entries: typeof rows) =>
            guessFields(toRecords(entries.map((row) => Object.fromEntries(row))));
          expect(guessRows(shuffled)).toEqual(guessRows(rows));
        },
      ),
    );
  });

  it('never changes how a record in a standard shape is read', () => {
    fc.assert(
      fc.property(table, cell, cell, ({ names, rows }, distinct_id, time) => {
        const flat = rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])));
        const read = createFieldReader({ fields: guessFields(toRecords(flat)) });
        const standard = toRecords([
          { event: 'e', properties: { ...flat[0], distinct_id, time } },
          { $distinct_id: distinct_id, $properties: flat[0] },
          { event: 'e', ...flat[0], distinct_id: 'u', time: 5 },
        ]);
        expect(standard.map(read)).toEqual(standard);
      }),
    );
  });
});

describe('describeTimes', () => {
  it.each([
    ['ISO', ['2025-06-01', '2025/06/01 12:00', '1748772000']],
    ['day.month.year', ['1.6.2025', '01.06.2025 12:00:00', '2025-06-01']],
    ['seconds', [1748772000, '1748772000.5']],
    ['milliseconds', [1748772000123, 1748772000123, 5]],
    ['microseconds', ['1748772000123456']],
    ['nanoseconds', ['1748772000123456789']],
  ])('calls the spelling of most values %s', (name, values) => {
    expect(describeTimes(values)).toBe(name);
  });
});

describe('findAmbiguousDate', () => {
  it('finds dates whose day and month could be either way round', () => {
    const records = toRecords([{ amount: '1/2/3', order_date: '01/06/2025 10:00' }]);
    expect(findAmbiguousDate(records)).toEqual({ column: 'order_date', date: '01/06/2025 10:00', first: undefined });
    expect(findAmbiguousDate(toRecords([{ order_date: '2025/06/01' }]))).toBeUndefined();
    expect(findAmbiguousDate(toRecords([{ created: '6/1/2025' }]))).toMatchObject({ column: 'created' });
    expect(findAmbiguousDate(toRecords([{ amount: '6/1/2025' }]))).toBeUndefined();
  });

  it('says whether the day or the month is first if one of them is above 12 somewhere', () => {
    const place = fc.integer({ min: 1, max: 31 });
    fc.assert(
      fc.property(fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 5 }), (dates) => {
        const isDay = [0, 1].map((index) => dates.some((date) => (date[index] ?? 0) > 12));
        const first = isDay[0] === isDay[1] ? undefined : isDay[0] ? 'day' : 'month';
        const rows = dates.map(([left, right]) => ({ created: `${left}/${right}/2025` }));
        expect(findAmbiguousDate(toRecords(rows))).toEqual({ column: 'created', date: rows[0]?.created, first });
      }),
    );
  });
});
