import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

const HOUR = 3600;
const START = Date.parse('2025-06-01T00:00:00Z') / 1000;

const EVENTS = Array.from({ length: 60 }, (_, index) => {
  const properties = {
    distinct_id: `u${index % 7}`,
    time: START + index * 5 * HOUR,
    plan: index % 3 === 0 ? 'pro' : 'free',
    amount: index,
    geo: { country: index % 2 === 0 ? 'DE' : 'US' },
  };
  return JSON.stringify({ event: index % 4 === 0 ? 'buy' : 'view', properties });
});

const PEOPLE = Array.from({ length: 5 }, (_, index) =>
  JSON.stringify({ $distinct_id: `u${index}`, $properties: { team: index < 2 ? 'red' : 'blue' } }),
);

let folder = '';
let events = '';
let filters = '';
let project: readonly string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-project-'));
  [events, filters] = [join(folder, 'events.ndjson'), join(folder, 'filters.ndjson')];
  const people = join(folder, 'people.ndjson');
  writeFileSync(events, EVENTS.map((line) => `${line}\n`).join(''));
  writeFileSync(people, PEOPLE.map((line) => `${line}\n`).join(''));
  writeFileSync(filters, 'properties["plan"] == "pro"\nproperties["amount"] > 30\n');
  const data = ['--data', join(folder, 'data')];
  project = ['--project', 'shop', ...data];
  for (const args of [
    ['project', 'create', 'shop', '--time-zone', 'America/New_York', ...data],
    ['dataset', 'create', 'orders', ...project],
    ['import', events, people, '--dataset', 'orders', ...project],
  ])
    expect(await runCli(args)).toMatchObject({ code: 0 });
});
afterAll(() => rmSync(folder, { recursive: true }));

const inProject = (...args: readonly string[]) => runCli([...args, ...project]);

describe('commands for files, with --project', () => {
  it.each([
    [['filter', 'properties["plan"] == "pro" and properties["amount"] > 10', '--explain']],
    [['count', 'properties["plan"] == "pro"', '--json']],
    [['count', 'true', '--unique', '--event', 'buy']],
    [['count', 'properties["paln"] == "pro"']],
    [['count', 'properties["time"] < datetime("2025-06-03")']],
    [['segment', 'properties["plan"]', '--by', 'day', '--csv']],
    [['segment', 'properties["geo.country"]', '--flatten', '--unique', '--where', 'properties["amount"] > 3']],
    [['segment', 'properties["$event"]', '--limit', '1']],
    [['sum', 'properties["amount"]']],
    [['average', 'properties["amount"]', '--event', 'view']],
    [['match', () => filters]],
    [['diff', 'properties["amount"] > 1', 'properties["amount"] > 2', '--json']],
    [['describe']],
    [['properties', '--json']],
  ] as const)('%j answers as over the exported file', async (words) => {
    const args = words.map((word) => (typeof word === 'string' ? word : word()));
    const expected = await runCli([...args, '--time-zone', 'America/New_York', events]);
    const found = await inProject(...args);
    const rename = (text: string) => text.replaceAll(events, 'onwhere export');
    expect(found).toEqual({ code: expected.code, out: rename(expected.out), err: rename(expected.err) });
  });

  it('read the profiles of users', async () => {
    expect((await inProject('count', 'user["team"] == "red"', '--unique')).out).toBe('2\n');
    const { out } = await inProject('segment', 'user["team"]', '--unique', '--csv');
    expect(out.trim().split(/\r?\n/)).toEqual(['segment,users', 'blue,3', 'red,2', 'undefined,2']);
    writeFileSync(filters, 'user["team"] == "red"\n');
    expect((await inProject('match', filters, '--json')).out).toContain('"count":18');
    expect((await inProject('count', 'user["taem"] == "red"')).err).toContain('Did you mean "team"');
  });

  it('name the line of the export if an expression fails', async () => {
    const { code, err } = await inProject('count', 'properties["plan"] and true');
    expect([code, err]).toEqual([1, expect.stringContaining('the record at onwhere export:1')]);
  });

  it.each([
    [['count', 'true', () => events], 'Query one of these, not several: files, --project and --data'],
    [['count', 'true', '--time-zone', 'UTC'], '--time-zone is for files'],
    [['top', '--unique', '--type', 'general'], "option '--unique' cannot be used with option '--type"],
    [
      ['describe', '--server', 'https://localhost:1'],
      'Query one of these, not several: --server, --project and --data',
    ],
  ] as const)('%j is refused', async (words, message) => {
    const args = words.map((word) => (typeof word === 'string' ? word : word()));
    expect(await inProject(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
  });
});

describe('queries', () => {
  it.each([
    [['funnel', '--steps', 'view,buy']],
    [['retention', '--born-event', 'view', '--json']],
    [['retention', '--json']],
    [['retention', 'addiction']],
    [['events', '--unique']],
    [['events', '--by', 'week', '--json']],
    [['segmentation', '--event', 'view', '--from-date', '2025-06-03']],
    [['segmentation', 'sum', '--event', 'view', '--on', 'properties["amount"]']],
  ])('%j choose the days and the events of a project as they do those of files', async (args) => {
    const expected = await runCli([...args, '--time-zone', 'America/New_York', events]);
    const found = await inProject(...args);
    const err = expected.err
      .replace(': all days', ': the days of nearly all events')
      .replace('of the files (America/New_York)', 'of the project');
    expect({ args, ...found }).toEqual({ args, ...expected, code: 0, err });
  });

  it('say where the events are if none is of today', async () => {
    const { code, err } = await inProject('top');
    expect([code, err]).toEqual([
      0,
      'note: The project has no events today. Nearly all are from 2025-05-31 to 2025-06-13\n',
    ]);
  });

  it('name the events of a project that could be meant', async () => {
    expect(await inProject('segmentation')).toMatchObject({
      code: 2,
      err: 'error: Name an event with --event. The project has "view", "buy"\n',
    });
    expect(await inProject('funnel')).toMatchObject({ code: 2, err: expect.stringContaining('--steps') });
  });

  it('read standard input if nothing else is named', async () => {
    const input = EVENTS.join('\n');
    for (const args of [
      ['retention', '--born-event', 'view'],
      ['top', '--unique'],
      ['export'],
      ['events', '--by', 'week'],
    ]) {
      const [named, piped] = [await runCli([...args, events]), await runCli(args, { input })];
      expect(piped).toEqual(named);
      expect(named.code).toBe(0);
    }
  });
});

describe('export of files', () => {
  it('prints what an import of them stores', async () => {
    for (const args of [
      [],
      ['--where', 'properties["amount"] > 40', '--event', 'buy'],
      ['people'],
      ['--from-date', '2025-06-09'],
    ]) {
      const [kind, options] = args[0] === 'people' ? [['people'], []] : [[], args];
      const files = [events, join(folder, 'people.ndjson')];
      const zone = ['--time-zone', 'America/New_York'];
      const stored = await inProject('export', ...kind, ...options);
      expect(await runCli(['export', ...kind, ...files, ...options, ...zone])).toEqual(stored);
      expect(stored.out).not.toBe('');
    }
  });

  it('reads the name of the event as a property', async () => {
    const { out } = await runCli(['export', events, '--where', 'properties["$event"] == "buy"']);
    expect(out).toBe(
      EVENTS.filter((_, index) => index % 4 === 0)
        .map((line) => `${line}\n`)
        .join(''),
    );
  });
});
