import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROGRAM, runProcess } from './cli-process.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-startup-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the sizes of the files of the build that a command loads. */
async function listLoaded(args: readonly string[]): Promise<number[]> {
  const coverage = mkdtempSync(join(folder, 'coverage-'));
  expect(await runProcess(args, { env: { NODE_V8_COVERAGE: coverage } })).toMatchObject({ code: 0, err: '' });
  const build = pathToFileURL(dirname(PROGRAM)).href;
  return readdirSync(coverage)
    .flatMap((name): { url: string }[] => JSON.parse(readFileSync(join(coverage, name), 'utf8')).result)
    .filter(({ url }) => url.startsWith(build))
    .map(({ url }) => statSync(fileURLToPath(url)).size);
}

const add = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0);

it('the version is printed without loading commands', async () => {
  const sizes = await listLoaded(['--version']);
  expect(sizes.length).toBeGreaterThan(0);
  expect(add(sizes)).toBeLessThan(10_000);
});

it('a command over files loads few files, without the code of others', async () => {
  const file = join(folder, 'events.ndjson');
  writeFileSync(file, '{"a":1}\n');
  const sizes = await listLoaded(['count', 'properties["a"] == 1', file]);
  expect(sizes.length).toBeLessThan(20);
  expect(add(sizes)).toBeLessThan(450_000);
});
