import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import v8 from 'node:v8';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Catalog } from '../../src/service/datasets/catalog/catalog.ts';
import { Funnels } from '../../src/service/datasets/saved/funnels.ts';
import { runs } from '../runs.ts';
import { type CliResult, runCli } from './run-cli.ts';

let folder = '';
let file = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-file-api-'));
  file = join(folder, 'shop.ndjson');
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.unstubAllEnvs());
beforeEach(() =>
  writeEvents([
    { event: 'view', user: 'ada', time: '2025-06-01T10:00:00Z', plan: 'pro' },
    { event: 'view', user: 'bob', time: '2025-06-01T11:00:00Z', plan: 'free' },
    { event: 'buy, now', user: 'ada', time: '2025-06-03T10:00:00Z', plan: 'pro' },
  ]),
);

function writeEvents(records: readonly object[]): void {
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

const DATES = ['--from-date', '2025-06-01', '--to-date', '2025-06-03'];

describe('queries of files', () => {
  it.each<[args: string[], notes: string[], out: string]>([
    [
      ['funnel', '--steps', 'view,"buy, now"', '--interval', '3'],
      ['From 2025-06-01 to 2025-06-03: all days of the files (UTC)'],
      '2 buy, now      1          50%     50%     2d',
    ],
    [
      ['funnel', '--steps', 'view,"buy, now"'],
      ['From 2025-06-01 to 2025-06-03: all days of the files (UTC)'],
      '1 view          2                 100%',
    ],
    [['top'], ['Today is 2025-06-03, the day of the last event'], 'buy, now      1'],
    [
      ['retention', ...DATES, '--interval-count', '4'],
      ['Every event starts a user', 'Today is 2025-06-03, the day of the last event'],
      '2025-06-03      1  100%*\n* not over on 2025-06-03',
    ],
    [['events', '--by', 'month', ...DATES], [], 'buy, now           1'],
    [['segmentation', '--event', 'view', '--on', 'properties["plan"]', ...DATES], [], 'pro'],
    [['people'], ['People are profiles'], 'No people.'],
  ])('answer %j and say what was chosen', async (args, notes, out) => {
    const result = await runCli([...args, file]);
    expect([result.code, result.out]).toEqual([0, expect.stringContaining(out)]);
    expect(result.err).toContain('user: user');
    for (const note of notes) expect(result.err).toContain(`note: ${note}`);
  });

  it('count a user of a funnel once over all dates, and on each date on which they begin', async () => {
    writeEvents([
      { event: 'view', user: 'ada', time: '2025-06-01T10:00:00Z', plan: 'pro' },
      { event: 'view', user: 'ada', time: '2025-06-02T10:00:00Z', plan: 'pro' },
      { event: 'view', user: 'bob', time: '2025-06-02T11:00:00Z', plan: 'free' },
    ]);
    const { out } = await runCli(['funnel', '--steps', 'view', '--on', 'properties["plan"]', file]);
    const cells = out.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2));
    expect(cells).toContainEqual(['1 view', '2']);
    for (const row of [
      ['2025-06-01', '1'],
      ['2025-06-02', '2'],
      ['pro', '1'],
      ['free', '1'],
    ])
      expect(cells).toContainEqual(row);
  });

  it.each<[args: string[], title: string]>([
    [['events', '--by', 'month'], 'view  total 2'],
    [['events', 'properties', '--event', 'view', '--name', 'plan'], 'free  total 1'],
    [['segmentation', '--event', 'view', '--on', 'properties["plan"]', '--type', 'unique'], 'pro  in all 1'],
    [['segmentation', 'numeric', '--event', 'view', '--on', '5'], '5 - 6  total 2'],
    [['segmentation', 'sum', '--event', 'view', '--on', '5'], 'sum'],
    [['segmentation', 'average', '--event', 'view', '--on', '5'], 'average'],
  ])('draw %j as charts', async (args, title) => {
    const { code, out } = await runCli([...args, ...DATES, '--chart', file]);
    expect([code, out.split('\n')]).toEqual([0, expect.arrayContaining([title, expect.stringMatching(/ └─+$/)])]);
  });

  it('warn of events that never occur', async () => {
    const { code, err } = await runCli(['funnel', '--steps', 'veiw,"buy, now"', file]);
    expect([code, err]).toEqual([0, expect.stringContaining('No event is called "veiw". Did you mean "view" (2)?')]);
  });

  it.each<[args: string[], code: number, message: string]>([
    [['top', '--server', 'https://localhost:1'], 2, 'Query one of these, not several: files, --server'],
    [['top', '--data', 'x'], 2, 'Query one of these, not several: files, --project and --data'],
    [['segmentation'], 2, 'Name an event with --event. The files have "view", "buy, now"'],
    [['funnel'], 2, "Name the events of the funnel: --steps 'view product',purchase"],
    [['funnel', '--funnel-id', '1'], 2, 'Pass --steps instead of --funnel-id'],
    [['funnel', '--steps', 'view,,x'], 2, 'Expected names of events, separated by commas'],
    [['top', '--time', 'tme'], 2, 'Did you mean "time"?'],
    [['segmentation', '--event', 'view', '--where', 'properties["plan"'], 1, 'Query Error in selector'],
    [['top', 'none.ndjson'], 3, 'No such file: none.ndjson'],
  ])('refuse %j and leave nothing behind', async (args, code, message) => {
    const temporary = join(folder, 'temporary');
    mkdirSync(temporary, { recursive: true });
    vi.stubEnv('TMPDIR', temporary);
    const result = await runCli([...args, file]);
    expect([result.code, result.out]).toEqual([code, '']);
    expect(result.err).toContain(message);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

it('warns of properties and values that no record has, also with --json', async () => {
  const where = 'properties["pln"] == "x" or properties["plan"] == "team"';
  const args = ['segmentation', '--event', 'view', '--where', where, ...DATES, file];
  for (const json of [[], ['--json']]) {
    const { code, out, err } = await runCli([...args, ...json]);
    expect(code).toBe(0);
    expect(err).toContain('warning: No record has the property "pln". Did you mean "plan" (3 records)?\n');
    expect(err).toContain('warning: "team" never occurs in properties["plan"].');
    expect(out).not.toContain('warnings');
    if (json.length > 0) expect(JSON.parse(out)).toHaveProperty('data.values.view');
  }
});

const NAMES = ['view', 'buy', '$view', 'buy, now'] as const;

/** Times around the ends of days. */
const time = fc.integer({ min: 0, max: 8 }).map((half) => Date.UTC(2025, 5, 1) / 1000 + half * 43_200 - (half % 2));

describe('files that need more memory than allowed', () => {
  const query = ['funnel', '--steps', 'view,"buy, now"', '--json', ...DATES];

  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  it('are queried in a database, with the same answer', async () => {
    const expected = await runCli([...query, file]);
    const { err } = await runCli([...query, file, '--memory-limit', '1MB']);
    expect(err).toContain('DuckDB: Out of Memory');
    vi.spyOn(v8, 'getHeapStatistics').mockReturnValue({ ...v8.getHeapStatistics(), external_memory: 1e12 });
    syncBuiltinESMExports();
    const makeFolder = vi.spyOn(Catalog.prototype, 'createProject');
    expect(await runCli([...query, file])).toMatchObject({ code: 0, out: expected.out });
    expect(makeFolder).toHaveBeenCalledOnce();
  });

  it('are refused if they can be read only once', async () => {
    const input = readFileSync(file);
    expect(await runCli([...query, '-'], { input })).toMatchObject({ code: 0 });
    const { code, err } = await runCli([...query, '-', '--memory-limit', '1MB'], { input });
    expect([code, err]).toEqual([3, expect.stringContaining('need more than 1MB of memory')]);
  });
});

it('counts the properties of events of standard input, which is read once', async () => {
  const args = ['events', 'properties', 'top', '--event', 'view', '--json'];
  const ofFile = await runCli([...args, file]);
  expect(await runCli([...args, '-'], { input: readFileSync(file) })).toMatchObject({ code: 0, out: ofFile.out });
});

it('answers about events with more names of properties than it counts, but does not count them', async () => {
  const time = Date.parse('2025-06-01T12:00:00Z') / 1000;
  const names = (from: number) => Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`p${from + at}`, 1]));
  writeEvents([0, 60_000].map((from) => ({ event: 'view', properties: { distinct_id: 'ada', time, ...names(from) } })));
  const input = readFileSync(file);
  for (const source of [file, '-']) {
    const counted = await runCli(['segmentation', '--event', 'view', '--where', 'properties["q"] == 1', source], {
      input,
    });
    expect([counted.code, counted.err]).toEqual([0, expect.stringContaining('were not compared with the data')]);
    const listed = await runCli(['events', 'properties', 'top', '--event', 'view', source], { input });
    expect([listed.code, listed.err]).toEqual([3, 'error: The events have more than 100,000 names of properties.\n']);
  }
});

