import { expect, it } from 'vitest';
import { renderCensus, toJson } from '../../src/cli/commands/describe.ts';
import { OutputStream } from '../../src/cli/terminal/output-stream.ts';
import { CensusCollector } from '../../src/cli/workers/census-collector.ts';
import { CENSUS_LIMITS } from '../../src/cli/workers/census-limits.ts';
import { RecordCensus } from '../../src/cli/workers/record-census.ts';
import { type EventRecord, toEventRecord } from '../../src/data/event-record.ts';
import { runCli } from './run-cli.ts';
import { Written } from './test-io.ts';

const TIME = Date.UTC(2025, 5, 1) / 1000;
const RECORDS = [
  { event: 'view', properties: { distinct_id: 'ann', time: TIME + 60, plan: 'pro', geo: { city: 'Berlin' } } },
  { event: 'buy', properties: { distinct_id: 'bob', time: TIME + 3600, plan: 'free', amount: 1 } },
  { event: 'view', properties: { distinct_id: 'ann', time: TIME, plan: 'pro', amount: '1' } },
];
const toInput = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const input = toInput(RECORDS);
const squeeze = (text: string) => text.split('\n').map((line) => line.replace(/ {2,}/g, '  '));

it('describe prints events, users, and properties with their top values', async () => {
  const { code, out } = await runCli(['describe'], { input });
  expect(code).toBe(0);
  expect(squeeze(out)).toEqual([
    '3 records, 2 users, 2025-06-01 00:00:00 to 2025-06-01 01:00:00 UTC',
    '',
    'event  records  first  last',
    'view  2  67%  2025-06-01 00:00:00  2025-06-01 00:01:00',
    'buy  1  33%  2025-06-01 01:00:00  2025-06-01 01:00:00',
    '',
    'property  types  records  top values',
    'distinct_id  string  3  100%  "ann" (2), "bob" (1)',
    expect.stringMatching(/^time {2}number/),
    'plan  string  3  100%  "pro" (2), "free" (1)',
    'amount  number, string  2  67%  1 (1), "1" (1)',
    'geo  object  1  33%  --flatten reads geo.city',
    '',
  ]);
});

it('describe reads records as other commands do', async () => {
  const event = await runCli(['describe', '--event', 'buy'], { input });
  expect(event.out).toMatch(/^1 record, 1 user, /);
  expect(event.err).toContain('Pass --flatten');
  expect((await runCli(['describe', '--flatten'], { input })).out).toContain('geo.city');
  const csv = 'created,customer,action\n2025-06-01,ann,open\n2025-06-02,bob,open\n';
  const args = ['describe', '--time', 'created', '--user', 'customer', '--event-column', 'action'];
  expect(squeeze((await runCli(args, { input: csv })).out).slice(0, 4)).toEqual([
    '2 records, 2 users, 2025-06-01 00:00:00 to 2025-06-02 00:00:00 UTC',
    '',
    'event  records  first  last',
    'open  2  100%  2025-06-01 00:00:00  2025-06-02 00:00:00',
  ]);
  expect((await runCli(['describe'])).out).toBe('No records.\n');
});

it('describe --json has the values of the records', async () => {
  const { out } = await runCli(['describe', '--json'], { input });
  expect(JSON.parse(out)).toMatchObject({
    records: 3,
    users: 2,
    first: '2025-06-01T00:00:00Z',
    last: '2025-06-01T01:00:00Z',
    events: [
      { event: 'view', count: 2, first: '2025-06-01T00:00:00Z', last: '2025-06-01T00:01:00Z' },
      { event: 'buy', count: 1 },
    ],
    properties: expect.arrayContaining([
      expect.objectContaining({
        name: 'amount',
        count: 2,
        types: { number: 1, string: 1 },
        different: 2,
        top: [
          { value: 1, count: 1 },
          { value: '1', count: 1 },
        ],
      }),
    ]),
    limited: [],
  });
});

