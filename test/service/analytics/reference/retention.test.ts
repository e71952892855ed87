import { describe, expect, it } from 'vitest';
import type { AddictionRequest, RetentionRequest } from '../../../../src/queries/requests.ts';
import type { StoredEvent } from '../../../../src/service/store/store.ts';
import { ask, did, selectorError } from './examples.ts';

const THREE_DAYS = { from: '2025-01-01', to: '2025-01-03' };

describe('retention', () => {
  const retention = (events: readonly StoredEvent[], request: Partial<RetentionRequest> = {}, timeZone = 'UTC') => {
    const birth = { type: 'birth', bornEvent: 'born', event: 'back', intervalCount: 2 } as const;
    return ask(events, timeZone).retention({
      dates: THREE_DAYS,
      ...birth,
      bucket: { days: 1 },
      limit: 255,
      ...request,
    });
  };

  /** Returns the size of each cohort and how many of its users came back. */
  const countCohorts = async (...args: Parameters<typeof retention>) =>
    (await retention(...args)).overall?.map(({ first, counts }) => [first, counts]);

  it('puts users into the cohort of their first born event ever', async () => {
    const events = [
      did('early', 'born', '2024-12-31 23:59:59'),
      did('early', 'born', '2025-01-01 12:00:00'),
      did('u', 'born', '2025-01-01 00:00:00'),
      did('u', 'born', '2025-01-02 12:00:00'),
      did('late', 'born', '2025-01-03 23:59:59'),
      did('later', 'born', '2025-01-04 00:00:00'),
    ];
    const first = (await countCohorts(events))?.map(([first]) => first);
    expect(first).toEqual([1, 0, 1]);
    // A filter that excludes the first event makes the birth later.
    const filtered = events.map(({ event, properties }, index) => ({ event, properties: { ...properties, index } }));
    const some = await countCohorts(filtered, { bornWhere: 'properties["index"] > 0 and properties["index"] != 2' });
    expect(some?.map(([first]) => first)).toEqual([1, 1, 1]);
  });

  it('counts users who come back at birth or later, even after the dates', async () => {
    const events = [
      did('u', 'back', '2025-01-03 11:59:59'),
      did('u', 'born', '2025-01-03 12:00:00'),
      did('u', 'back', '2025-01-05 23:59:59'),
      did('u', 'back', '2025-01-05 23:59:59'),
      did('v', 'born', '2025-01-03 12:00:00'),
      did('v', 'back', '2025-01-03 12:00:00'),
      did('v', 'back', '2025-01-06 00:00:00'),
    ];
    expect((await retention(events)).dates).toEqual(['2025-01-01', '2025-01-02', '2025-01-03']);
    expect(await countCohorts(events)).toEqual([
      [0, [0, 0, 0]],
      [0, [0, 0, 0]],
      [2, [1, 0, 1]],
    ]);
  });

  it('can count more users in later intervals', async () => {
    const events = ['u', 'v'].flatMap((user) => [
      did(user, 'born', '2025-01-01 12:00:00'),
      did(user, 'back', '2025-01-03 12:00:00'),
    ]);
    expect((await countCohorts([...events, did('u', 'back', '2025-01-02 12:00:00')]))?.[0]).toEqual([2, [0, 1, 2]]);
  });

  it('counts the birth itself if it matches the returning event', async () => {
    const events = [did('u', 'born', '2025-01-01 12:00:00', { x: 1 })];
    expect((await countCohorts(events, { event: 'born' }))?.[0]).toEqual([1, [1, 0, 0]]);
    expect((await countCohorts(events, { event: 'born', where: 'properties["x"] != 1' }))?.[0]).toEqual([1, [0, 0, 0]]);
    const { event: _, ...any } = { event: 'back', type: 'birth' as const, bornEvent: 'born', intervalCount: 0 };
    const request = { dates: THREE_DAYS, bucket: { days: 1 }, limit: 1, ...any };
    expect((await ask(events).retention(request)).overall?.[0]).toEqual({ first: 1, counts: [1] });
  });

  it('supports buckets of several days, weeks and months', async () => {
    // 1 January 2025 is a Wednesday.
    const events = [
      did('u', 'born', '2025-01-01 12:00:00'),
      did('u', 'back', '2025-01-02 12:00:00'),
      did('u', 'back', '2025-01-05 23:59:59'),
      did('u', 'back', '2025-01-06 00:00:00'),
      did('u', 'back', '2025-02-28 23:59:59'),
    ];
    // In the bucket of the 3rd and 4th, only the 3rd is within the dates; the next is the 5th and 6th.
    expect(await countCohorts(events, { bucket: { days: 2 } })).toEqual([
      [1, [1, 0, 1]],
      [0, [0, 0, 0]],
    ]);
    expect(await countCohorts(events, { bucket: { unit: 'week' } })).toEqual([[1, [1, 1, 0]]]);
    expect(await countCohorts(events, { bucket: { unit: 'month' } })).toEqual([[1, [1, 1, 0]]]);
    expect((await retention(events, { bucket: { unit: 'week' } })).dates).toEqual(['2024-12-30']);
    expect((await retention(events, { bucket: { unit: 'month' } })).dates).toEqual(['2025-01-01']);
  });

  it('uses the days of the time zone', async () => {
    // The night of 30 March has 23 hours in Berlin.
    const events = [
      did('u', 'born', '2025-03-29 23:00:00'),
      did('u', 'back', '2025-03-30 21:59:59'),
      did('v', 'born', '2025-03-29 22:59:59'),
      did('v', 'back', '2025-03-30 22:00:00'),
    ];
    const dates = { from: '2025-03-29', to: '2025-03-30' };
    expect(await countCohorts(events, { dates }, 'Europe/Berlin')).toEqual([
      [1, [0, 0, 1]],
      [1, [1, 0, 0]],
    ]);
  });

  it('puts users into the cohort of each bucket if it is compounded', async () => {
    const events = [
      did('u', 'back', '2024-12-31 12:00:00'),
      did('u', 'back', '2025-01-01 12:00:00'),
      did('u', 'back', '2025-01-01 13:00:00'),
      did('u', 'back', '2025-01-03 12:00:00'),
      did('v', 'back', '2025-01-02 12:00:00'),
      did('v', 'back', '2025-01-04 12:00:00'),
      did('v', 'born', '2025-01-03 12:00:00'),
    ];
    expect(await countCohorts(events, { type: 'compounded', bornWhere: 'not this' })).toEqual([
      [1, [1, 0, 1]],
      [1, [1, 0, 1]],
      [1, [1, 0, 0]],
    ]);
  });

  it('segments by the first event of a cohort and, at equal times, by name', async () => {
    const born = (user: string, time: string, x: unknown) => did(user, 'born', `2025-01-01 ${time}`, { x });
    const events = [
      born('u', '10:00:00', 'q'),
      born('u', '10:00:00', ['p', 'r']),
      born('u', '09:59:59', { none: true }),
      born('v', '10:00:00', ['r', 'a']),
      born('v', '10:00:00', ['r']),
      born('w', '10:00:00', 'q'),
      born('w', '10:00:00', []),
      did('u', 'back', '2025-01-02 10:00:00'),
    ];
    const segmentsOf = async (limit: number, where: string) => {
      const request = { on: 'properties["x"]', limit, bornWhere: where };
      const { overall, segments } = await retention(events, request);
      expect(overall).toBeUndefined();
      return segments?.map(({ name, dates }) => [name, dates.map(({ first, counts }) => [first, ...counts])]);
    };
    const none = [0, 0, 0, 0];
    expect(await segmentsOf(9, 'true')).toEqual([
      ['a', [[1, 0, 0, 0], none, none]],
      ['r', [[1, 0, 0, 0], none, none]],
      ['undefined', [[1, 0, 1, 0], none, none]],
    ]);
    expect(await segmentsOf(1, 'defined(properties["x"])')).toEqual([['r', [[2, 0, 1, 0], none, none]]]);
  });

  it('fails if a filter fails on events that it reads', async () => {
    const events = [did('u', 'back', '2025-01-01 10:00:00', { x: 1 })];
    const where = 'properties["x"] and true';
    await expect(retention(events, { where })).rejects.toEqual(selectorError);
    await expect(retention(events, { bornWhere: where, bornEvent: 'back' })).rejects.toEqual(selectorError);
    await expect(retention(events, { bornWhere: where })).resolves.toBeDefined();
    await expect(retention(events, { event: 'other', where })).resolves.toBeDefined();
  });

  it('evaluates born events until the first end of the last day', async () => {
    // In St John's, 7 November 2010 began at 02:30:00 in UTC. A minute later, the clocks went back by an hour.
    const request = { dates: { from: '2010-11-06', to: '2010-11-06' }, bornWhere: 'properties["ok"]' };
    const ask = (time: string) =>
      countCohorts([did('u', 'born', `2010-11-07 ${time}`, { ok: 1 })], request, 'America/St_Johns');
    await expect(ask('02:29:59')).rejects.toEqual(selectorError);
    await expect(ask('02:30:00')).resolves.toEqual([[0, [0, 0, 0]]]);
  });
});