/** Values that meet operators badly, and those that few languages have. */
const amount: fc.Arbitrary<unknown> = fc.constantFrom(
  ...[1, 2.5, '3', null, true, '', 'ä\u2028', '\ud800', [1, 'a', 1], [], { a: 1 }, -0, 1e300],
);

const event = fc.record({
  event: fc.constantFrom(...NAMES),
  properties: fc.record(
    {
      distinct_id: fc.constantFrom('ada', 'bob', '7', 7),
      time,
      amount,
      other: amount,
      $insert_id: fc.constantFrom('a', 'b', 3),
    },
    { requiredKeys: ['distinct_id', 'time'] },
  ),
});

const person = fc.oneof(
  fc.record({ $distinct_id: fc.constantFrom('ada', '7'), $properties: fc.record({ plan: amount }) }),
  fc.record({ $distinct_id: fc.constantFrom('ada', 'bob'), $set: fc.record({ plan: amount, city: amount }) }),
  fc.record({ $distinct_id: fc.constantFrom('ada', 'bob'), $append: fc.record({ plan: amount }) }),
  fc.record({ $distinct_id: fc.constantFrom('ada', 'bob'), $delete: fc.constant('') }),
);

/** Records of which at least one is an event. */
const records: fc.Arbitrary<object[]> = fc
  .tuple(event, fc.array(fc.oneof({ arbitrary: event, weight: 4 }, person), { maxLength: 12 }))
  .chain(([first, rest]) => fc.shuffledSubarray([first, ...rest], { minLength: rest.length + 1 }));