it('describe says where it stops counting', async () => {
  const many = Array.from({ length: 10_001 }, (_, index) => {
    return {
      event: `e${index}`,
      properties: { exact: index % 10_000, id: index, long: 'x'.repeat(300), [`p${index}`]: 1 },
    };
  });
  const { out } = await runCli(['describe'], { input: toInput(many) });
  const lines = squeeze(out);
  expect(lines.find((line) => line.startsWith('exact '))).toMatch(/100% {2}0 \(2\), 1 \(1\), 2 \(1\), 9,997 more$/);
  expect(lines.find((line) => line.startsWith('id '))).toMatch(/100% {2}more than 10,000 different: 0, 1, 2$/);
  expect(lines.find((line) => line.startsWith('long '))).toContain('some longer than 200 characters: "xxx');
  expect(lines).toContain('… and more: only the first 10,000 different events are counted');
  expect(lines).toContain('… and more: only the first 10,000 different properties are counted');
  const json = JSON.parse((await runCli(['describe', '--json'], { input: toInput(many) })).out);
  expect(json).toMatchObject({ records: 10_001, users: 0, limited: ['events', 'properties'] });
  expect(json.properties.find(({ name }: { name: string }) => name === 'id')).toMatchObject({
    different: null,
    top: [],
  });
});

it('describe leaves out long names and says so', async () => {
  const long = 'x'.repeat(2001);
  const records = [{ event: long, properties: { [long]: 1, ['y'.repeat(2000)]: 1 } }];
  const { out } = await runCli(['describe'], { input: toInput(records) });
  const lines = squeeze(out);
  expect(lines).toContain('… and more: events with names longer than 2,000 characters are not counted');
  expect(lines).toContain('… and more: properties with names longer than 2,000 characters are not counted');
  const json = JSON.parse((await runCli(['describe', '--json'], { input: toInput(records) })).out);
  expect(json).toMatchObject({ records: 1, events: [], limited: ['events', 'properties'] });
  expect(json.properties.map(({ name }: { name: string }) => name)).toEqual(['y'.repeat(2000)]);
});

it('describe shows no list of objects as an empty list', async () => {
  const records = [{ items: [{ sku: 'A' }], empty: [] }, { items: [{ sku: 'B' }, 'c'] }];
  const input = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const { out } = await runCli(['describe', '-'], { input });
  expect(out).toMatch(/items +list +2 +100% +\["c"\] \(1\); --flatten reads items\.sku/);
  expect(out).toMatch(/empty +list +1 +50% +\[\] \(1\)/);
  expect((await runCli(['properties', '-'], { input })).out).toMatch(
    /items +list +2 +100% +\["c"\]; --flatten reads items\.sku\n/,
  );
});

it('describe and properties name what is in nested objects, as --flatten reads it', async () => {
  const records = [
    { user: { id: 'u1', geo: { city: 'Rome' } }, data: null, none: {}, pairs: [{ key: 'a', value: 1 }] },
    { user: { id: 'u2', plan: 'pro' }, data: { a: 1, b: 1, c: 1, d: 1, e: { f: 1 } } },
  ];
  const input = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  for (const command of ['describe', 'properties']) {
    const { out } = await runCli([command, '-'], { input });
    expect(out).toMatch(/user +object +2 +100% +--flatten reads user\.id, user\.geo\.city, user\.plan\n/);
    expect(out).toMatch(
      /data +null, object +2 +100% +null(?: \(1\))?; --flatten reads data\.a, data\.b, data\.c, data\.d, …\n/,
    );
    expect(out).toMatch(/none +object +1 +50% *\n/);
    expect(out).toMatch(/pairs +list +1 +50% +--flatten reads pairs\.a\n/);
    expect((await runCli([command, '-', '--flatten'], { input })).out).not.toContain('--flatten');
  }
});

it('describe counts fewer values of each property if all together have too many', () => {
  const census = new RecordCensus(true, { ...CENSUS_LIMITS, values: 20, valueBytes: 1500 });
  const collector = new CensusCollector(true);
  for (let index = 0; index < 18; index++) {
    const properties = { one: index, two: index, few: index % 4 };
    collector.add(toEventRecord({ properties }, () => '', 1) as EventRecord);
  }
  census.merge(collector.take());
  expect(squeeze(renderCensus(new OutputStream(new Written(), {}), census).join('\n')).slice(-3)).toEqual([
    'one  number  18  100%  more than 10 different: 0, 1, 2',
    'two  number  18  100%  more than 10 different: 0, 1, 2',
    'few  number  18  100%  0 (5), 1 (5), 2 (4), 1 more',
  ]);
  const one = { name: 'one', count: 18, different: null, top: [] };
  expect(toJson(census)).toMatchObject({ properties: [one, { name: 'two' }, { different: 4 }], limited: ['values'] });
});
