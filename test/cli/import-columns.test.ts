import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Catalog } from '../../src/service/datasets/catalog/catalog.ts';
import { type CliResult, runCli } from './run-cli.ts';

let folder = '';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-import-'));
  const catalog = new Catalog(join(folder, 'data'));
  await catalog.createProject('shop', 'UTC');
  await catalog.createDataset('shop', 'orders');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Imports a file with some text. */
function importText(name: string, text: string, ...options: readonly string[]): Promise<CliResult> {
  const file = join(folder, name);
  writeFileSync(file, text);
  const place = ['--project', 'shop', '--dataset', 'orders', '--data', join(folder, 'data')];
  return runCli(['import', file, ...place, ...options]);
}

/** Counts the events of a name whose filter holds. */
async function count(event: string, where: string): Promise<string> {
  const dates = ['--from-date', '2025-06-01', '--to-date', '2025-06-30', '--by', 'month', '--where', where, '--json'];
  const place = ['--project', 'shop', '--data', join(folder, 'data')];
  const { out, err } = await runCli(['segmentation', '--event', event, ...dates, ...place]);
  return err === '' ? JSON.stringify(JSON.parse(out).data.values[event] ?? {}) : err;
}

const NO_HOPE = 'Nothing was imported.\n';

it('import guesses columns and keeps them as properties', async () => {
  const { code, err } = await importText(
    'a.csv',
    'created_at;customer;action;price\n2025-06-01T10:00:00Z;ada;buy;5\n2025-06-02;bob;buy;7\n',
  );
  expect([code, err]).toEqual([0, expect.stringContaining('time: created_at (ISO), user: customer, event: action\n')]);
  const where =
    'properties["time"] == 1748822400 and properties["distinct_id"] == "bob" and ' +
    'properties["customer"] == "bob" and properties["created_at"] == "2025-06-02"';
  expect(await count('buy', where)).toBe('{"2025-06-01":1}');
});

it('import takes the columns and dotted names of the options', async () => {
  const text = '{"at":1748736000000,"who":{"id":7},"what":"buy"}\n';
  const options = ['--time', 'at', '--user', 'who.id', '--event-column', 'what', '--flatten'];
  const { code, err } = await importText('a.ndjson', text, ...options);
  expect([code, err]).toEqual([0, 'time: at (milliseconds), user: who.id, event: what\n']);
  expect(await count('buy', 'properties["who.id"] == 7 and properties["distinct_id"] == "7"')).toBe('{"2025-06-01":1}');
});

it.each([
  ['PostHog', { event: 'buy', distinct_id: 'ada', timestamp: '2025-06-01T00:12:36.230Z', properties: { plan: 'pro' } }],
  ['Segment', { event: 'buy', userId: 'ada', timestamp: '2025-06-01T00:12:36.230Z', properties: { plan: 'pro' } }],
  ['Segment without a login', { event: 'buy', anonymousId: 'ada', timestamp: 1748736756, properties: { plan: 'pro' } }],
])('import guesses the fields beside the properties of %s', async (_, record) => {
  const { code, err } = await importText('a.ndjson', `${JSON.stringify(record)}\n`);
  const user = Object.keys(record)[1];
  expect([code, err]).toEqual([
    0,
    `time: timestamp (${typeof record.timestamp === 'string' ? 'ISO' : 'seconds'}), user: ${user}, event: event\n`,
  ]);
  const where =
    'properties["plan"] == "pro" and properties["distinct_id"] == "ada" and properties["time"] == 1748736756';
  expect(await count('buy', where)).toBe('{"2025-06-01":1}');
});

it('import reads Amplitude, with dotted names', async () => {
  const record = {
    event_type: 'buy',
    user_id: 'ada',
    event_time: '2025-06-01 00:12:36.230000',
    event_properties: { plan: 'pro' },
  };
  const { code, err } = await importText('a.ndjson', `${JSON.stringify(record)}\n`);
  expect([code, err]).toEqual([0, 'Amplitude events, time: event_time (ISO), user: user_id, event: event_type\n']);
  expect(await count('buy', 'properties["event_properties.plan"] == "pro"')).toBe('{"2025-06-01":1}');
});

it('import says what events do not keep and what they are called', async () => {
  const beside = { event: 'buy', userId: 'a', timestamp: 1748736756, messageId: 'm', properties: {} };
  expect((await importText('a.ndjson', JSON.stringify(beside))).err).toContain(
    'note: Left out, because only properties are kept: messageId\n',
  );
  const unnamed = await importText('a.csv', 'date,user\n2025-06-01,ada\n');
  expect([unnamed.code, unnamed.err]).toEqual([
    0,
    expect.stringContaining('No column names the events, so all are called "record"\n'),
  ]);
  expect(await count('record', 'true')).toBe('{"2025-06-01":1}');
});

it('import refuses what it cannot read, with the line and the value, and imports nothing', async () => {
  const cases: [name: string, text: string, options: string[], code: number, message: string][] = [
    [
      'a.csv',
      'date,user\n2025-06-01,ada\n2025-06-02,bob\n2025-06-03,cy\n2025-06-04,di\nsoon,ed\n',
      [],
      3,
      ':6: date is the string "soon", which is no time.',
    ],
    ['a.csv', 'date,user\n2025-06-01,ada\n2025-06-02,\n', [], 3, ':3: no user: user is empty.'],
    ['a.csv', 'date,price\n2025-06-01,5\n', [], 3, ':2: no user. Name its column with --user.'],
    ['a.csv', 'date,user\n2025-06-01,ada\n', ['--time', 'dat'], 2, 'Did you mean "date"?'],
  ];
  for (const [name, text, options, code, message] of cases) {
    const result = await importText(name, text, ...options);
    expect([text, result.code, result.out, result.err]).toEqual([text, code, '', expect.stringContaining(message)]);
    if (code === 3) expect(result.err.endsWith(NO_HOPE)).toBe(true);
  }
});