describe('addiction', () => {
  const addiction = (events: readonly StoredEvent[], request: Partial<AddictionRequest> = {}, timeZone = 'UTC') =>
    ask(events, timeZone).addiction({
      dates: THREE_DAYS,
      unit: 'day',
      addictionUnit: 'hour',
      event: 'a',
      limit: 255,
      ...request,
    });

  it('counts users by the number of active hours in a day', async () => {
    const events = [
      did('u', 'a', '2025-01-01 10:00:00'),
      did('u', 'a', '2025-01-01 10:59:59'),
      did('u', 'a', '2025-01-01 23:59:59'),
      did('u', 'b', '2025-01-01 12:00:00'),
      did('u', 'a', '2025-01-02 00:00:00'),
      did('v', 'a', '2025-01-01 10:00:00'),
      did('v', 'a', '2025-01-04 00:00:00'),
    ];
    const { dates, overall } = await addiction(events);
    expect(dates).toEqual(['2025-01-01', '2025-01-02', '2025-01-03']);
    const of = (...first: number[]) => [...first, ...new Array(24 - first.length).fill(0)];
    expect(overall).toEqual([of(2, 1), of(1), of()]);
  });

  it('counts users by the number of active days in a week or month within the dates', async () => {
    const events = ['01', '02', '02', '03', '04'].map((day) => did('u', 'a', `2025-01-${day} 12:00:00`));
    const week = await addiction(events, { unit: 'week', addictionUnit: 'day' });
    expect(week).toEqual({ dates: ['2024-12-30'], overall: [[1, 1, 1, 0, 0, 0, 0]] });
    const month = await addiction(events, { unit: 'month', addictionUnit: 'day' });
    expect(month).toEqual({ dates: ['2025-01-01'], overall: [[1, 1, 1, ...new Array(28).fill(0)]] });
    const february = { dates: { from: '2025-02-10', to: '2025-03-01' }, unit: 'month' } as const;
    const hours = await addiction([], february);
    expect(hours.dates).toEqual(['2025-02-01', '2025-03-01']);
    expect(hours.overall?.map((numbers) => numbers.length)).toEqual([28 * 24, 31 * 24]);
    expect((await addiction([], { addictionUnit: 'day' })).overall).toEqual([[0], [0], [0]]);
  });

  it('counts a repeated hour once', async () => {
    const events = ['05:30:00', '06:30:00', '07:30:00'].map((time) => did('u', 'a', `2025-11-02 ${time}`));
    const dates = { from: '2025-11-02', to: '2025-11-02' };
    const { overall } = await addiction(events, { dates }, 'America/New_York');
    expect(overall?.[0]?.slice(0, 3)).toEqual([1, 1, 0]);
    expect(overall?.[0]).toHaveLength(24);
  });

  it('counts each segment separately', async () => {
    const a = (user: string, hour: number, x: unknown) => did(user, 'a', `2025-01-01 1${hour}:00:00`, { x });
    const events = [a('u', 0, 'p'), a('u', 1, 'q'), a('u', 2, ['q', 'p']), a('v', 0, 'q'), a('v', 1, []), a('w', 0, 1)];
    const { segments } = await addiction(events, { on: 'properties["x"]', limit: 2 });
    expect(segments?.map(({ name, dates }) => [name, dates[0]?.slice(0, 3)])).toEqual([
      ['q', [2, 1, 0]],
      ['1', [1, 0, 0]],
    ]);
  });
});
