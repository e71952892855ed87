import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliResult, runCli } from './run-cli.ts';

/** Clocks change on these days: in St. John's from 00:01 to the previous day, in Apia by a whole day. */
const CHANGES = [
  ['Europe/Berlin', '2025-03-30'],
  ['Europe/Berlin', '2025-10-26'],
  ['America/St_Johns', '2010-11-07'],
  ['America/Santiago', '2025-04-06'],
  ['Australia/Lord_Howe', '2025-04-06'],
  ['Pacific/Apia', '2011-12-30'],
] as const;

const HALF_HOURS = 4 * 48;

let folder = '';
let file = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-time-zones-'));
  file = join(folder, 'events.ndjson');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes an event for each half an hour around a day. */
function writeEvents(day: string): void {
  const start = Date.parse(day) / 1000 - 86_400 - 60;
  const lines = Array.from({ length: HALF_HOURS }, (_, half) => {
    const properties = { time: start + half * 1800, distinct_id: `u${half % 5}` };
    return JSON.stringify({ event: 'e', properties });
  });
  writeFileSync(file, `${lines.join('\n')}\n`);
}

async function run(...args: string[]): Promise<string> {
  const { code, out, err } = await runCli([...args, file]);
  expect([code, err]).toEqual([0, err]);
  return out;
}

describe.each(CHANGES)('in %s around %s', (timeZone, day) => {
  const zone = ['--time-zone', timeZone];

  it.each(['hour', 'day', 'week', 'month'])('all commands count the same events by %s', async (unit) => {
    writeEvents(day);
    const counted = await run('segment', '"e"', '--by', unit, '--csv', ...zone);
    if (unit === 'week' || unit === 'month') return;
    const answer = JSON.parse(await run('segmentation', '--event', 'e', '--by', unit, '--json', ...zone));
    const rows = counted.trimEnd().split('\n').slice(1);
    const counts = Object.fromEntries(
      rows.map((row) => row.split(',')).map(([label, count]) => [label, Number(count)]),
    );
    expect(answer.data.values.e).toMatchObject(counts);
  });

  it('filters by the days that are counted', async () => {
    writeEvents(day);
    const rows = (await run('segment', '"e"', '--by', 'day', '--csv', ...zone)).trimEnd().split('\n').slice(1);
    for (const row of rows) {
      const [from = '', count] = row.split(',');
      const to = new Date(Date.parse(from) + 86_400_000).toISOString().slice(0, 10);
      const where = `properties["time"] >= datetime("${from}") and properties["time"] < datetime("${to}")`;
      expect([from, (await run('count', where, ...zone)).trim()]).toEqual([from, count]);
    }
  });
});

it.each<[args: string[], message: string]>([
  [['eval', '1', '--time-zone', 'Mars/Olympus'], 'Expected the name of a time zone such as Europe/Berlin.'],
  [
    ['events', '--server', 'http://localhost:1', '--time-zone', 'Europe/Berlin'],
    '--time-zone is for files. A project has its own time zone, set when it is created',
  ],
])('refuses %j', async (args, message) => {
  const result: CliResult = await runCli(args);
  expect([result.code, result.err]).toEqual([2, expect.stringContaining(message)]);
});

it.each([
  [['eval', 'datetime("2025-06-01")'], '1748728800'],
  [['eval', 'properties["d"] < datetime("2025-06-01")', '--properties', '{"d":"2025-06-01T00:00:00Z"}'], 'false'],
  [['eval', '--partial', 'properties["n"] > datetime("2025-06-01")'], 'properties["n"] > datetime("2025-06-01")'],
  [['explain', 'datetime("2025-06-01")', '--properties', '{}'], '1748728800'],
  [['sql', 'properties["n"] == datetime("2025-06-01")'], '1748728800'],
])('%j reads dates in the time zone', async (args, shown) => {
  const { code, out } = await runCli([...args, '--time-zone', 'Europe/Berlin']);
  expect([code, out]).toEqual([0, expect.stringContaining(shown)]);
});
