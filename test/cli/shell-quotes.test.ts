import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-quotes-'));
  writeFileSync(join(folder, 'shop.ndjson'), '{"event":"buy","properties":{"plan":"pro","amount":5}}\n');
  writeFileSync(join(folder, 'filter.txt'), 'properties["plan"] == "pro"\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Replaces the names of the two files by their paths. */
function locate(text: string): string {
  return text.replace(/shop\.ndjson|filter\.txt/g, (name) => join(folder, name));
}

/** Splits a command line as a POSIX shell does, without expansions. */
function split(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replace(/["']/g, ''));
}

describe('an expression whose quotes the shell removed is shown with its quotes', () => {
  it.each([
    ['count properties["plan"] == "pro" shop.ndjson', `count 'properties["plan"] == "pro"' shop.ndjson`],
    ['count "properties["plan"] == "pro"" shop.ndjson', `count 'properties["plan"] == "pro"' shop.ndjson`],
    [
      'filter --event buy properties["plan"] == "view product" and true shop.ndjson --strict',
      `filter --event buy 'properties["plan"] == "view product" and true' shop.ndjson --strict`,
    ],
    [
      'segment properties["plan"] --where properties["plan"] in ["pro", "free"]',
      `segment 'properties["plan"]' --where 'properties["plan"] in ["pro", "free"]'`,
    ],
    ['check properties["plan"] == "pro"', `check 'properties["plan"] == "pro"'`],
    ['eval properties["a b"] + 1', `eval 'properties["a b"] + 1'`],
    ['fmt not "x" in properties["sign-up"]', `fmt 'not "x" in properties["sign-up"]'`],
    ['sum properties["amount"] * 2 shop.ndjson', `sum 'properties["amount"] * 2' shop.ndjson`],
    ['count properties["plan"] == "pro" missing.parquet', `count 'properties["plan"] == "pro"' missing.parquet`],
    [
      'segmentation --event buy --where properties["plan"] == "pro" --from-date 2025-06-01 --to-date 2025-06-02',
      `segmentation --event buy --where 'properties["plan"] == "pro"' --from-date 2025-06-01 --to-date 2025-06-02`,
    ],
  ])('%s', async (line, shown) => {
    const { code, out, err } = await runCli(split(locate(line)));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^error: (?:Your shell removed the quotes|The quotes are missing)/);
    expect(err.trimEnd().split(': onwhere ')[1]).toBe(locate(shown));
  });
});

it('an expression that cannot be restored is not guessed', async () => {
  const { err } = await runCli(['count', 'properties[plan]', '==', '(', locate('shop.ndjson')]);
  expect(err).toBe('error: Your shell removed the quotes. Put the whole expression in single quotes.\n');
});

describe('a file where the expression belongs is named', () => {
  it.each([
    [['count', 'shop.ndjson'], `count 'properties["plan"] == "pro"' shop.ndjson`],
    [['segment', 'shop.ndjson'], `segment 'properties["country"]' shop.ndjson`],
    [['count', 'shop.ndjson', 'defined(user["a"])'], `count 'defined(user["a"])' shop.ndjson`],
    [['check', 'filter.txt'], 'check - < filter.txt'],
    [['check', 'shop.ndjson', 'defined(user["a"])'], `check 'defined(user["a"])' shop.ndjson`],
  ])('%j', async (args, shown) => {
    const { code, err } = await runCli(args.map(locate));
    expect(code).toBe(2);
    expect(err).toMatch(/^error: \S+ is a file/);
    expect(err.trimEnd().split(': onwhere ')[1]).toBe(locate(shown));
  });
});

describe('a command line with its quotes runs as before', () => {
  it.each([
    [['count', 'properties["plan"] == "pro"', 'shop.ndjson'], '1\n'],
    [['count', 'true', 'shop.ndjson', 'shop.ndjson'], '2\n'],
    [['eval', '-1 - 2'], '-3\n'],
    [['fmt', '-'], '1 == 2\n'],
  ])('%j', async (args, out) => {
    expect(await runCli(args.map(locate), { input: '1==2' })).toMatchObject({ code: 0, out });
  });

  it('and other mistakes keep their messages', async () => {
    expect((await runCli(['count', 'properties["plan"] = "pro"', locate('shop.ndjson')])).err).toContain(
      '[single-equals]',
    );
    expect((await runCli(['count', 'plan', locate('shop.ndjson')])).err).toContain('[bare-name]');
    expect((await runCli(['count', 'true', 'no-such.ndjson'])).err).toContain('No such file: no-such.ndjson');
    expect(await runCli(['fmt', '1', '2'])).toMatchObject({
      code: 2,
      err: "error: too many arguments for 'fmt'. Expected 1 argument but got 2.\nRun `onwhere fmt --help` for usage.\n",
    });
  });
});
