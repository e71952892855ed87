import { describe, expect, it } from 'vitest';
import type { FunnelRequest } from '../../../../src/queries/requests.ts';
import type { StoredEvent } from '../../../../src/service/store/store.ts';
import { actionError, ask, did, selectorError } from './examples.ts';

/** Creates steps by their events. */
function steps(...names: readonly string[]): FunnelRequest['steps'] {
  return names.map((event) => ({ event }));
}

const DAY = { from: '2025-01-01', to: '2025-01-01' };

function funnel(events: readonly StoredEvent[], request: Partial<FunnelRequest> = {}, timeZone = 'UTC') {
  const whole = { steps: steps('a', 'b', 'c'), dates: DAY, length: 3600, bucket: { days: 1 }, limit: 255, ...request };
  return ask(events, timeZone).funnel(whole);
}

/** Returns the number of users at each step, for each date. */
async function countUsers(...args: Parameters<typeof funnel>): Promise<number[][]> {
  return (await funnel(...args)).overall.map((date) => date.map(({ count }) => count));
}

/** Creates events of one user on 1 January, by hour and minute. */
function createDay(...events: readonly (readonly [event: string, time: string])[]): StoredEvent[] {
  return events.map(([event, time]) => did('u', event, `2025-01-01 ${time.length === 5 ? `${time}:00` : time}`));
}

