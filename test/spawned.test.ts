import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startChild } from './spawned.ts';

const SPAWNED = fileURLToPath(new URL('spawned.ts', import.meta.url));
const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-spawned-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns whether a process runs. A zombie does not. */
function isRunning(pid: string): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

it.skipIf(process.platform !== 'linux').each([
  ['fails', "throw new Error('as it should')"],
  ['is terminated', "process.kill(process.pid, 'SIGTERM'); await new Promise(() => {})"],
])('kills all processes of a test that %s', async (_, end) => {
  const pids = join(folder, 'pids');
  const test = `import { once } from 'node:events';
    import { appendFileSync } from 'node:fs';
    import { startChild, startOnTerminal } from ${JSON.stringify(SPAWNED)};
    const SCRIPT = 'sleep 1000 & echo $$ $!; wait';
    it('starts some', async () => {
      const child = startChild('sh', ['-c', SCRIPT]);
      const [first] = await once(child.stdout, 'data');
      const terminal = startOnTerminal('sh', ['-c', SCRIPT], {});
      const second = await new Promise((resolve) => terminal.onData(resolve));
      appendFileSync(${JSON.stringify(pids)}, first + second);
      ${end};
    }, 600_000);`;
  rmSync(pids, { force: true });
  writeFileSync(join(folder, 'some.test.ts'), test);
  const vitest = startChild(process.execPath, [VITEST, 'run', '--globals', '--root', folder], { stdio: 'ignore' });
  expect(await once(vitest, 'close')).toEqual([1, null]);
  const started = readFileSync(pids, 'utf8').match(/\d+/g) ?? [];
  expect(started).toHaveLength(4);
  await expect.poll(() => started.filter(isRunning)).toEqual([]);
});
