import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expandFiles } from '../../src/cli/input/expand-files.ts';
import { runCli } from './run-cli.ts';

let folder = '';
const pathOf = (...names: string[]) => join(folder, ...names);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-expand-'));
  for (const name of ['data', 'data/b', 'data/.git', 'data/node_modules', 'data/.cache', 'data/empty', 'many'])
    mkdirSync(pathOf(name));
  const files = [
    'a.ndjson',
    'a10.ndjson',
    'b/c.csv',
    'b/d.json.gz',
    'z.JSONL',
    'readme.md',
    '.a.ndjson',
    '.git/a.csv',
    'node_modules/a.csv',
  ];
  for (const name of [...files, '[x].ndjson']) writeFileSync(pathOf('data', name), '{"a":1}\n');
  symlinkSync(pathOf('data'), pathOf('data', 'b', 'loop'));
  symlinkSync(pathOf('data', 'a.ndjson'), pathOf('data', 'b', 'link.ndjson'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the files below `data`, and the notes with `DATA` for it. */
async function expand(...names: string[]) {
  const notes: string[] = [];
  const found = await expandFiles(
    names.map((name) => pathOf('data', name)),
    (note) => notes.push(note.replaceAll(pathOf('data'), 'DATA')),
  );
  return { found: found.map((file) => file.slice(pathOf('data').length + 1)), notes };
}

describe('expandFiles', () => {
  it('lists the event files of a folder, sorted, without hidden files and linked folders', async () => {
    const { found, notes } = await expand('');
    expect(found).toEqual([
      '[x].ndjson',
      'a.ndjson',
      'a10.ndjson',
      'b/c.csv',
      'b/d.json.gz',
      'b/link.ndjson',
      'z.JSONL',
    ]);
    expect(notes).toEqual(['7 files in DATA; skipped .a.ndjson, .cache, .git and 1 more']);
  });

  it.each([
    ['*.ndjson', ['[x].ndjson', 'a.ndjson', 'a10.ndjson']],
    ['a?*.ndjson', ['a10.ndjson']],
    ['a[0-9]0.*', ['a10.ndjson']],
    ['[!a]*.ndjson', ['[x].ndjson']],
    ['**/*.ndjson', ['[x].ndjson', 'a.ndjson', 'a10.ndjson', 'b/link.ndjson']],
    ['**/c.csv', ['b/c.csv']],
    ['?/*', ['b/c.csv', 'b/d.json.gz', 'b/link.ndjson']],
    ['b/../*.md', ['readme.md']],
    ['*.md', ['readme.md']],
    ['[x].ndjson', ['[x].ndjson']],
  ])('finds the files that match %s', async (pattern, expected) => {
    expect((await expand(pattern)).found).toEqual(expected);
  });

  it('says what a pattern skips, and reads what the beginning of a pattern names', async () => {
    expect((await expand('**/*.csv')).notes).toEqual(['1 file in DATA/**/*.csv; skipped .cache, .git, node_modules']);
    expect((await expand('*.ndjson')).notes).toEqual(['3 files in DATA/*.ndjson; skipped .a.ndjson']);
    expect((await expand('node_modules', '.git/*')).found).toEqual(['node_modules/a.csv', '.git/a.csv']);
  });

  it('keeps names without wildcards, existing or not', async () => {
    expect(await expand('a.ndjson', 'missing')).toEqual({ found: ['a.ndjson', 'missing'], notes: [] });
  });

  it.each([
    ['*.xml', 'No files match'],
    ['nowhere/*.ndjson', 'No files match'],
    ['a.ndjson/*', 'No files match'],
    ['empty', 'There are no event files in'],
  ])('refuses %s', async (name, message) => {
    await expect(expand(name)).rejects.toThrow(`${message} ${pathOf('data', name)}`);
  });

  it('refuses more than 10,000 files', async () => {
    for (let index = 0; index <= 10_000; index++) writeFileSync(pathOf('many', `${index}.csv`), '');
    await expect(expandFiles([pathOf('many')], () => undefined)).rejects.toThrow('has more than 10,000 files');
  });
});

it('commands read all files that match', async () => {
  const pattern = pathOf('data', 'a*.ndjson');
  expect(await runCli(['count', 'true', pattern])).toEqual({
    code: 0,
    out: '2\n',
    err: `note: 2 files in ${pattern}\n`,
  });
});
