import { describe, expect, it } from 'vitest';
import type { SegmentationRequest } from '../../../src/queries/requests.ts';
import { actionError, ask, did, selectorError } from './reference/examples.ts';
import { Reference } from './reference.ts';

// Small examples with results worked out by hand.

describe('the buckets of the reference', () => {
  const countPerBucket = async (
    times: readonly string[],
    timeZone: string,
    [from, to]: readonly [string, string],
    unit: Pick<SegmentationRequest, 'unit' | 'interval'>,
  ) => {
    const queries = ask(
      times.map((time) => did('u', 'a', time)),
      timeZone,
    );
    const request = { event: 'a', dates: { from, to }, type: 'general', limit: 60, ...unit } as const;
    const { buckets, series } = await queries.segmentation(request);
    return Object.fromEntries(buckets.map((label, index) => [label, series[0]?.values[index]]));
  };

  it('omit a skipped hour', async () => {
    const hours = await countPerBucket(
      ['2025-03-30 00:59:59', '2025-03-30 01:00:00'],
      'Europe/Berlin',
      ['2025-03-30', '2025-03-30'],
      { unit: 'hour' },
    );
    expect(Object.keys(hours)).toHaveLength(23);
    expect(hours).toMatchObject({ '2025-03-30 01:00:00': 1, '2025-03-30 03:00:00': 1 });
    expect(hours).not.toHaveProperty('2025-03-30 02:00:00');
  });

  it('contain a repeated hour once', async () => {
    // In New York it is 01:30 at 05:30 and at 06:30.
    const hours = await countPerBucket(
      ['2025-11-02 05:30:00', '2025-11-02 06:30:00', '2025-11-02 07:00:00'],
      'America/New_York',
      ['2025-11-02', '2025-11-02'],
      { unit: 'hour' },
    );
    expect(Object.keys(hours)).toHaveLength(24);
    expect(hours).toMatchObject({ '2025-11-02 01:00:00': 2, '2025-11-02 02:00:00': 1 });
  });

  it('contain the rest of a partly skipped hour, and repeated minutes once', async () => {
    // Lord Howe goes from 01:59 to 02:30 on 5 October, and on 6 April from 01:59 to 01:30.
    const hours = await countPerBucket(['2025-10-04 15:30:00'], 'Australia/Lord_Howe', ['2025-10-05', '2025-10-05'], {
      unit: 'hour',
    });
    expect(Object.keys(hours)).toHaveLength(24);
    expect(hours).toMatchObject({ '2025-10-05 01:00:00': 0, '2025-10-05 02:00:00': 1 });
    const minutes = await countPerBucket(['2025-10-04 15:30:00'], 'Australia/Lord_Howe', ['2025-10-05', '2025-10-05'], {
      unit: 'minute',
    });
    expect(Object.keys(minutes)).toHaveLength(24 * 60 - 30);
    const autumn = await countPerBucket(
      ['2025-04-05 14:45:00', '2025-04-05 15:15:00'],
      'Australia/Lord_Howe',
      ['2025-04-06', '2025-04-06'],
      { unit: 'minute' },
    );
    expect(Object.keys(autumn)).toHaveLength(24 * 60);
    expect(autumn).toMatchObject({ '2025-04-06 01:45:00': 2 });
  });

  it('of days follow the time zone', async () => {
    const times = ['2025-03-29 22:59:59', '2025-03-29 23:00:00', '2025-03-30 21:59:59', '2025-03-30 22:00:00'];
    expect(await countPerBucket(times, 'Europe/Berlin', ['2025-03-29', '2025-03-30'], { unit: 'day' })).toEqual({
      '2025-03-29': 1,
      '2025-03-30': 2,
    });
  });

  it('of weeks and months may begin before the dates but count only events in them', async () => {
    // 1 January 2025 is a Wednesday.
    const times = ['2024-12-31 23:59:59', '2025-01-01 00:00:00', '2025-01-05 23:59:59', '2025-01-06 00:00:00'];
    const dates = ['2025-01-01', '2025-01-06'] as const;
    expect(await countPerBucket(times, 'UTC', dates, { unit: 'week' })).toEqual({ '2024-12-30': 2, '2025-01-06': 1 });
    expect(await countPerBucket(times, 'UTC', ['2024-12-31', '2025-01-05'], { unit: 'month' })).toEqual({
      '2024-12-01': 1,
      '2025-01-01': 2,
    });
  });

  it('of several days begin with the first date; the last may be shorter', async () => {
    const times = ['2025-01-04 00:00:00', '2025-01-06 00:00:00', '2025-01-07 00:00:00', '2025-01-08 00:00:00'];
    const dates = ['2025-01-01', '2025-01-07'] as const;
    expect(await countPerBucket(times, 'UTC', dates, { unit: 'hour', interval: 3 })).toEqual({
      '2025-01-01': 0,
      '2025-01-04': 2,
      '2025-01-07': 1,
    });
  });

  it('up to the current time include the current unit as a whole', async () => {
    // The second 01:30 of the night on which clocks are put back in New York.
    const now = '2025-11-02 06:30:00';
    const times = ['2025-11-02 04:59:59', '2025-11-02 05:00:00', '2025-11-02 06:59:59', '2025-11-02 07:00:00'];
    const queries = ask(
      times.map((time) => did('u', 'a', time)),
      'America/New_York',
      now,
    );
    const latest = (unit: 'minute' | 'hour' | 'week', latest: number) =>
      queries.events({ events: ['a'], type: 'general', unit, period: { latest } });
    expect(await latest('hour', 2)).toEqual({
      buckets: ['2025-11-02 00:00:00', '2025-11-02 01:00:00'],
      series: [{ name: 'a', values: [1, 2] }],
    });
    // An hour ago, clocks showed 01:31 and later, which is after the current local time.
    expect((await latest('minute', 2)).buckets).toEqual(['2025-11-02 01:29:00', '2025-11-02 01:30:00']);
    expect(await latest('week', 2)).toEqual({
      buckets: ['2025-10-20', '2025-10-27'],
      series: [{ name: 'a', values: [0, 4] }],
    });
  });
});

