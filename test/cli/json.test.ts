import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { generateShopSample } from '../../src/data/shop-sample.ts';
import { blocksIn } from '../docs/pages.ts';
import { runCli } from './run-cli.ts';
import { testIo } from './test-io.ts';

const PAGE = 'docs/guide/json.md';
const page = readFileSync(new URL(`../../${PAGE}`, import.meta.url), 'utf8');

const before = process.cwd();
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-json-'));
  const events = [...generateShopSample()].map((event) => `${JSON.stringify(event)}\n`);
  writeFileSync(join(folder, 'shop.ndjson'), events.join(''));
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

describe('every example on the page prints what it shows', () => {
  const examples = blocksIn('console')
    .filter((block) => block.page === PAGE)
    .flatMap(({ text }) =>
      [...text.matchAll(/^\$ onwhere (.*)\n(.*)$/gm)].map(([, line = '', shown = '']) => [line, shown]),
    );

  it.each(examples)('%s', async (line = '', shown = '') => {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    const { out, err } = await runCli(words.filter((word) => !word.startsWith('2>')));
    expect(out + (line.endsWith('2>&1') ? err : '')).toBe(`${shown}\n`);
  });
});

describe('every command of the table prints its keys', () => {
  const rows = [...page.matchAll(/^\| `([a-z ]+)` \| (an object|an array of objects) with (.*) \|$/gm)];
  const keys = new Map(rows.map(([, command = '', , rest = '']) => [command, listKeys(rest)]));

  /** Runs a command on a data folder and compares the keys of its output. */
  async function run(...args: string[]): Promise<unknown> {
    const [first = '', second = ''] = args;
    const command = keys.has(first) ? first : `${first} ${second}`;
    const { out, err } = await runCli([...args, '--json', '--data', join(folder, 'data')]);
    expect(err.replace(/^warning: .*\n/gm, '')).toBe('');
    const answer = JSON.parse(out);
    expect(answer).toSatisfy(
      (value) => Array.isArray(value) === (rows.find(([, name]) => name === command)?.[2] !== 'an object'),
    );
    expect(Object.keys(Array.isArray(answer) ? answer[0] : answer)).toEqual(keys.get(command));
    keys.delete(command);
    return answer;
  }

  it('in a data folder', async () => {
    await run('project', 'create', 'shop');
    await run('project', 'list');
    await run('dataset', 'create', 'web', '--project', 'shop');
    await run('dataset', 'list', '--project', 'shop');
    await run('secret', 'create', 'page', '--project', 'shop', '--scope', 'query');
    const funnel = await run('funnel', 'create', 'sign-up', '--project', 'shop', '--step', 'a', '--step', 'b');
    await run('funnel', 'list', '--project', 'shop');
    await run('funnel', 'delete', String((funnel as { funnel_id: number }).funnel_id), '--project', 'shop');
    // Both need a database, so they run in the tests of processes.
    expect([...keys.keys()]).toEqual(['import', 'fsck']);
  });
});

it('an error is a single line of JSON with its exit code', async () => {
  const lines = [
    ['check', '1', '2', '--json'],
    ['count', '--json', '--no-such'],
    ['count', 'properties["plan"] and true', 'shop.ndjson', '--json'],
    ['segmentation', '--json'],
    ['explain', '1', '--schema', 'no-such.json', '--json'],
  ];
  for (const args of lines) {
    const { code, out, err } = await runCli(args);
    expect(out).toBe('');
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(err)).toMatchObject({ error: { exit: code, message: expect.stringMatching(/^[^:]*\w/) } });
  }
});

it('every command that prints data has --json', async () => {
  const without = [
    'export',
    'filter',
    'repl',
    'play',
    'lsp',
    'mcp',
    'demo',
    'serve',
    'grammar',
    'delete',
    'completion',
  ];
  const missing = (command: Command): string[] => [
    ...command.commands.flatMap((below) => missing(below)),
    ...(command.commands.length === 0 &&
    !without.includes(command.name()) &&
    !command.options.some(({ long }) => long === '--json')
      ? [command.name()]
      : []),
  ];
  expect(missing(await buildProgram(testIo(), () => undefined))).toEqual([]);
});

function listKeys(text: string): string[] {
  return [...text.replace(/, an array of objects.*/, '').matchAll(/`(\w+)`/g)].map(([, key = '']) => key);
}
