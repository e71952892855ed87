import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { getBucket, listBuckets, type TimeUnit, UNITS } from '../../src/data/buckets.ts';
import { Segmentation } from '../../src/data/segmentation.ts';
import { runs } from '../runs.ts';

const at = (text: string) => Date.parse(text) / 1000;

/** Returns the start of the bucket that a time is in, computed with Temporal. */
function startOf(seconds: number, unit: TimeUnit): Temporal.PlainDateTime {
  const time = Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
    .toZonedDateTimeISO('UTC')
    .toPlainDateTime();
  if (unit === 'hour') return time.round({ smallestUnit: 'hour', roundingMode: 'floor' });
  const day = time.round({ smallestUnit: 'day', roundingMode: 'floor' });
  if (unit === 'week') return day.subtract({ days: day.dayOfWeek - 1 });
  return unit === 'month' ? day.with({ day: 1 }) : day;
}

function labelOf(start: Temporal.PlainDateTime, unit: TimeUnit): string {
  const text = start.toString({ smallestUnit: 'second' });
  return unit === 'hour' ? text.replace('T', ' ') : text.slice(0, 10);
}

const unit = fc.constantFrom(...UNITS);
const time = fc.integer({ min: at('1999-12-01'), max: at('2030-03-01') });

describe('buckets', () => {
  it('are labelled with their start', () => {
    const isSame = (seconds: number, by: TimeUnit) => {
      expect(getBucket(seconds, by)).toBe(labelOf(startOf(seconds, by), by));
    };
    fc.assert(fc.property(time, unit, isSame), { numRuns: runs(1_000) });
  });

  it('are listed without gaps', () => {
    const isWhole = (from: number, length: number, by: TimeUnit) => {
      const [first, last] = [startOf(from, by), startOf(from + length * 3_600, by)];
      const expected: string[] = [];
      for (let start = first; Temporal.PlainDateTime.compare(start, last) <= 0; start = start.add({ [`${by}s`]: 1 })) {
        expected.push(labelOf(start, by));
      }
      expect(listBuckets(labelOf(first, by), labelOf(last, by), by)).toEqual(expected);
    };
    fc.assert(fc.property(time, fc.integer({ min: 0, max: 2_000 }), unit, isWhole), { numRuns: runs(200) });
  });
});

const NAMES = ['a', 'b', '\uffff', '\u{1f600}'];
const record = fc.record({
  names: fc.subarray(NAMES),
  time: fc.option(fc.integer({ min: at('2024-12-24'), max: at('2025-02-01') }), { nil: undefined }),
  distinctId: fc.option(fc.constantFrom('u', 'v', 'w'), { nil: undefined }),
});
const records = fc.array(record, { maxLength: 30 });
const kind = fc.record({ unique: fc.boolean(), unit: fc.option(unit, { nil: undefined }) });

describe('Segmentation', () => {
  it('counts the records or users of each segment and bucket', () => {
    fc.assert(
      fc.property(records, kind, fc.nat(4), (some, { unique, unit: by }, limit) => {
        const segmentation = new Segmentation(unique, by);
        const counted = some.filter((one) => {
          const lacking = by && one.time === undefined ? 'time' : unique && !one.distinctId ? 'distinct_id' : undefined;
          expect(segmentation.add(one.names, one)).toBe(lacking);
          return lacking === undefined;
        });
        const size = (of: typeof some) => (unique ? new Set(of.map(({ distinctId }) => distinctId)).size : of.length);
        const ranked = NAMES.flatMap((name) => {
          const own = counted.filter(({ names }) => names.includes(name));
          const labels = by ? own.map(({ time }) => getBucket(time ?? 0, by)) : [];
          const inBucket = (label: string) => size(own.filter((_, index) => labels[index] === label));
          const values = new Map([...new Set(labels)].map((label) => [label, inBucket(label)]));
          return own.length === 0 ? [] : [{ name, count: size(own), values }];
        }).sort((left, right) => right.count - left.count);
        const { segments, rest, series } = segmentation.result(limit);
        // `NAMES` is sorted by code point, and a stable sort keeps that order for equal counts.
        expect(segments).toEqual(ranked.slice(0, limit));
        const others = ranked.slice(limit);
        expect(rest).toEqual({ segments: others.length, count: others.reduce((sum, { count }) => sum + count, 0) });
        const shown = ranked.flatMap(({ values }) => [...values.keys()]).sort();
        expect([series[0], series.at(-1)]).toEqual([shown[0], shown.at(-1)]);
      }),
    );
  });

  it('merges partial results into the same total', () => {
    fc.assert(
      fc.property(fc.array(records, { maxLength: 4 }), kind, (parts, { unique, unit: by }) => {
        const [whole, merged, part] = Array.from({ length: 3 }, () => new Segmentation(unique, by));
        if (whole === undefined || merged === undefined || part === undefined) expect.unreachable();
        for (const some of parts) {
          for (const one of some) for (const to of [whole, part]) to.add(one.names, one);
          merged.merge(part.take());
        }
        expect(merged.result(2)).toEqual(whole.result(2));
      }),
    );
  });

  it('adds counts of users whose ids are unknown', () => {
    const segmentation = new Segmentation(true, undefined);
    segmentation.add(['a'], { time: undefined, distinctId: 'u' });
    for (const all of [2, 3]) segmentation.merge(new Map([['a', { all, buckets: new Map() }]]));
    expect(segmentation.result(1).segments).toMatchObject([{ name: 'a', count: 6 }]);
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
});
