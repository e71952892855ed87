import { mkdtempSync, rmSync } from 'node:fs';
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
