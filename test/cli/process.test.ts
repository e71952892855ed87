import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../package.json';
import { eventually } from '../eventually.ts';
import { startChild } from '../spawned.ts';
import { PROGRAM, runProcess } from './cli-process.ts';

/** Enough lines for the program to use worker threads. */
const MANY_LINES = 3_000_000;

let folder = '';
const path = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-process-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('the build runs and prints its version', async () => {
  expect(await runProcess(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
});

it('the process exits with the code of the command', async () => {
  const wrong = await runProcess(['check', 'a = 1']);
  expect([wrong.code, wrong.err]).toEqual([1, '']);
  expect(wrong.out).toContain('[single-equals]');
  const unknown = await runProcess(['cuont', 'true']);
  expect([unknown.code, unknown.out]).toEqual([2, '']);
  expect(unknown.err).toContain('Did you mean count?');
});

it('the process reads environment variables', async () => {
  const env = { ONWHERE_DATA: path('data') };
  expect((await runProcess(['project', 'create', 'shop'], { env })).code).toBe(0);
  expect((await runProcess(['project', 'list', '--data', path('data')])).out).toContain('shop');
});

describe('standard input', () => {
  it('can be a pipe with more data than one thread handles', async () => {
    const input = Array.from({ length: 200_000 }, (_, id) => `{"id":${id}}\n`).join('');
    const { code, out } = await runProcess(['segment', 'properties["id"]', '--limit', '200000'], { input });
    expect(code).toBe(0);
    expect(out.split('\n')).toHaveLength(200_002);
  });

  it('cannot be a directory', async () => {
    const directory = openSync(folder, 'r');
    const child = startChild(process.execPath, [PROGRAM, 'count', 'true'], { stdio: [directory, 'pipe', 'pipe'] });
    closeSync(directory);
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    expect({ code, out, err }).toEqual({ code: 3, out: '', err: 'error: standard input is a directory\n' });
  });
});

it.each([1, MANY_LINES])('exits quietly when the reader closes the pipe after %i lines', async (lines) => {
  const script = `set -o pipefail; yes '{"a":1}' 2>&- | node "${PROGRAM}" filter true | head -n ${lines} | tail -n 1`;
  const child = startChild('bash', ['-c', `{ ${script}; echo "codes \${PIPESTATUS[1]}"; }`]);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect({ stdout, stderr }).toEqual({ stdout: '{"a":1}\ncodes 0\n', stderr: '' });
});

it.each([1, 8 * MANY_LINES])('exits quietly on Ctrl-C after %i bytes of output', async (bytes) => {
  const child = startChild(process.execPath, [PROGRAM, 'filter', 'true']);
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text;
  });
  child.stdin.on('error', () => undefined).write('{"a":1}\n'.repeat(MANY_LINES + 100_000));
  await new Promise<void>((resolve) => {
    let read = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read >= bytes) resolve();
    });
  });
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  expect({ code, err }).toEqual({ code: 130, err: '' });
});

it('a query of files that need a database leaves no temporary files on Ctrl-C', async () => {
  const temporary = path('temporary');
  mkdirSync(temporary);
  const event = (id: number) => `{"event":"buy","properties":{"time":${1_748_736_000 + id},"distinct_id":"${id}"}}\n`;
  writeFileSync(path('many.ndjson'), Array.from({ length: 400_000 }, (_, id) => event(id)).join(''));
  const env = { ...process.env, TMPDIR: temporary };
  const child = startChild(process.execPath, [PROGRAM, 'top', path('many.ndjson'), '--memory-limit', '60MB'], { env });
  child.stdin.end();
  await eventually(() => expect(readdirSync(temporary)).toHaveLength(1));
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  expect([code, readdirSync(temporary)]).toEqual([130, []]);
});

