import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureWidth } from '../../src/base/strings.ts';
import { runCli as run } from '../../src/cli/run-cli.ts';
import { hasColours } from '../../src/cli/terminal/has-colours.ts';
import { OutputStream } from '../../src/cli/terminal/output-stream.ts';
import { runCli } from './run-cli.ts';
import { testIo, Written } from './test-io.ts';

let file = '';
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'onwhere-colours-'));
  file = join(folder, 'events.ndjson');
  const events = Array.from({ length: 300 }, (_, index) => ({
    event: 'a name that is longer than many',
    properties: { plan: index === 0 ? 'rare' : 'pro', 'a property with a long name': [index, 'x'], amount: index },
  }));
  writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
});
afterAll(() => rmSync(join(file, '..'), { recursive: true }));

const RECORD = ['--properties', '{"plan": "pro", "amount": 12, "tags": ["a", 1, null]}'];

/** Command lines that print to a terminal, each without its file. */
const COMMANDS: readonly (readonly string[])[] = [
  ['fmt', 'properties["plan"]=="pro" and floor(1.5)==1'],
  ['eval', 'properties["tags"]', ...RECORD],
  ['eval', 'properties["plan"] == "pro" and properties["x"]', '--partial', ...RECORD],
  ['check', 'properties["plan"] == "pro"'],
  ['check', 'properties["plan"] = "pro"'],
  ['explain', 'properties["plan"] == "pro" and number(properties["amount"]) > 100'],
  ['explain', 'properties["plan"] == "pro" and number(properties["amount"]) * 2 + 1 > 100', ...RECORD],
  ['eval', '1 = 1'],
  ['count', 'true', 'no-such.ndjson'],
];

const ON_FILES: readonly (readonly string[])[] = [
  ['properties'],
  ['segment', 'properties["plan"]'],
  ['segment', 'properties["amount"]'],
  ['describe'],
  ['count', '(properties["plan"] == "rare" or "x" in properties["a property with a long name"]) and true', '--explain'],
];

const FORCED = { FORCE_COLOR: '1' };

describe('FORCE_COLOR colours the output of a pipe without changing its text', () => {
  it.each(COMMANDS)('%s %s', async (...args) => {
    const [plain, coloured] = [await runCli(args), await runCli(args, { env: FORCED })];
    expect(coloured.out + coloured.err).toContain('\u001b[');
    expect(stripVTControlCharacters(coloured.out)).toBe(plain.out);
    expect(stripVTControlCharacters(coloured.err)).toBe(plain.err);
    expect(plain.out + plain.err).not.toContain('\u001b');
  });

  it.each(ON_FILES)('%s %s', async (...args) => {
    const [plain, coloured] = [await runCli([...args, file]), await runCli([...args, file], { env: FORCED })];
    expect(coloured.out + coloured.err).toContain('\u001b[');
    expect(stripVTControlCharacters(coloured.out)).toBe(plain.out);
    expect(stripVTControlCharacters(coloured.err)).toBe(plain.err);
  });
});

/** Runs a command on a terminal with colours and returns the lines it shows. */
async function showOn(columns: number, args: readonly string[]): Promise<string[]> {
  const screen = Object.assign(new Written(), { isTTY: true, columns });
  const out = new OutputStream(screen, { TERM: 'xterm' });
  // `--explain` prints its tree to standard error.
  await run(args, testIo({ out, err: args.includes('--explain') ? out : new OutputStream(new Written(), {}) }));
  return stripVTControlCharacters(screen.text).trimEnd().split('\n');
}

describe('tables are no wider than the terminal', () => {
  it.each(ON_FILES)('%s %s', async (...args) => {
    for (const columns of [40, 44, 60, 80]) {
      const widths = (await showOn(columns, [...args, file])).map(measureWidth);
      expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
    }
  });

  it.each(COMMANDS.filter(([name]) => name === 'explain'))('%s %s', async (...args) => {
    for (const columns of [44, 60, 80]) {
      const lines = await showOn(columns, args);
      expect(Math.max(...lines.map(measureWidth))).toBeLessThanOrEqual(columns);
    }
  });
});

it('a share is rounded, and a rare property is not 0 %', async () => {
  const rare = join(file, '..', 'rare.ndjson');
  const events = Array.from({ length: 300 }, (_, index) => ({
    a: 1,
    ...(index < 299 && { b: 1 }),
    ...(index === 0 && { c: 1 }),
  }));
  writeFileSync(rare, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const { out } = await runCli(['properties', rare]);
  const shares = out
    .split('\n')
    .slice(1, 4)
    .map((line) => /\S+%/.exec(line)?.[0]);
  expect(shares).toEqual(['100%', '99%', '<1%']);
});

describe('colours', () => {
  it.each<[boolean, Record<string, string>, boolean]>([
    [true, {}, true],
    [false, {}, false],
    [true, { TERM: 'dumb' }, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { NODE_DISABLE_COLORS: '1' }, false],
    [false, { FORCE_COLOR: '' }, true],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    [false, { FORCE_COLOR: 'true', TERM: 'dumb' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { FORCE_COLOR: 'false' }, false],
    [false, { CLICOLOR_FORCE: '1' }, true],
    [false, { CLICOLOR_FORCE: '1', NO_COLOR: '1' }, false],
    [false, { CLICOLOR_FORCE: '0' }, false],
    [true, { CLICOLOR: '0' }, false],
  ])('terminal: %s, environment: %j → %s', (isTTY, env, expected) => {
    expect(hasColours(isTTY, env)).toBe(expected);
  });
});