describe('the counts of the reference', () => {
  const events = [
    did('u1', 'a', '2025-01-09 10:00:00', { x: 'p' }),
    did('u1', 'a', '2025-01-10 10:00:00', { x: ['p', 'q', 'p'] }),
    did('u1', 'a', '2025-01-10 11:00:00', { x: 'q' }),
    did('u2', 'a', '2025-01-10 11:00:00', { x: null }),
    did('u2', 'b', '2025-01-10 11:00:00', { x: {} }),
    did('u2', 'b', '2025-01-10 11:00:00', { x: [] }),
    did('u2', 'b', '2025-01-10 11:00:00'),
    did('u2', 'b', '2025-01-10 11:00:00'),
  ];
  const dates = { from: '2025-01-09', to: '2025-01-10' };

  it('are of events, users, or events per user', async () => {
    const of = async (type: 'general' | 'unique' | 'average') =>
      (await ask(events).events({ events: ['b', 'c', 'a', 'b'], type, unit: 'day', period: dates })).series;
    const seriesOf = (b: number[], a: number[]) => [
      { name: 'b', values: b },
      { name: 'c', values: [0, 0] },
      { name: 'a', values: a },
    ];
    expect(await of('general')).toEqual(seriesOf([0, 4], [1, 3]));
    expect(await of('unique')).toEqual(seriesOf([0, 1], [1, 2]));
    expect(await of('average')).toEqual(seriesOf([0, 4], [1, 1.5]));
  });

  it('compare today with yesterday', async () => {
    expect(await ask(events).topEvents({ type: 'general', limit: 5 })).toEqual([
      { event: 'b', amount: 4, percentChange: 0 },
      { event: 'a', amount: 3, percentChange: 2 },
    ]);
    expect(await ask(events).topEvents({ type: 'unique', limit: 1 })).toEqual([
      { event: 'a', amount: 2, percentChange: 1 },
    ]);
  });

  it('compare today with yesterday until the same local minute', async () => {
    // In Berlin, the clocks went from 03:00 on 26 October back to 02:00, at 01:00 in UTC.
    const some = [
      did('u', 'a', '2025-10-25 22:00:00'),
      did('u', 'a', '2025-10-26 00:30:00'),
      did('v', 'a', '2025-10-26 00:30:01'),
      did('u', 'a', '2025-10-26 01:30:00'),
      did('u', 'a', '2025-10-26 02:00:00'),
      did('u', 'a', '2025-10-26 22:59:59'),
      did('u', 'a', '2025-10-26 23:00:00'),
    ];
    const changesAt = async (now: string) => {
      const top = await ask(some, 'Europe/Berlin', now).topEvents({ type: 'general', limit: 5 });
      return top.map(({ amount, percentChange }) => [amount, percentChange]);
    };
    expect(await changesAt('2025-10-26 23:00:59')).toEqual([[1, 0]]);
    expect(await changesAt('2025-10-27 01:30:59')).toEqual([[1, -0.5]]);
    expect(await changesAt('2025-10-27 01:31:00')).toEqual([[1, -2 / 3]]);
    expect(await changesAt('2025-10-27 22:59:59')).toEqual([[1, -4 / 5]]);
  });

  it('list the events of the last 31 days by descending name', async () => {
    const some = [
      did('u', 'old', '2024-12-10 23:59:59'),
      did('u', 'c', '2024-12-11 00:00:00'),
      did('u', 'a', '2025-01-10 23:59:59'),
      did('u', 'a', '2025-01-10 23:59:59'),
      did('u', 'tomorrow', '2025-01-11 00:00:00'),
      did('u', 'b', '2025-01-10 00:00:00'),
    ];
    expect(await ask(some).eventNames({ type: 'general', limit: 9 })).toEqual(['c', 'b', 'a']);
    expect(await ask(some).eventNames({ type: 'general', limit: 2 })).toEqual(['b', 'a']);
  });

  it('list segments by descending total', async () => {
    const request = { event: 'a', dates, type: 'general', unit: 'day', on: 'properties["x"]', limit: 60 } as const;
    expect((await ask(events).segmentation(request)).series).toEqual([
      { name: 'p', values: [1, 1] },
      { name: 'q', values: [0, 2] },
      { name: 'null', values: [0, 1] },
    ]);
    expect((await ask(events).segmentation({ ...request, event: 'b' })).series).toEqual([
      { name: 'undefined', values: [0, 3] },
    ]);
    expect((await ask(events).segmentation({ ...request, type: 'unique', limit: 1 })).series).toEqual([
      { name: 'null', values: [0, 1] },
    ]);
    expect((await ask([]).segmentation(request)).series).toEqual([]);
  });

  it('list the values of a property and skip events without it', async () => {
    const request = { event: 'a', name: 'x', type: 'general', unit: 'day', period: dates, limit: 2 } as const;
    expect((await ask(events).property(request)).series).toEqual([
      { name: 'p', values: [1, 1] },
      { name: 'q', values: [0, 2] },
    ]);
    expect((await ask(events).property({ ...request, values: ['none', 'q'] })).series).toEqual([
      { name: 'none', values: [0, 0] },
      { name: 'q', values: [0, 2] },
    ]);
    expect((await ask(events).property({ ...request, values: ['q', 'p'], limit: 1 })).series).toEqual([
      { name: 'q', values: [0, 2] },
    ]);
    expect((await ask(events).property({ ...request, event: 'b' })).series).toEqual([]);
    expect(await ask(events).propertyValues({ event: 'a', name: 'x', limit: 9 })).toEqual(['p', 'q', 'null']);
    expect(await ask(events).topProperties({ event: 'b', limit: 9 })).toEqual([
      { name: 'distinct_id', count: 4 },
      { name: 'time', count: 4 },
      { name: 'x', count: 2 },
    ]);
  });

  it('identify users by ID across versions, with the profile of each version', async () => {
    const seen = { event: 'a', properties: { distinct_id: 7, time: 1_736_503_200 } };
    const asString = { event: 'a', properties: { distinct_id: '7', time: 1_736_503_200 } };
    const people = [{ distinctId: '7', properties: { plan: 'pro' } }];
    const versions = [
      { events: [seen], people },
      { events: [asString], people: [] },
    ];
    const queries = new Reference({ versions, timeZone: 'UTC', now: 0 });
    const request = { event: 'a', dates, type: 'unique', unit: 'day', limit: 60 } as const;
    expect((await queries.segmentation(request)).series).toEqual([{ name: 'a', values: [0, 1] }]);
    expect((await queries.segmentation({ ...request, on: 'user["plan"]' })).series).toEqual([
      { name: 'pro', values: [0, 1] },
      { name: 'undefined', values: [0, 1] },
    ]);
  });

  it('fail if an expression fails', async () => {
    const request = { event: 'a', dates, type: 'general', unit: 'day', limit: 60 } as const;
    const mixed = 'properties["x"] and true';
    const filtered = (where: string) => ask(events).segmentation({ ...request, where });
    const segmented = (on: string, where?: string) =>
      ask(events).segmentation({ ...request, on, ...(where !== undefined && { where }) });
    await expect(filtered(mixed)).rejects.toEqual(selectorError);
    await expect(filtered('properties["x"')).rejects.toEqual(selectorError);
    await expect(filtered('properties["x"]')).rejects.toEqual(selectorError);
    await expect(segmented(mixed)).rejects.toEqual(actionError);
    await expect(segmented('5 and true')).rejects.toEqual(actionError);
    await expect(segmented('5 and true', mixed)).rejects.toEqual(actionError);
    await expect(segmented('5 and true', '5')).rejects.toEqual(selectorError);
    expect((await segmented(mixed, 'false')).series).toEqual([]);
    const other = { ...request, event: 'c', where: mixed };
    expect((await ask(events).segmentation(other)).series).toEqual([{ name: 'c', values: [0, 0] }]);
  });
});

