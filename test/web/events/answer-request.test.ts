import { describe, expect, it } from 'vitest';
import { toEventRecord } from '../../../src/data/event-record.ts';
import { answerRequest } from '../../../src/web/events/answer-request.ts';
import { EventStore } from '../../../src/web/events/event-store.ts';

const DATES = [
  ['from_date', '2025-06-01'],
  ['to_date', '2025-06-02'],
] as const;

const TIME = Date.parse('2025-06-01T12:00:00Z') / 1000;

function readRecords(...records: readonly object[]) {
  const store = new EventStore();
  store.add(records.flatMap((record, index) => toEventRecord(record, () => '', index + 1) ?? []));
  return store.toMemory();
}

function createEvent(event: string, user: string, properties: object = {}): object {
  return { event, properties: { distinct_id: user, time: TIME + 0.5, ...properties } };
}

const SHOP = readRecords(
  createEvent('view', 'u1', { plan: 'pro' }),
  createEvent('buy', 'u1', { plan: 'pro' }),
  createEvent('view', 'u2'),
  { $distinct_id: 'u2', $properties: { name: 'Ada' } },
  { $distinct_id: 'u1', $properties: { name: 'Bob' } },
  { event: 'view', properties: { time: TIME } },
  { event: 'view', properties: { distinct_id: 'u1' } },
  { properties: { distinct_id: 'u1', time: TIME } },
);

async function ask(path: string, parameters: readonly (readonly [string, string])[], records = SHOP, timeZone = 'UTC') {
  const answer = await answerRequest(records, { path, parameters, timeZone });
  return 'json' in answer ? JSON.parse(answer.json) : answer;
}

describe('answerRequest', () => {
  it('answers like the endpoints of a server', async () => {
    expect(await ask('segmentation', [['event', 'view'], ...DATES])).toEqual({
      data: { series: ['2025-06-01', '2025-06-02'], values: { view: { '2025-06-01': 2, '2025-06-02': 0 } } },
      legend_size: 1,
    });
    const zoned = await ask('segmentation', [['event', 'view'], ...DATES], SHOP, 'Pacific/Kiritimati');
    expect(zoned.data.values.view).toEqual({ '2025-06-01': 0, '2025-06-02': 2 });
    const steps = '[{"event":"view","where":"user[\\"name\\"] == \\"Bob\\""},{"event":"buy"}]';
    const { data } = await ask('funnels', [['steps', steps], ...DATES]);
    expect(data['2025-06-01'].analysis).toMatchObject({ starting_amount: 1, completion: 1 });
  });

  it('counts the days up to that of the last event', async () => {
    expect(await ask('events/top', [])).toMatchObject({ events: [{ event: 'view', amount: 2 }, { event: 'buy' }] });
    const latest = await ask('events', [
      ['event', '["buy"]'],
      ['interval', '1'],
    ]);
    expect(latest.data.values).toEqual({ buy: { '2025-06-01': 1 } });
  });

  it('finds the name of an event in the checked expression, however the name is written', async () => {
    const where = ['where', 'properties["\\u0024event"] == "buy"'] as const;
    expect(await ask('segmentation', [['event', 'buy'], where, ...DATES])).toMatchObject({
      data: { values: { buy: { '2025-06-01': 1 } } },
    });
    const steps = ['steps', '[{"event":"buy","where":"properties[\\"\\u0024event\\"] == \\"buy\\""}]'] as const;
    const { data } = await ask('funnels', [steps, ...DATES]);
    expect(data['2025-06-01'].analysis).toMatchObject({ starting_amount: 1 });
  });

  it('reads the name of an event as a property', async () => {
    const where = ['where', 'properties["$event"] == "buy"'] as const;
    expect(await ask('retention/addiction', [where, ['unit', 'week'], ['addiction_unit', 'day'], ...DATES])).toEqual({
      '2025-05-26': [1, 0, 0, 0, 0, 0, 0],
      '2025-06-02': [0, 0, 0, 0, 0, 0, 0],
    });
  });

  it('lists people in order', async () => {
    const { results, total } = await ask('engage', []);
    expect([results.map((person: object) => Object.values(person)[0]), total]).toEqual([['u1', 'u2'], 2]);
    expect(await ask('engage', [['where', 'user["name"] == "Ada"']])).toMatchObject({ total: 1 });
  });

  it('warns of names that no record has', async () => {
    const { warnings } = await ask('segmentation', [['event', 'veiw'], ...DATES, ['verbose', '1']]);
    expect(warnings).toEqual(['No event is called "veiw". Did you mean "view" (2)?']);
    const where = ['where', 'properties["$event"] == "view"'] as const;
    expect(await ask('segmentation', [['event', 'view'], where, ...DATES, ['verbose', '1']])).toMatchObject({
      warnings: [],
    });
  });

  it.each([
    ['segmentation', [...DATES], 'Missing required parameter: event'],
    ['segmentation', [['event', 'a'], ['where', '1 +'], ...DATES], 'Query Error in selector'],
    ['funnels', [['funnel_id', '1'], ...DATES], 'Invalid parameter: funnel_id'],
    ['nothing', [], 'Invalid endpoint'],
    ['segmentation', [['event', 'a'], ['dataset_id', 'x'], ...DATES], 'A file has no datasets'],
    ['engage', [['dataset_id', 'x']], 'A file has no datasets'],
    ['export', [['dataset_version', 'x']], 'A file has no datasets'],
    [
      'annotations/create',
      [
        ['date', '2025-06-01 12:00:00'],
        ['description', 'a'],
      ],
      'A file has no',
    ],
  ] as const)('refuses a request to %s %j', async (path, parameters, message) => {
    expect(await ask(path, parameters as never)).toMatchObject({ message: expect.stringContaining(message) });
  });
});

describe('toMemoryRecords', () => {
  it('counts the events that it leaves out', () => {
    expect(SHOP.leftOut).toEqual({ event: 1, time: 1, user: 1 });
    expect(SHOP.isUnnamed).toBe(false);
  });

  it('names the events of a file in which none has a name', () => {
    const { table, isUnnamed } = readRecords({ time: TIME, distinct_id: 'u1', amount: 1 });
    expect([table.countNames(), table.userIds, isUnnamed]).toEqual([new Map([['record', 1]]), ['u1'], true]);
  });
});