it('a file and a data folder with its events give the same answers', async () => {
  const range = ['--from-date', '2025-05-31', '--to-date', '2025-06-05'];
  const steps = ['view', 'buy'];
  const queries: string[][] = [
    ['segmentation', '--event', 'view', '--on', 'properties["amount"]', ...range],
    ['segmentation', 'sum', '--event', 'buy', '--on', 'properties["amount"]', ...range],
    ['events', '--event', 'buy, now', '--event', '$view', '--type', 'unique', ...range],
    ['retention', '--born-event', 'view', '--interval-count', '3', ...range],
    ['retention', 'addiction', '--by', 'week', '--addiction-unit', 'day', ...range],
    ['events', 'properties', 'top', '--event', 'view'],
    ['events', 'properties', '--event', 'view', '--name', 'amount', ...range],
    ['events', 'properties', 'values', '--event', 'view', '--name', 'other'],
    ['segmentation', '--event', 'view', '--on', 'user["plan"]', '--where', 'user["city"] != 1', ...range],
    ['segmentation', '--event', 'view', '--where', 'properties["amount"] < "b"', '--type', 'unique', ...range],
    ['segmentation', '--event', 'view', '--where', 'properties["amount"] and properties["other"]', ...range],
    ['segmentation', 'numeric', '--event', 'buy', '--on', 'number(properties["other"])', ...range],
    [
      'retention',
      '--born-event',
      'view',
      '--born-where',
      '-properties["amount"] < 1',
      '--on',
      'properties["other"]',
      ...range,
    ],
    ['people', '--where', 'properties["plan"] == 1 or properties["city"] == "3"'],
    ['funnel', 'show', ...range],
    ['funnel', '--steps', '[{"event":"view"},{"event":"buy","where":"properties[\\"amount\\"] > 1"}]', ...range],
  ];
  await fc.assert(
    fc.asyncProperty(records, fc.constantFrom(...queries), async (written, query) => {
      const data = mkdtempSync(join(folder, 'data-'));
      const catalog = new Catalog(data);
      await catalog.createProject('shop', 'UTC');
      await catalog.createDataset('shop', 'orders');
      writeEvents(written);
      const place = ['--project', 'shop', '--data', data];
      await runCli(['import', file, '--dataset', 'orders', ...place]);
      const funnel = {
        name: 'f',
        steps: steps.map((name) => ({ event: name })),
        length: 14,
        lengthUnit: 'day',
      } as const;
      const { id } = await new Funnels(data).create('shop', funnel);
      const isSaved = query[0] === 'funnel' && query[1] === 'show';
      const ask = (args: readonly string[]): Promise<CliResult> => runCli([...query, ...args, '--json']);
      const ofFolder = await ask([...(isSaved ? ['--funnel-id', String(id)] : []), ...place]);
      const ofFile = await ask([...(isSaved ? ['--steps', steps.join(',')] : []), file]);
      // Pages of people are of a session, which only a folder makes.
      const expected = ofFolder.out.replace(/(?<="session_id":")[0-9a-f]+/, 'file');
      expect([ofFile.code, ofFile.out]).toEqual([ofFolder.code, expected]);
      for (const error of listErrors(ofFolder)) expect(ofFile.err).toContain(error);
    }),
    { numRuns: runs(15, 10), examples: HARD_EXAMPLES },
  );
});

/** Records and queries of files that random ones seldom meet. */
const HARD_EXAMPLES: [written: object[], query: string[]][] = [
  [
    [{ event: 'view', properties: { distinct_id: 'ada', time: 1_748_736_000, amount: '\ud800' } }],
    [
      'segmentation',
      '--event',
      'view',
      '--on',
      'properties["amount"]',
      '--from-date',
      '2025-06-01',
      '--to-date',
      '2025-06-01',
    ],
  ],
  [
    [{ $distinct_id: 'ada', $properties: { plan: 'pro', city: [1] } }],
    ['people', '--where', 'properties["plan"] == "pro"'],
  ],
];

/** Returns the lines of errors and warnings. */
function listErrors({ err }: CliResult): string[] {
  return err.split('\n').filter((line) => /^(?:error|warning): /.test(line));
}
