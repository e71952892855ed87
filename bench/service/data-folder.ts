import { execFileSync } from 'node:child_process';
import { resolveProjectPath } from '../files/tool.ts';

/** The program that is timed. */
export const CLI = resolveProjectPath('dist/cli.js');

/** What opens a project, and what goes with its records. */
export interface Keys {
  readonly secret: string;
  readonly token: string;
}

/** Makes a data folder with a project and a dataset in it, both called `bench`. */
export function makeDataFolder(folder: string): Keys {
  const keys: Keys = JSON.parse(runOnwhere('project', 'create', 'bench', '--data', folder, '--json'));
  runOnwhere('dataset', 'create', 'bench', '--project', 'bench', '--data', folder);
  return keys;
}

/** Runs the command line to its end, and answers what it prints. */
export function runOnwhere(...args: string[]): string {
  return execFileSync(process.execPath, [CLI, ...args], { encoding: 'utf8' });
}
