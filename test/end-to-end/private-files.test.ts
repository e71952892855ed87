import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Client } from './client.ts';
import { onwhere, ServerProcess, TestFolder } from './server-process.ts';

let folder: TestFolder;
let umask: number;

beforeEach(() => {
  umask = process.umask(0o022);
  folder = TestFolder.make();
});

afterEach(() => {
  folder.remove();
  process.umask(umask);
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

it('files of the server and of commands are private, except for the certificate', async () => {
  const server = await ServerProcess.start(folder);
  const client = new Client(folder, server);
  const { version_id: version } = await client.create();
  const time = 1_750_000_000;
  await client.import('events', version, [client.event({ distinct_id: 'ann', time })]);
  await client.import('people', version, [client.person('ann', { $set: { plan: 'pro' } })]);
  await client.setState(version, { readable: true, writable: true });
  await client.untilReady(version);
  // Leave one event in the log when the server ends.
  await client.import('events', (await client.create()).version_id, [client.event({ distinct_id: 'ann', time })]);
  await client.request('GET', '/api/2.0/engage');
  await client.request('GET', '/api/2.0/annotations/create', { date: '2025-06-01 00:00:00', description: 'x' });
  const file = join(folder.path, 'more.ndjson');
  writeFileSync(file, JSON.stringify({ event: 'order', properties: { distinct_id: 'ann', time } }), { mode: 0o600 });
  const where = ['--project', 'shop', '--data', folder.path];
  const steps = ['--step', 'order', '--step', 'order', '--length', '1', '--length-unit', 'day'];
  expect(onwhere('import', file, '--dataset', 'orders', ...where).status).toBe(0);
  expect(onwhere('funnel', 'create', 'Buying', ...steps, ...where).status).toBe(0);
  expect(onwhere('secret', 'create', 'web', '--scope', 'query', ...where).status).toBe(0);
  const modes = new Map(
    readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).map((path) => [
      path,
      modeOf(join(folder.path, path)),
    ]),
  );
  await server.kill();
  const found = (name: RegExp) => [...modes.keys()].some((path) => name.test(path));
  for (const name of [/store\.duckdb$/, /events\/\d+\.ndjson$/, /people\//, /^sessions\/./, /annotations\/.*json$/])
    expect([name, found(name)]).toEqual([name, true]);
  expect(modes.get('certificate.pem')).toBe('644');
  modes.delete('certificate.pem');
  expect([...modes].filter(([, mode]) => !/^[67]00$/.test(mode))).toEqual([]);
});

it('the server creates a private folder and warns about a folder that others can read', async () => {
  const created = { path: join(folder.path, 'made') };
  const first = await ServerProcess.start(created);
  await first.stop();
  expect(modeOf(created.path)).toBe('700');
  expect(first.output).not.toContain('other users');
  chmodSync(created.path, 0o750);
  const second = await ServerProcess.start(created);
  await second.stop();
  expect(second.output).toContain('other users can read or write');
});
