import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startChild } from '../spawned.ts';
import { PROGRAM, runProcess } from './cli-process.ts';

let folder: string;
let child: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onwhere-serve-'));
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

/** Starts the service and returns its first line of output. */
async function start(...args: string[]): Promise<string> {
  child = startChild(process.execPath, [PROGRAM, 'serve', '--data', join(folder, 'data'), '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) return line;
  throw new Error('The service printed nothing.');
}

function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    https
      .get(url, { rejectUnauthorized: false, agent: false }, ({ statusCode }) => resolve(statusCode))
      .on('error', reject);
  });
}

describe('onwhere serve', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('prints its URL, responds there and exits cleanly on %s', async (signal) => {
    const [url] = /https:\/\/127\.0\.0\.1:\d+\/$/.exec(await start()) ?? [];
    expect(await statusOf(`${url}healthz`)).toBe(200);
    expect(await statusOf(`${url}datasets/a/versions`)).toBe(401);
    child?.kill(signal);
    expect(await once(child as ChildProcess, 'exit')).toEqual([0, null]);
  });

  it('prints an http URL if it accepts plain HTTP', async () => {
    expect(await start('--allow-http')).toMatch(/ http:\/\/127\.0\.0\.1:\d+\/$/);
  });

  it('reads a configuration file', async () => {
    const config = join(folder, 'on.json');
    await writeFile(config, '{"host": "localhost"}');
    expect(await start('--config', config)).toMatch(/ https:\/\/localhost:\d+\/$/);
  });

  it('reports errors in one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const file = join(folder, 'file');
    await writeFile(file, 'no certificate');
    const data = ['--data', join(folder, 'data')];
    const cases = [
      [['--port', String(port)], 2, `port ${port} on 127.0.0.1 is in use`],
      [['--port', 'x'], 2, '--port takes a number up to 65535'],
      [['--allow-http', '--host', '0.0.0.0'], 2, 'allow-http requires a loopback host'],
      [['--tls-cert', file], 2, 'tls-cert and tls-key go together'],
      [['--tls-cert', file, '--tls-key', file], 3, 'are not a certificate and its key'],
      [['--tls-cert', 'none', '--tls-key', file], 3, 'none cannot be read'],
      [['--config', 'none'], 3, 'No such file: none'],
      [['--config', file], 2, 'is not JSON'],
      [['--data', join(file, 'data')], 3, 'ENOTDIR'],
      [['--store', 'clickhouse', '--clickhouse-url', 'nowhere'], 3, 'URL is malformed'],
      [['--store', 'clickhouse', '--clickhouse-url', 'http://user:hidden@127.0.0.1:1'], 3, 'ECONNREFUSED'],
    ] as const;
    for (const [args, code, text] of cases) {
      const result = await runProcess(['serve', ...data, ...args]);
      const lines = result.err.trimEnd().split('\n');
      expect([args, result.code, result.out, lines]).toEqual([args, code, '', [expect.stringContaining(text)]]);
      expect(result.err).not.toContain('hidden');
    }
    const made = await runProcess(['project', 'create', 'shop', '--data', join(file, 'data')]);
    expect([made.code, made.err]).toEqual([3, expect.stringMatching(/^error: system error: ENOTDIR.*\n$/)]);
    taken.close();
  });
});
