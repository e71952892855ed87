import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveProjectPath } from '../files/tool.ts';
import type { IsSelected } from '../options.ts';
import type { Measurement } from '../results.ts';
import { summarize } from '../statistics.ts';
import { makeDataFolder } from './data-folder.ts';
import { loadJson, loadLayout } from './load-by-hand.ts';
import { type Load, loadWithCommand, loadWithDuckDb } from './loaders.ts';
import { readPeakMemory } from './process-usage.ts';
import { Server } from './server.ts';
import { writeServiceEvents } from './service-events.ts';

/** The cases of this section. */
export const SERVICE_CASES = ['events into a store'];

type TimedLoad = Pick<Load, 'seconds' | 'memory' | 'events'>;

interface Loader {
  readonly engine: string;
  readonly load: (file: string, folder: string) => TimedLoad | Promise<TimedLoad>;
}

const LOADERS: readonly Loader[] = [
  { engine: 'DuckDB, one column of JSON, all threads', load: (file, folder) => loadWithDuckDb(loadJson(file), folder) },
  {
    engine: 'DuckDB, the same layout by hand, all threads',
    load: (file, folder) => loadWithDuckDb(loadLayout(file), folder),
  },
  { engine: 'onwhere import', load: (file, folder) => loadWithCommand(file, folder) },
  { engine: 'onwhere serve, from one client', load: loadOverHttps },
];

/**
 * Times how fast DuckDB alone, `onwhere import` and the server over HTTPS load events. All must have stored all events.
 */
export async function* measureService(
  events: number,
  rounds: number,
  isSelected: IsSelected,
): AsyncGenerator<Measurement[]> {
  if (!SERVICE_CASES.some((name) => isSelected('service', name))) return;
  const folder = mkdtempSync(join(tmpdir(), 'onwhere-service-'));
  try {
    const file = join(folder, 'events.ndjson');
    await writeServiceEvents(file, events);
    const loads = LOADERS.map(({ engine }) => ({ engine, all: [] as TimedLoad[] }));
    for (let round = 0; round < rounds; round++) {
      for (const [index, { load }] of LOADERS.entries()) {
        const data = mkdtempSync(join(folder, 'data-'));
        loads[index]?.all.push(await load(file, data));
        rmSync(data, { recursive: true });
      }
    }
    yield loads.map(({ engine, all }) => ({
      section: 'service',
      case: SERVICE_CASES[0] as string,
      engine,
      ...summarizeLoads(all, events),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function summarizeLoads(all: readonly TimedLoad[], events: number): Pick<Measurement, 'metrics' | 'failed'> {
  if (all.some((one) => one.events !== events)) return { failed: 'other number of events' };
  const wall = summarize(all.map(({ seconds }) => seconds));
  return { metrics: { wall, memory: summarize(all.map(({ memory }) => memory)) } };
}

async function loadOverHttps(file: string, folder: string): Promise<TimedLoad> {
  const { token, secret } = makeDataFolder(folder);
  const server = await Server.start(folder);
  try {
    const { address } = server;
    const id = curl(secret, `${address}datasets/bench/versions`, '-d', `token=${token}`).version_id;
    const client = resolveProjectPath('bench/.build/service/client-process.js');
    const start = performance.now();
    const sent = spawn(process.execPath, [client, address, secret, token, id, file], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = await once(sent, 'close');
    const seconds = (performance.now() - start) / 1000;
    const memory = readPeakMemory(server.pid) ?? Number.NaN;
    const log = join(folder, 'projects/bench/datasets/bench/versions', id, 'events');
    const lines = execFileSync('bash', ['-c', `cat ${log}/*.ndjson | grep -vc '^{"batch"'`], { encoding: 'utf8' });
    return { seconds, memory, events: code === 0 ? Number(lines) : Number.NaN };
  } finally {
    await server.stop();
  }
}

function curl(secret: string, ...args: string[]) {
  return JSON.parse(execFileSync('curl', ['-sk', '-u', `${secret}:`, ...args], { encoding: 'utf8' })).data;
}
