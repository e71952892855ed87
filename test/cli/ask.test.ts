import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServerProcess, TestFolder } from '../end-to-end/server-process.ts';
import { startChild } from '../spawned.ts';
import { PROGRAM } from './cli-process.ts';
import { type CliResult, runCli } from './run-cli.ts';

const COMMAND = ['segmentation', '--event', 'buy', '--from-date', '2025-06-01', '--to-date', '2025-06-02'];
const NO_NAME = 'warning: No event is called "buy".\n';
const NO_EVENTS = ['            buy', '2025-06-01    0', '2025-06-02    0', 'total         0', ''].join('\n');

let folder: TestFolder;
let server: ServerProcess;
let ca: string[];
let env: { readonly ONWHERE_SERVER: string; readonly ONWHERE_SECRET: string };

const onwhere = (args: readonly string[]): Promise<CliResult> => runCli(args, { env });

beforeAll(async () => {
  folder = TestFolder.make();
  server = await ServerProcess.startWith(folder);
  ca = ['--ca', join(folder.path, 'certificate.pem')];
  env = { ONWHERE_SERVER: server.address, ONWHERE_SECRET: folder.secret };
});
afterAll(async () => {
  await server.kill();
  folder.remove();
});

it('query commands use the server of the environment', async () => {
  expect(await onwhere([...COMMAND, ...ca])).toEqual({ code: 0, err: NO_NAME, out: NO_EVENTS });
});

it('commands for files read a server', async () => {
  const server = ['--server', env.ONWHERE_SERVER, ...ca];
  expect(await onwhere(['count', 'user["a"] == 1', ...server])).toEqual({ code: 0, err: '', out: '0\n' });
  expect(await onwhere(['describe', ...server])).toEqual({ code: 0, err: '', out: 'No records.\n' });
  expect(await onwhere(['count', 'true', ...server, '--secret', 'wrong'])).toMatchObject({ code: 2, out: '' });
  // Without an option, they read standard input, which is no terminal here.
  expect(await runCli(['count', 'true'], { env, input: '{"a":1}' })).toEqual({ code: 0, err: '', out: '1\n' });
});

it('query commands print the JSON or CSV of the response', async () => {
  const values = { buy: { '2025-06-01': 0, '2025-06-02': 0 } };
  const { out } = await onwhere([...COMMAND, ...ca, '--json']);
  expect(JSON.parse(out)).toEqual({ data: { series: Object.keys(values.buy), values }, legend_size: 1 });
  expect(out.endsWith('}\n')).toBe(true);
  const dates = COMMAND.slice(3);
  const csv = await onwhere(['events', '--event', 'buy', '--event', 'a, b', ...dates, ...ca, '--csv']);
  expect(csv.out).toBe('date,buy,"a, b"\r\n2025-06-01,0,0\r\n2025-06-02,0,0\r\n');
});

it('query commands show as many intervals of retention as the dates have, and ask for users in all', async () => {
  const dates = ['--from-date', '2025-06-01', '--to-date', '2025-06-03', ...ca];
  const retention = await onwhere(['retention', '--born-event', 'buy', ...dates]);
  expect(retention.out.split('\n')[0]).toMatch(/^ +users +0 +1 +2$/);
  const users = await onwhere(['events', '--event', 'buy', '--type', 'unique', '--by', 'day', ...dates]);
  expect(users.out).toMatch(/^in all +0$/m);
});

it('query commands show retention, frequency and funnels of long ranges in few periods', async () => {
  const dates = ['--from-date', '2024-07-01', '--to-date', '2025-06-30', ...ca];
  const retention = await onwhere(['retention', '--born-event', 'buy', ...dates]);
  expect(retention.err).toContain('note: By month: --by sets another unit');
  expect(retention.out.split('\n').filter((line) => /^20\d\d-/.test(line))).toHaveLength(12);
  const funnel = await onwhere(['funnel', '--steps', 'buy,sell', ...dates]);
  expect(funnel.out.split('\n').filter((line) => /^20\d\d-/.test(line))).toHaveLength(53);
  const frequency = await onwhere(['retention', 'addiction', ...dates]);
  expect(frequency.out.split('\n').filter((line) => /^20\d\d-/.test(line))).toHaveLength(12);
  // The JSON is that of the service, whose default is a day.
  const { out } = await onwhere(['retention', '--born-event', 'buy', ...dates, '--json']);
  expect(Object.keys(JSON.parse(out))).toHaveLength(365);
  const days = await onwhere(['funnel', '--steps', 'buy,sell', ...dates, '--by', 'day']);
  expect(days.out.split('\n').filter((line) => /^20\d\d-/.test(line))).toHaveLength(365);
});

it('query commands read a data folder with --project if no server has it open', async () => {
  const other = TestFolder.make();
  const args = [...COMMAND, '--project', 'shop', '--data'];
  const [open, free] = await Promise.all([onwhere([...args, folder.path]), onwhere([...args, other.path])]);
  other.remove();
  expect([open.code, open.out]).toEqual([2, '']);
  expect(open.err).toContain('pass --server and --secret instead of --project');
  expect(free).toEqual({ code: 0, err: NO_NAME, out: NO_EVENTS });
});

it('query commands report errors in one line', async () => {
  const cases = [
    [['--secret', 'wrong', ...ca], 2, 'secret'],
    [[], 3, 'To trust it, pass its file with --ca'],
    [['--ca', fileURLToPath(import.meta.url)], 2, 'ask.test.ts is not a PEM certificate'],
    [['--ca', 'none'], 3, 'No such file: none'],
    [[...ca, '--limit', '0'], 2, 'Invalid parameter: limit. Expected an integer from 1 to 10,000.'],
    [['--server', 'localhost:8443'], 2, 'Pass a URL such as https://localhost:8443'],
    [['--project', 'sale', '--data', folder.path], 2, 'there is no project sale: there is shop'],
  ] as const;
  const results = await Promise.all(cases.map(([args]) => onwhere([...COMMAND, ...args])));
  for (const [index, [args, code, message]] of cases.entries()) {
    expect([args, results[index]?.code, results[index]?.out]).toEqual([args, code, '']);
    expect(results[index]?.err).toContain(message);
    expect(results[index]?.err.trimEnd().split('\n')).toHaveLength(1);
  }
});

it('query commands say what to name if there is nothing to read', async () => {
  const withoutSecret = await runCli(COMMAND, { env: { ONWHERE_SERVER: env.ONWHERE_SERVER } });
  const withoutServer = await runCli(COMMAND);
  expect([withoutSecret.code, withoutSecret.err]).toEqual([
    2,
    expect.stringContaining('in ONWHERE_SECRET or with --secret'),
  ]);
  expect([withoutServer.code, withoutServer.err]).toEqual([
    3,
    expect.stringContaining('or --project and --data to query a data folder'),
  ]);
});

it('Ctrl-C ends a query command', async () => {
  const slow = createServer().listen(0, '127.0.0.1');
  await once(slow, 'listening');
  const address = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
  const child = startChild(process.execPath, [PROGRAM, 'people', '--server', address, '--secret', 'any']);
  const [request] = await once(slow, 'request');
  const closed = once(request.socket, 'close');
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([130, null]);
  await closed;
  slow.close();
});
