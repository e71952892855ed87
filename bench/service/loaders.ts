import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { resolveProjectPath } from '../files/tool.ts';
import { CLI, findStoreFile, makeDataFolder } from './data-folder.ts';
import { readPeakMemory, readProcessorSeconds } from './process-usage.ts';

/** The result of loading events. */
export interface Load {
  readonly seconds: number;
  /** The processor time in seconds. */
  readonly processor: number;
  /** In MB. */
  readonly memory: number;
  /** The size of the database file. */
  readonly bytes: number;
  /** The number of events after loading. */
  readonly events: number;
}

/** Runs SQL that creates `events` with DuckDB, in its own process, in a file like those of the store. */
export function loadWithDuckDb(sql: string, folder: string, memoryLimit?: string): Load {
  const file = join(folder, 'events.duckdb');
  const options = {
    temp_directory: join(folder, 'temporary'),
    ...(memoryLimit !== undefined && { memory_limit: memoryLimit }),
  };
  const script = `
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create(':memory:', ${JSON.stringify(options)})).connect();
    await connection.run(${JSON.stringify(`ATTACH '${file}' AS loaded (STORAGE_VERSION 'v1.2.0'); USE loaded`)});
    const start = performance.now();
    await connection.run(${JSON.stringify(sql)});
    await connection.run('CHECKPOINT');
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage();
    const counted = await connection.runAndReadAll('SELECT count(*)::INTEGER FROM events');
    console.log(JSON.stringify({
      seconds,
      processor: (user + system) / 1e6,
      memory: process.resourceUsage().maxRSS / 1024,
      events: counted.getRows()[0][0],
    }));`;
  const args = ['--input-type=module', '--eval', script];
  const printed = execFileSync(process.execPath, args, { cwd: resolveProjectPath('.'), encoding: 'utf8' });
  return { ...JSON.parse(printed), bytes: statSync(file).size };
}

/** Imports a file of events into a new dataset `bench` of a new data folder. */
export async function loadWithCommand(file: string, folder: string, ...options: string[]): Promise<Load> {
  makeDataFolder(folder);
  return importWithCommand(file, folder, 'bench', ...options);
}

/** Imports a file of events into a dataset of the project `bench`. */
export async function importWithCommand(
  file: string,
  folder: string,
  dataset: string,
  ...options: string[]
): Promise<Load> {
  const start = performance.now();
  const place = ['--project', 'bench', '--dataset', dataset, '--data', folder];
  const child = spawn(process.execPath, [CLI, 'import', file, ...place, ...options]);
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  let [memory, processor] = [0, 0];
  const watch = setInterval(() => {
    memory = readPeakMemory(child.pid) ?? memory;
    processor = readProcessorSeconds(child.pid) || processor;
  }, 100);
  await once(child, 'close');
  clearInterval(watch);
  const seconds = (performance.now() - start) / 1000;
  const events = Number(/^[\d,]+/.exec(printed)?.[0].replaceAll(',', ''));
  return { seconds, processor, memory, bytes: statSync(findStoreFile(folder, dataset)).size, events };
}
