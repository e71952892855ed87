import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { resolveProjectPath } from '../files/tool.ts';

/** The timed program. */
export const CLI = resolveProjectPath('dist/cli/main.js');

/** The credentials of a project: the secret, and the token that its records contain. */
export interface Keys {
  readonly secret: string;
  readonly token: string;
}

/** Creates a data folder with a project and a dataset, both called `bench`. */
export function makeDataFolder(folder: string): Keys {
  const keys: Keys = JSON.parse(runOnwhere('project', 'create', 'bench', '--data', folder, '--json'));
  runOnwhere('dataset', 'create', 'bench', '--project', 'bench', '--data', folder);
  return keys;
}

/** Returns the path of the database file of the only version of a dataset. */
export function findStoreFile(folder: string, dataset: string): string {
  const versions = join(folder, 'projects/bench/datasets', dataset, 'versions');
  return join(versions, readdirSync(versions)[0] ?? '', 'store/store.duckdb');
}

/** Runs the command line until it exits; returns its output. */
export function runOnwhere(...args: string[]): string {
  return execFileSync(process.execPath, [CLI, ...args], { encoding: 'utf8' });
}
