import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { PROGRAM } from '../cli/cli-process.ts';
import { startChild } from '../spawned.ts';
import { TestFolder } from './server-process.ts';

/** Lines of more bytes than the server and the system keep of a log. */
const REQUESTS = 20_000;

it('a server whose log nobody reads answers, counts the lines that are lost, and ends when it is asked to', async () => {
  const folder = TestFolder.make();
  const args = [PROGRAM, 'serve', '--data', folder.path, '--port', '0', '--allow-http'];
  const child = startChild(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr?.pause();
  const [greeting] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  const address = /http:\/\/127\.0\.0\.1:(\d+)/.exec(String(greeting));
  const socket = connect(Number(address?.[1]), '127.0.0.1');
  let answered = 0;
  socket.setEncoding('latin1').on('data', (text: string) => {
    answered += text.split('{"status":"ok"}').length - 1;
  });
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(REQUESTS));
  // An answer may come in two pieces, which are not counted.
  await expect.poll(() => answered, { timeout: 60_000 }).toBeGreaterThan(REQUESTS * 0.9);
  const metrics = await fetch(`${address?.[0]}/metrics`).then((response) => response.text());
  expect(metrics).toMatch(/onwhere_background_events_total\{kind="log line dropped"\} [1-9]/);
  socket.destroy();
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  folder.remove();
}, 120_000);
