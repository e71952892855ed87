import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { bucketOf, bucketsBetween, UNITS, type Unit } from '../../src/segmentation/buckets.ts';
import { Segmentation } from '../../src/segmentation/segmentation.ts';
import { runs } from '../runs.ts';

const at = (text: string) => Date.parse(text) / 1000;

/** The first moment of the bucket that a time is in, by the calendar itself. */
function startOf(seconds: number, unit: Unit): Temporal.PlainDateTime {
  const time = Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
    .toZonedDateTimeISO('UTC')
    .toPlainDateTime();
  if (unit === 'hour') return time.round({ smallestUnit: 'hour', roundingMode: 'floor' });
  const day = time.round({ smallestUnit: 'day', roundingMode: 'floor' });
  if (unit === 'week') return day.subtract({ days: day.dayOfWeek - 1 });
  return unit === 'month' ? day.with({ day: 1 }) : day;
}

function labelOf(start: Temporal.PlainDateTime, unit: Unit): string {
  const text = start.toString({ smallestUnit: 'second' });
  return unit === 'hour' ? text.replace('T', ' ') : text.slice(0, 10);
}

interface Counted {
  readonly names: string[];
  readonly time: number | undefined;
  readonly distinctId: string | undefined;
}

const unit = fc.constantFrom(...UNITS);
const time = fc.integer({ min: at('1999-12-01'), max: at('2030-03-01') });

describe('buckets', () => {
  it('are named by their first moment', () => {
    const isSame = (seconds: number, by: Unit) => {
      expect(bucketOf(seconds, by)).toBe(labelOf(startOf(seconds, by), by));
    };
    fc.assert(fc.property(time, unit, isSame), { numRuns: runs(1_000) });
  });

  it('between two times are all of them, in order', () => {
    const isWhole = (from: number, length: number, by: Unit) => {
      const [first, last] = [startOf(from, by), startOf(from + length * 3_600, by)];
      const expected: string[] = [];
      for (let start = first; Temporal.PlainDateTime.compare(start, last) <= 0; start = start.add({ [`${by}s`]: 1 })) {
        expected.push(labelOf(start, by));
      }
      expect(bucketsBetween(labelOf(first, by), labelOf(last, by), by)).toEqual(expected);
    };
    fc.assert(fc.property(time, fc.integer({ min: 0, max: 2_000 }), unit, isWhole), { numRuns: runs(200) });
  });
});

describe('a segmentation', () => {
  const nothing = { time: undefined, distinctId: undefined };
  const record = fc.record({
    names: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 }),
    time: fc.option(fc.integer({ min: at('2025-06-01'), max: at('2025-06-10') }), { nil: undefined, freq: 5 }),
    distinctId: fc.option(fc.constantFrom('ann', 'bob', 'cid'), { nil: undefined, freq: 5 }),
  });

  it('in parts is the same as in one go', () => {
    const isSame = (parts: Counted[][], unique: boolean, by: Unit | undefined) => {
      const [whole, merged] = [new Segmentation(unique, by), new Segmentation(unique, by)];
      const worker = new Segmentation(unique, by);
      for (const part of parts) {
        for (const one of part) expect(worker.add(one.names, one)).toBe(whole.add(one.names, one));
        merged.merge(worker.take());
      }
      expect(merged.result(10)).toEqual(whole.result(10));
      expect(worker.result(10).segments).toEqual([]);
    };
    const parts = fc.array(fc.array(record, { maxLength: 10 }), { maxLength: 4 });
    fc.assert(fc.property(parts, fc.boolean(), fc.option(unit, { nil: undefined }), isSame), { numRuns: runs(500) });
  });

  it('ranks segments by their counts, equal ones by name, and sums up those beyond the limit', () => {
    const segmentation = new Segmentation(false, undefined);
    for (const name of ['c', 'b', 'b', 'd', 'a']) segmentation.add([name], nothing);
    const { segments, rest, series } = segmentation.result(2);
    expect(segments.map(({ name, count }) => [name, count])).toEqual([
      ['b', 2],
      ['a', 1],
    ]);
    expect(rest).toEqual({ segments: 2, count: 2 });
    expect(series).toEqual([]);
  });

  it('counts each user once in a segment and once in each of its buckets', () => {
    const segmentation = new Segmentation(true, 'day');
    for (const day of ['2025-06-01', '2025-06-01', '2025-06-03']) {
      segmentation.add(['a'], { time: at(day), distinctId: 'ann' });
    }
    const { segments, series } = segmentation.result(1);
    expect(segments).toEqual([
      {
        name: 'a',
        count: 1,
        values: new Map([
          ['2025-06-01', 1],
          ['2025-06-03', 1],
        ]),
      },
    ]);
    expect(series).toEqual(['2025-06-01', '2025-06-02', '2025-06-03']);
  });

  it('says what a record lacks, and does not count it', () => {
    const segmentation = new Segmentation(true, 'day');
    expect(segmentation.add(['a'], { ...nothing, distinctId: 'ann' })).toBe('time');
    expect(segmentation.add(['a'], { ...nothing, time: at('2025-06-01') })).toBe('distinct_id');
    expect(segmentation.result(1).segments).toEqual([]);
  });
});
