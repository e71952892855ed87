import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProcess } from '../../cli/cli-process.ts';
import { runStatements } from '../../cli/query-files.ts';
import { runCli } from '../../cli/run-cli.ts';
import { type Play, startPlay } from './play.ts';

const NAME = 'a"b<c>&d.ndjson';
const CONTENT = '{"a":1}\n{"a":2}\n';

let folder: string;
let play: Play;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-play-'));
  writeFileSync(join(folder, NAME), CONTENT);
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  play = await startPlay([NAME], folder);
});
afterAll(async () => {
  await play.stop();
  rmSync(folder, { recursive: true });
});

interface Answered {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Sends a request with an unchanged path. `fetch` would normalize it. */
function ask(path: string, { method = 'GET', headers = {} } = {}): Promise<Answered> {
  const { hostname, port } = new URL(play.address);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, async (response) => {
      resolve({ status: response.statusCode, headers: response.headers, body: await text(response) });
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('server of onwhere play', () => {
  it('serves the page with the name of the file', async () => {
    const { status, headers, body } = await ask('/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain('<meta name="onwhere-file" content="a&#34;b&#60;c&#62;&#38;d.ndjson"');
    expect(headers['content-security-policy']).toBe("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('serves everything that the page requests', async () => {
    const { body } = await ask('/');
    const paths = Array.from(body.matchAll(/(?:src|href)="\.(\/[^"]+)"/g), ([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths) expect([path, (await ask(path)).status]).toEqual([path, 200]);
  });

  it('serves the current content of the file', async () => {
    expect((await ask('/events')).body).toBe(CONTENT);
    writeFileSync(join(folder, NAME), '{}\n');
    expect((await ask('/events')).body).toBe('{}\n');
    rmSync(join(folder, NAME));
    expect(await ask('/events')).toMatchObject({ status: 500, body: 'The file can no longer be read.' });
    mkdirSync(join(folder, NAME));
    expect(await ask('/events')).toMatchObject({ status: 500, body: 'The file can no longer be read.' });
    rmdirSync(join(folder, NAME));
    writeFileSync(join(folder, NAME), CONTENT);
  });

  it.skipIf(process.platform === 'win32')('does not wait for a pipe that took the place of the file', async () => {
    rmSync(join(folder, NAME));
    execFileSync('mkfifo', [join(folder, NAME)]);
    expect(await ask('/events')).toMatchObject({ status: 500, body: 'The file can no longer be read.' });
    rmSync(join(folder, NAME));
    writeFileSync(join(folder, NAME), CONTENT);
  });

  it.each([
    '/../secret.txt',
    '/secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/../../cli.js',
    '/..%2fcli.js',
    '/assets',
    '/assets/',
    '//etc/passwd',
    '/events/',
    '/events/../events',
    '/index.html/',
    `/${NAME.replace(/[^\w.]/g, '')}`,
    'http://127.0.0.1/',
    '*',
  ])('responds with 404 to %s', async (path) => {
    expect(await ask(path)).toMatchObject({ status: 404, body: 'Not found.' });
  });

  it.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1:1', 'localhost.evil.example'])(
    'refuses the host %o',
    async (host) => {
      const headers = { Host: host };
      expect(await ask('/events', { headers })).toMatchObject({ status: 421 });
      expect(await ask('/', { headers })).toMatchObject({ status: 421 });
    },
  );

  it('accepts the host localhost', async () => {
    const headers = { Host: `localhost:${new URL(play.address).port}` };
    expect(await ask('/events', { headers })).toMatchObject({ status: 200, body: CONTENT });
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('refuses %s', async (method) => {
    expect(await ask('/events', { method })).toMatchObject({ status: 405 });
  });

  it('responds to HEAD without a body', async () => {
    expect(await ask('/events', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    expect(await ask('/', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
  });

  it('cannot be reached from other machines', async () => {
    const outside = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
    const { port } = new URL(play.address);
    for (const { address, internal, family } of outside) {
      if (internal || family !== 'IPv4') continue;
      await expect(fetch(`http://${address}:${port}/`)).rejects.toThrow();
    }
  });

  it('does not let other sites read the file', async () => {
    const { headers } = await ask('/events', { headers: { Origin: 'https://evil.example' } });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  });
});

describe('onwhere play', () => {
  it('ends on Ctrl-C, even in the middle of a response', async () => {
    const other = await startPlay([], folder);
    await fetch(other.address);
    expect(await other.stop()).toEqual({ code: 130, err: '' });
  });

  it('serves no events without a file', async () => {
    const other = await startPlay([], folder);
    expect((await fetch(`${other.address}events`)).status).toBe(404);
    expect(await (await fetch(other.address)).text()).toContain('<meta name="onwhere-file" content=""');
    await other.stop();
  });

  it.each([
    ['none.ndjson', 3, 'error: No such file: none.ndjson\n'],
    ['test', 2, 'error: test is not a file\n'],
    [
      '-',
      2,
      'error: play cannot read standard input, because each load of the page reads the file. Name a file, or choose one on the page.\n',
    ],
  ])('refuses %s', async (file, code, err) => {
    expect(await runCli(['play', file])).toEqual({ code, out: '', err });
  });

  it('gives the page the options that say how to read the file, and prints what it found', async () => {
    writeFileSync(join(folder, 'orders.csv'), 'Created;Customer;Kind\n2025-06-01;a;"buy"\n2025-06-02;b;"buy"\n');
    const other = await startPlay(['orders.csv', '--user', 'none', '--event-column', 'Kind', '--flatten'], folder);
    const [, content = ''] = /<meta name="onwhere-reading" content="([^"]*)"/.exec(
      await (await fetch(other.address)).text(),
    ) ?? [''];
    const given = { user: 'none', event: 'Kind', flatten: true, header: true };
    expect(JSON.parse(content.replaceAll('&#34;', '"'))).toEqual(given);
    const err = 'orders.csv: CSV separated by ";"\ntime: Created (ISO), user: none, event: Kind\n';
    expect(await other.stop()).toEqual({ code: 130, err });
  });

  it.each(['parquet', 'duckdb'] as const)('serves a .%s file as NDJSON', async (kind) => {
    const file = join(folder, `table.${kind}`);
    const rows = "SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t(n, name)";
    await runStatements(
      kind === 'parquet'
        ? [`COPY (${rows}) TO '${file}' (FORMAT parquet)`]
        : [`ATTACH '${file}' AS file`, `CREATE TABLE file.t AS ${rows}`, 'DETACH file'],
    );
    const other = await startPlay([file], folder);
    expect(await (await fetch(`${other.address}events`)).text()).toBe('{"n":1,"name":"a"}\n{"n":2,"name":"b"}\n');
    await other.stop();
  });

  it.skipIf(!('zstdCompressSync' in zlib))('serves a file packed with zstd unpacked', async () => {
    const { zstdCompressSync } = zlib as unknown as { zstdCompressSync: (bytes: string) => Buffer };
    writeFileSync(join(folder, 'events.ndjson.zst'), zstdCompressSync(CONTENT));
    const other = await startPlay(['events.ndjson.zst'], folder);
    expect(await (await fetch(`${other.address}events`)).text()).toBe(CONTENT);
    await other.stop();
  });

  it('refuses a column that no record has, and files without records', async () => {
    expect(await runCli(['play', join(folder, NAME), '--time', 'b'])).toEqual({
      code: 2,
      out: '',
      err: 'error: --time: the first records have no column "b". They have: a\n',
    });
    writeFileSync(join(folder, 'a.pdf'), '%PDF-1.7\n');
    expect(await runCli(['play', join(folder, 'a.pdf')])).toMatchObject({
      code: 3,
      err: expect.stringContaining('a.pdf is a PDF document. onwhere reads'),
    });
  });

  it('reports that a port is in use', async () => {
    const { port } = new URL(play.address);
    const expected = { code: 2, out: '', err: `error: Port ${port} is in use. Choose another with --port.\n` };
    // Only the build has the files of the page.
    expect(await runProcess(['play', '--port', port])).toEqual(expected);
  });

  it.each(['x', '-1', '70000', '1.5'])('refuses port %s', async (port) => {
    const { code, err } = await runCli(['play', `--port=${port}`]);
    expect([code, err]).toEqual([2, expect.stringContaining('Expected a port from 0 to 65535.')]);
  });
});

it('ships the licences of the libraries in the page', () => {
  const notices = readFileSync(new URL('../../../dist/page/THIRD-PARTY-NOTICES.txt', import.meta.url), 'utf8');
  const packages = Array.from(notices.matchAll(/^={80}\n(\S+) \S+ \((.*)\)$/gm), ([, name, licence]) => [
    name,
    licence,
  ]);
  expect(packages).toContainEqual(['@codemirror/view', 'MIT']);
  expect(packages).toContainEqual(['preact', 'MIT']);
  expect(packages).toContainEqual(['csv-parse', 'MIT']);
  expect(packages).toContainEqual(['chevrotain', 'Apache-2.0']);
  expect(new Set(packages.map(([, licence]) => licence))).toEqual(new Set(['Apache-2.0', 'MIT']));
});