describe('numbers in the reference', () => {
  const numbers = (...values: readonly unknown[]) =>
    ask(values.map((x, index) => did(`u${index % 2}`, 'a', '2025-01-09 10:00:00', { x })));
  const dates = { from: '2025-01-09', to: '2025-01-09' };
  const request = { event: 'a', dates, unit: 'day', on: 'properties["x"]' } as const;
  const ranges = async (buckets: number, ...values: readonly unknown[]) => {
    const { series } = await numbers(...values).numeric({ ...request, type: 'general', buckets });
    return series.map(({ name, values: [value] }) => [name, value]);
  };

  it('fall into ranges of a round width', async () => {
    expect(await ranges(4, 0, 99, '50', null, 100, 250)).toEqual([
      ['0 - 100', 2],
      ['100 - 200', 1],
      ['200 - 300', 1],
    ]);
    // A width of 1,000 gives three ranges; 500 gives five, one too many.
    expect(await ranges(4, 1_250, 3_000)).toEqual([
      ['1,000 - 2,000', 1],
      ['2,000 - 3,000', 0],
      ['3,000 - 4,000', 1],
    ]);
    expect(await ranges(5, 1_250, 3_000)).toHaveLength(5);
  });

  it('may be negative, fractions, or a single number', async () => {
    expect(await ranges(4, -0.3, 0.3)).toEqual([
      ['-0.4 - -0.2', 1],
      ['-0.2 - 0', 0],
      ['0 - 0.2', 0],
      ['0.2 - 0.4', 1],
    ]);
    expect(await ranges(1, -1, 0)).toEqual([
      ['-1 - 0', 1],
      ['0 - 1', 1],
    ]);
    expect(await ranges(12, 12_345)).toEqual([['12,345 - 12,346', 1]]);
    expect(await ranges(12, 'x')).toEqual([]);
  });

  it('support the average of users per event', async () => {
    const { series } = await numbers(1, 1.5, 1).numeric({ ...request, type: 'average', buckets: 1 });
    expect(series).toEqual([{ name: '1 - 2', values: [2 / 3] }]);
  });

  it('are summed, with 0 for other values', async () => {
    const values = [1, 2.5, '3', null, -0.5, [4]];
    const sum = await numbers(...values).aggregate({ ...request, aggregate: 'sum' });
    expect(sum.series.map(({ values: [value] }) => value)).toEqual([3]);
    const average = await numbers(...values).aggregate({ ...request, aggregate: 'average' });
    expect(average.series.map(({ values: [value] }) => value)).toEqual([0.5]);
    const none = await numbers().aggregate({ ...request, aggregate: 'average' });
    expect(none.series.map(({ values: [value] }) => value)).toEqual([0]);
  });
});
