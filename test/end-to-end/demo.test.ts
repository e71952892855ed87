import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServerProcess } from './server-process.ts';

let folder: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-demo-'));
  server = await ServerProcess.start({ path: join(folder, 'a folder') }, '--demo');
});
afterAll(async () => {
  await server.kill();
  rmSync(folder, { recursive: true });
});

it('onwhere serve --demo prints commands that work when pasted', async () => {
  await expect.poll(() => server.output.match(/^ {2}curl .+$/gm)).toHaveLength(4);
  const lines = server.output.match(/^ {2}curl .+$/gm) as string[];
  const [purchases, list, imported, created] = lines.map((line) =>
    execFileSync('bash', ['-c', line], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const { series, values } = JSON.parse(purchases as string).data;
  expect([series.length, Object.keys(values)]).toEqual([7, ['free', 'pro', 'team', 'null']]);
  expect(JSON.parse(list as string).data).toMatchObject([{ is_live: true, state: { ready: true } }]);
  expect(imported).toBe('1');
  expect(JSON.parse(created as string).data).toMatchObject({ is_live: false, state: { writable: true } });
});
