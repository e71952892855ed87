import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

let folder: string;
let data: string;

const EVENTS = ['view', 'buy', 'view'].map((event, index) =>
  JSON.stringify({ event, properties: { distinct_id: `u${index}`, time: 1_750_000_000 + index * 86_400 } }),
);
const PEOPLE = Array.from({ length: 1_001 }, (_, index) =>
  JSON.stringify({ $distinct_id: `u${1_000 + index}`, $properties: { plan: index % 2 === 0 ? 'pro' : 'free' } }),
);

const toText = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

function runExport(...args: readonly string[]) {
  return runCli(['export', ...args, '--project', 'shop', '--data', data]);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onwhere-export-'));
  data = join(folder, 'data');
  const file = join(folder, 'all.ndjson');
  await writeFile(file, toText([...EVENTS, ...PEOPLE]));
  for (const args of [
    ['project', 'create', 'shop', '--data', data],
    ['dataset', 'create', 'orders', '--project', 'shop', '--data', data],
    ['import', file, '--project', 'shop', '--dataset', 'orders', '--data', data],
  ])
    expect((await runCli(args)).code).toBe(0);
});
afterAll(() => rm(folder, { recursive: true }));

describe('onwhere export', () => {
  it('prints the events that were imported', async () => {
    expect(await runExport()).toMatchObject({ code: 0, out: toText(EVENTS), err: '' });
    const [, second] = EVENTS;
    expect((await runExport('events', '--from-time', '1750000001', '--event', 'buy')).out).toBe(`${second}\n`);
    expect((await runExport('--where', 'properties["distinct_id"] == "u1"')).out).toBe(`${second}\n`);
  });

  it('prints all pages of people', async () => {
    expect((await runExport('people')).out).toBe(toText(PEOPLE));
    const pro = await runExport('people', '--where', 'properties["plan"] == "pro"');
    expect(pro.out).toBe(toText(PEOPLE.filter((_, index) => index % 2 === 0)));
  });

  it('writes a whole file, compressed by its name, or none', async () => {
    const file = join(folder, 'out.ndjson.gz');
    await writeFile(file, 'before');
    const failed = await runExport('--output', file, '--where', 'properties["time"] and true');
    expect([failed.code, await readFile(file, 'utf8')]).toEqual([1, 'before']);
    expect((await runExport('--output', file)).code).toBe(0);
    expect(gunzipSync(await readFile(file)).toString()).toBe(toText(EVENTS));
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('says what it cannot write, and leaves nothing', async () => {
    const before = await readdir(folder);
    const missing = join(folder, 'missing', 'out.ndjson');
    for (const path of [missing, folder]) {
      const { code, err } = await runExport('--output', path);
      expect([code, err]).toEqual([2, expect.stringContaining(`Cannot write ${path}: `)]);
    }
    expect(await readdir(folder)).toEqual(before);
    expect((await readdir(tmpdir())).filter((name) => name.startsWith(`${basename(folder)}.`))).toEqual([]);
  });

  it('refuses dates for people', async () => {
    const { code, err } = await runExport('people', '--from-date', '2025-06-01');
    expect([code, err]).toEqual([2, expect.stringContaining('--from-date is for events')]);
  });
});