describe('a command for files that reads a project', () => {
  const COMMAND = ['filter', 'properties["n"] >= 0'];
  const events = (count: number) =>
    Array.from({ length: count }, (_, n) => {
      return `{"event":"buy","properties":{"time":${1_748_736_000 + n},"distinct_id":"${n % 100}","n":${n}}}\n`;
    }).join('');

  /** Sends Ctrl-C to a command that has printed some records and has more to read. Returns its code and what it left. */
  async function interrupt(args: readonly string[], name: string): Promise<unknown[]> {
    const temporary = path(name);
    mkdirSync(temporary);
    const env = { ...process.env, TMPDIR: temporary };
    const child = startChild(process.execPath, [PROGRAM, ...COMMAND, ...args], { env });
    child.stdin.end();
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      err += text;
    });
    // The rest waits in the pipe, which is full.
    await once(child.stdout, 'readable');
    child.kill('SIGINT');
    child.stdout.resume();
    const [code] = await once(child, 'close');
    return [code, err, readdirSync(temporary)];
  }

  it('leaves no temporary files and no lock on Ctrl-C in a data folder', async () => {
    writeFileSync(path('project.ndjson'), events(100_000));
    const data = ['--data', path('project-data')];
    const project = ['--project', 'interrupted', ...data];
    for (const args of [
      ['project', 'create', 'interrupted', ...data],
      ['dataset', 'create', 'orders', ...project],
      ['import', path('project.ndjson'), '--dataset', 'orders', ...project],
    ])
      expect(await runProcess(args)).toMatchObject({ code: 0 });
    expect(await interrupt(project, 'temporary-project')).toEqual([130, '', []]);
    expect(await runProcess(['count', 'true', ...project])).toEqual({ code: 0, out: '100000\n', err: '' });
  });

  it('leaves no temporary files and no connection on Ctrl-C on a server', async () => {
    const server = createServer((request, response) => {
      const isExport = request.url === '/api/2.0/export';
      response.setHeader('content-type', isExport ? 'application/x-ndjson' : 'application/json');
      if (isExport) response.write(events(50_000));
      else response.end('{"name":"shop","time_zone":"UTC"}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const options = ['--server', address, '--secret', 'any'];
      expect(await interrupt(options, 'temporary-server')).toEqual([130, '', []]);
      await promisify(server.close.bind(server))();
    } finally {
      server.closeAllConnections();
    }
  });
});

describe('columns of a file large enough for worker threads', () => {
  const rows = [
    ['2025-06-01 10:00', 'ada', 'buy', 5],
    ['2025-06-02 11:00', 'ben', 'return', 7],
    ['2025-06-02 12:00', 'ada', 'buy', 9],
  ];
  const names = ['made', 'who', 'what', 'amount'];
  const objects = rows.map((row) => JSON.stringify(Object.fromEntries(row.map((cell, at) => [names[at], cell]))));
  const COPIES = 80_000;

  it.each([
    ['csv', `${names.join(',')}\n`, rows.map((row) => `${row.join(',')}\n`).join('')],
    ['ndjson', '', objects.map((object) => `${object}\n`).join('')],
  ])('are those of a small file in %s', async (extension, header, body) => {
    const [small, large] = [path(`small.${extension}`), path(`large.${extension}`)];
    writeFileSync(small, header + body);
    writeFileSync(large, header + body.repeat(COPIES));
    const columns = ['--time', 'made', '--user', 'who', '--event-column', 'what'];
    for (const args of [
      ['segment', 'properties["amount"]', '--by', 'day', '--csv'],
      ['segment', 'properties["$event"]', '--event', 'buy', '--csv'],
    ]) {
      const [one, many] = [
        await runProcess([...args, ...columns, small]),
        await runProcess([...args, ...columns, large]),
      ];
      const multiplied = one.out.replace(/,(\d+)(?=[,\n])/g, (_, count) => `,${Number(count) * COPIES}`);
      const header = one.out.slice(0, one.out.indexOf('\n'));
      expect([many.code, many.out.split('\n').slice(1)]).toEqual([0, multiplied.split('\n').slice(1)]);
      expect(many.out.startsWith(header)).toBe(true);
      expect(many.err).toBe(one.err);
    }
    const unique = (file: string) => runProcess(['count', 'true', '--unique', ...columns, file]);
    expect(await unique(large)).toEqual(await unique(small));
  });
});

describe('demo', () => {
  it('writes the same sample every time and never overwrites another file', async () => {
    expect((await runProcess(['demo'], { cwd: folder })).out).toContain('Try next:');
    const sample = readFileSync(path('shop.ndjson'), 'utf8');
    expect((await runProcess(['demo'], { cwd: folder })).code).toBe(0);
    expect(readFileSync(path('shop.ndjson'), 'utf8')).toBe(sample);
    writeFileSync(path('shop.ndjson'), 'mine');
    const { code, err } = await runProcess(['demo'], { cwd: folder });
    expect(code).toBe(2);
    expect(err).toContain('shop.ndjson exists and is not the sample');
    expect(readFileSync(path('shop.ndjson'), 'utf8')).toBe('mine');
  });
});
