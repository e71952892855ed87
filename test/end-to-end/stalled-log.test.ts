import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { PROGRAM } from '../cli/cli-process.ts';
import { startChild } from '../spawned.ts';
import { TestFolder } from './server-process.ts';

/** The log lines of this many requests exceed the buffers of the server and the system. */
const REQUESTS = 20_000;

it('a server whose log is not read responds, counts dropped lines and ends on SIGTERM', async () => {
  const folder = TestFolder.make();
  const args = [PROGRAM, 'serve', '--data', folder.path, '--port', '0', '--allow-http'];
  const child = startChild(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr?.pause();
  const [greeting] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  const address = /http:\/\/127\.0\.0\.1:(\d+)/.exec(String(greeting));
  const socket = connect(Number(address?.[1]), '127.0.0.1');
  let responses = 0;
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    responses += chunk.split('{"status":"ok"}').length - 1;
  });
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(REQUESTS));
  // A response that arrives in two chunks is not counted.
  await expect.poll(() => responses, { timeout: 60_000 }).toBeGreaterThan(REQUESTS * 0.9);
  const metrics = await fetch(`${address?.[0]}/metrics`).then((response) => response.text());
  expect(metrics).toMatch(/onwhere_background_events_total\{kind="log line dropped"\} [1-9]/);
  socket.destroy();
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  folder.remove();
}, 120_000);