describe('a funnel', () => {
  it('requires steps in order', async () => {
    expect(await countUsers(createDay(['a', '10:00'], ['b', '10:01'], ['c', '10:02']))).toEqual([[1, 1, 1]]);
    expect(await countUsers(createDay(['a', '10:00'], ['c', '10:01'], ['b', '10:02']))).toEqual([[1, 1, 0]]);
    expect(await countUsers(createDay(['b', '10:00'], ['c', '10:01']))).toEqual([[0, 0, 0]]);
    expect(await countUsers(createDay(['b', '10:00'], ['a', '10:01'], ['c', '10:02']))).toEqual([[1, 0, 0]]);
  });

  it('orders events in the same second by step', async () => {
    expect(await countUsers(createDay(['c', '10:00'], ['b', '10:00'], ['a', '10:00']))).toEqual([[1, 1, 1]]);
    expect(await countUsers(createDay(['b', '10:00'], ['a', '10:00']), { steps: steps('b', 'a') })).toEqual([[1, 1]]);
  });

  it('needs a separate event for each step, even if steps share an event name', async () => {
    const twice = { steps: steps('a', 'a', 'b') };
    expect(await countUsers(createDay(['a', '10:00'], ['b', '10:01']), twice)).toEqual([[1, 0, 0]]);
    expect(await countUsers(createDay(['a', '10:00'], ['b', '10:01'], ['a', '10:02']), twice)).toEqual([[1, 1, 0]]);
    expect(await countUsers(createDay(['a', '10:00'], ['a', '10:00'], ['b', '10:01']), twice)).toEqual([[1, 1, 1]]);
  });

  it('uses the next event that matches a step, even if a later step needs it', async () => {
    // The first b is the second step, so no b is left for the third.
    const both = { steps: [{ event: 'a' }, { event: 'b' }, { event: 'b', where: 'properties["x"]' }] };
    const b = (x: boolean, time: string) => did('u', 'b', `2025-01-01 ${time}`, { x });
    const a = did('u', 'a', '2025-01-01 10:00:00');
    expect(await countUsers([a, b(true, '10:01:00'), b(false, '10:02:00')], both)).toEqual([[1, 1, 0]]);
    expect(await countUsers([a, b(false, '10:01:00'), b(true, '10:02:00')], both)).toEqual([[1, 1, 1]]);
    // In the same second, the event that is only the second step comes first, because 2 is less than 6.
    expect(await countUsers([a, b(true, '10:01:00'), b(false, '10:01:00')], both)).toEqual([[1, 1, 1]]);
  });

  it('accepts steps up to the last second of the conversion window', async () => {
    const countsAt = (time: string) => countUsers(createDay(['a', '10:00'], ['b', time]), { steps: steps('a', 'b') });
    expect(await countsAt('11:00:00')).toEqual([[1, 1]]);
    expect(await countsAt('11:00:01')).toEqual([[1, 0]]);
    // The window counts from the first step, not from the previous one.
    expect(await countUsers(createDay(['a', '10:00'], ['b', '10:30'], ['c', '11:00:01']))).toEqual([[1, 1, 0]]);
  });

  it('counts the furthest attempt of each user, the first if several are equal', async () => {
    const late = createDay(['a', '08:00'], ['b', '08:30'], ['a', '10:00'], ['b', '10:10'], ['c', '10:20']);
    const { overall } = await funnel(late);
    expect(overall[0]?.map(({ count, averageTime }) => [count, averageTime])).toEqual([
      [1, null],
      [1, 600],
      [1, 600],
    ]);
    const again = createDay(['a', '08:00'], ['a', '08:10'], ['b', '08:30']);
    expect((await funnel(again)).overall[0]?.map(({ averageTime }) => averageTime)).toEqual([null, 1800, null]);
  });

  it('counts a user in the bucket of the first step, at most once in each', async () => {
    const days = { dates: { from: '2025-01-01', to: '2025-01-03' }, steps: steps('a', 'b') };
    const events = [
      did('u', 'a', '2024-12-31 23:59:59'),
      did('u', 'a', '2025-01-01 23:59:59'),
      did('u', 'b', '2025-01-02 00:00:00'),
      did('u', 'a', '2025-01-02 00:00:00'),
      did('u', 'a', '2025-01-03 23:59:00'),
      did('u', 'b', '2025-01-04 00:10:00'),
      did('u', 'a', '2025-01-04 00:00:00'),
    ];
    // At 2025-01-02 00:00:00 the first step comes before the second.
    expect(await countUsers(events, days)).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    expect(await countUsers(events, { ...days, bucket: { unit: 'week' } })).toEqual([[1, 1]]);
    expect((await funnel(events, { ...days, bucket: { unit: 'week' } })).dates).toEqual(['2024-12-30']);
    expect((await funnel(events, { ...days, bucket: { days: 2 } })).dates).toEqual(['2025-01-01', '2025-01-03']);
  });

  it('uses the days of the time zone', async () => {
    const events = [did('u', 'a', '2025-01-01 23:30:00'), did('v', 'a', '2024-12-31 23:30:00')];
    expect(await countUsers(events, { steps: steps('a') }, 'Europe/Berlin')).toEqual([[1]]);
  });

  it('evaluates events until `length` after the first end of the last day', async () => {
    // In St John's, 7 November 2010 began at 02:30:00 in UTC. A minute later, the clocks went back by an hour.
    const request = {
      steps: [{ event: 'a' }, { event: 'b', where: 'properties["ok"]' }],
      dates: { from: '2010-11-06', to: '2010-11-06' },
      length: 60,
    };
    const ask = (time: string, ok: unknown) =>
      countUsers([did('u', 'a', '2010-11-07 02:29:59'), did('u', 'b', time, { ok })], request, 'America/St_Johns');
    await expect(ask('2010-11-07 02:30:59', true)).resolves.toEqual([[1, 1]]);
    await expect(ask('2010-11-07 02:30:59', 1)).rejects.toEqual(selectorError);
    await expect(ask('2010-11-07 02:31:00', 1)).resolves.toEqual([[1, 0]]);
  });

  it('returns ratios to the previous and first steps, and mean times', async () => {
    const events = ['u', 'v', 'w', 'x'].flatMap((user, index) => [
      did(user, 'a', '2025-01-01 10:00:00'),
      ...(index < 2 ? [did(user, 'b', `2025-01-01 10:0${index + 1}:00`)] : []),
      ...(index < 1 ? [did(user, 'c', '2025-01-01 10:10:00')] : []),
    ]);
    expect((await funnel(events)).overall).toEqual([
      [
        { event: 'a', count: 4, stepRatio: 1, overallRatio: 1, averageTime: null },
        { event: 'b', count: 2, stepRatio: 0.5, overallRatio: 0.5, averageTime: 90 },
        { event: 'c', count: 1, stepRatio: 0.5, overallRatio: 0.25, averageTime: 540 },
      ],
    ]);
    expect((await funnel([])).overall).toEqual([
      [
        { event: 'a', count: 0, stepRatio: 1, overallRatio: 1, averageTime: null },
        { event: 'b', count: 0, stepRatio: 0, overallRatio: 0, averageTime: null },
        { event: 'c', count: 0, stepRatio: 0, overallRatio: 0, averageTime: null },
      ],
    ]);
  });

  it('segments by the first step', async () => {
    const step = (event: string, time: string, x: unknown) => did('u', event, `2025-01-01 ${time}`, { x });
    const events = [
      step('a', '08:00:00', 'p'),
      step('a', '10:00:00', ['q', 'r']),
      step('b', '10:01:00', 'p'),
      did('v', 'a', '2025-01-01 09:00:00', { x: 'r' }),
      did('w', 'a', '2025-01-01 09:00:00', { x: [] }),
    ];
    const request = { steps: steps('a', 'b'), on: 'properties["x"]' };
    const topSegments = async (limit: number) => {
      const { overall, segments = [] } = await funnel(events, { ...request, limit });
      expect(overall[0]?.map(({ count }) => count)).toEqual([3, 1]);
      return segments.map(({ name, dates }) => [name, dates.map((date) => date.map(({ count }) => count))]);
    };
    expect(await topSegments(9)).toEqual([
      ['r', [[2, 1]]],
      ['p', [[1, 0]]],
      ['q', [[1, 1]]],
    ]);
    expect(await topSegments(1)).toEqual([['r', [[2, 1]]]]);
  });

  it('orders events in the same second and step by segment', async () => {
    const x = (value: string) => did('u', 'a', '2025-01-01 10:00:00', { x: value });
    const request = { steps: steps('a', 'a'), on: 'properties["x"]' };
    const { segments = [] } = await funnel([x('q'), x('p')], request);
    expect(segments.map(({ name, dates }) => [name, dates[0]?.map(({ count }) => count)])).toEqual([
      ['p', [1, 1]],
      ['q', [1, 0]],
    ]);
  });

  it('filters all events or only those of one step', async () => {
    const events = [did('u', 'a', '2025-01-01 10:00:00', { x: 1 }), did('u', 'b', '2025-01-01 10:00:00', { x: 2 })];
    const first = [{ event: 'a', where: 'properties["x"] == 1' }, { event: 'b' }];
    expect(await countUsers(events, { steps: first })).toEqual([[1, 1]]);
    expect(await countUsers(events, { steps: first, where: 'properties["x"] == 1' })).toEqual([[1, 0]]);
    expect(await countUsers(events, { steps: first, where: 'properties["x"] == 2' })).toEqual([[0, 0]]);
    await expect(funnel(events, { steps: first, where: 'properties["x"]' })).rejects.toEqual(selectorError);
    await expect(funnel(events, { steps: [{ event: 'a', where: 'not' }] })).rejects.toEqual(selectorError);
    await expect(funnel(events, { steps: first, on: 'properties["x"] or true' })).rejects.toEqual(actionError);
  });
});
