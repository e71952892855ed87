import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Catalog } from '../../src/service/datasets/catalog/catalog.ts';
import { Funnels } from '../../src/service/datasets/saved/funnels.ts';
import { type CliResult, runCli } from './run-cli.ts';

let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-funnel-'));
  await new Catalog(folder).createProject('shop', 'UTC');
});
afterAll(() => rmSync(folder, { recursive: true }));

function funnel(...args: readonly string[]): Promise<CliResult> {
  return runCli(['funnel', ...args, '--project', 'shop', '--data', folder]);
}

const EVENTS = ['view', 'buy, now', 'view', 'leave'].map((event, index) => {
  return { event, properties: { distinct_id: 'ann', time: 1_748_736_000 + index } };
});
const INPUT = EVENTS.map((event) => `${JSON.stringify(event)}\n`).join('');

describe('the steps of a funnel', () => {
  /** Asks for the number of users of each step. */
  async function ask(args: readonly string[], input = ''): Promise<unknown> {
    const { code, out, err } = await runCli(['funnel', ...args, '--json'], { input });
    if (code !== 0) return [code, err];
    const { data } = JSON.parse(out);
    const [[, { steps }]] = Object.entries(data) as [[string, { steps: { event: string; count: number }[] }]];
    return steps.map(({ event, count }) => [event, count]);
  }
  const file = (name: string) => join(folder, name);

  beforeAll(() => {
    for (const name of ['one.ndjson', 'leave']) writeFileSync(file(name), INPUT);
  });

  it.each([
    [['one.ndjson', 'view', 'buy, now'], ''],
    [['one.nd*', 'view', 'buy, now'], ''],
    [['-', 'view', 'buy, now'], INPUT],
  ])('follow the files: %j', async ([first = '', ...steps], input) => {
    const files = first === '-' ? first : file(first);
    expect(await ask([files, ...steps], input)).toEqual([
      ['view', 1],
      ['buy, now', 1],
    ]);
  });

  it('of standard input need no files', async () => {
    expect(await ask(['view', 'leave', 'view'], INPUT)).toEqual([
      ['view', 1],
      ['leave', 1],
      ['view', 0],
    ]);
  });

  it('are said to be of standard input, because a file could be misspelled', async () => {
    const { err } = await runCli(['funnel', 'shop.ndjsn', 'view'], { input: INPUT });
    expect(err).toContain('note: shop.ndjsn is no file, so the events are read from standard input');
    expect((await runCli(['funnel', file('one.ndjson'), 'view'])).err).not.toContain('standard input');
  });

  it('begin at the first word that names no file', async () => {
    expect(await ask([file('leave'), 'view'])).toEqual([['view', 1]]);
    expect(await ask([file('leave'), 'list', 'create'])).toEqual([
      ['list', 0],
      ['create', 0],
    ]);
  });

  it.each([
    [['missing.ndjson', 'view', 'leave'], 3, 'No such file: missing.ndjson'],
    [['veiw'], 2, 'No such file: veiw. Name event files, then the event of each step'],
    [['view', 'leave', '--steps', 'view'], 2, 'Name the steps after the files, with --steps or with --funnel-id'],
  ])('are told from files: %j', async (args, code, text) => {
    expect(await ask(args)).toEqual([code, expect.stringContaining(text)]);
  });
});

const FILTER = 'properties["amount"] > 10';

describe('funnel', () => {
  it('creates, lists and deletes funnels', async () => {
    const steps = ['--step', 'view', '--step', 'buy', '--where', FILTER, '--step', 'where'];
    const made = await funnel('create', 'sign-up', ...steps, '--length', '36', '--length-unit', 'hour', '--json');
    const whole = {
      funnel_id: 1,
      name: 'sign-up',
      steps: [{ event: 'view' }, { event: 'buy', where: FILTER }, { event: 'where' }],
      length: 36,
      length_unit: 'hour',
    };
    expect([made.code, made.err, JSON.parse(made.out)]).toEqual([0, '', whole]);
    expect((await funnel('create', 'one', '--step', 'view')).out).toBe('funnel  2\n');
    expect(JSON.parse((await funnel('list', '--json')).out)).toEqual([
      whole,
      { funnel_id: 2, name: 'one', steps: [{ event: 'view' }], length: 14, length_unit: 'day' },
    ]);
    expect((await funnel('list')).out).toBe(
      `funnel  name     within    steps
     1  sign-up  36 hours  view → buy (${FILTER}) → where
     2  one      14 days   view
`,
    );
    expect(await funnel('delete', '1')).toEqual({ code: 0, out: '', err: '' });
    expect(await funnel('delete', '2', '--json')).toEqual({ code: 0, out: '{"funnel_id":2}\n', err: '' });
    expect((await funnel('list', '--json')).out).toBe('[]\n');
  });

  it('reports errors and creates nothing', async () => {
    const cases: [args: string[], code: number, text: string][] = [
      [['create', 'x'], 2, "required option '--step <event>'"],
      [['create', 'x', '--where', FILTER, '--step', 'view'], 2, 'Write --where after the --step it applies to'],
      [['create', 'x', '--step', 'a', '--where', 'true', '--where', 'true'], 2, 'already has a filter'],
      [['create', 'x', '--step', 'a', '--length', '91'], 2, 'at most 90 days'],
      [['create', 'x', '--step', 'a', '--length', 'long'], 2, 'Expected a whole number'],
      [['create', 'x', '--step', 'a', '--length-unit', 'week'], 2, 'Allowed choices are second, minute, hour, day'],
      [['create', 'x', '--step', 'a', '--where', 'properties["a"] and 5'], 1, '^'],
      [['delete', '99'], 2, 'There is no funnel 99 in shop'],
      [['delete', '../1'], 2, 'There is no funnel ../1 in shop'],
    ];
    for (const [args, code, text] of cases) {
      const result = await funnel(...args);
      expect([args, result.code, result.out, result.err]).toEqual([args, code, '', expect.stringContaining(text)]);
    }
    const other = await runCli(['funnel', 'list', '--project', 'shops', '--data', folder]);
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('there is no project shops')]);
    expect(await new Funnels(folder).list('shop')).toEqual([]);
  });
});
