import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BenchError } from './bench-error.ts';

const HERE = new URL('./', import.meta.url);

/**
 * Installs the peers of `bench/package.json` if they are missing.
 *
 * @throws {BenchError} if the npm registry cannot be reached.
 */
export function installPeers(): void {
  if (
    Object.entries(readDependencies('package.json')).every(([name, version]) => readInstalledVersion(name) === version)
  )
    return;
  console.log('Installing the other libraries (npm install in bench/) …');
  const { status } = spawnSync('npm', ['install', '--silent'], { cwd: fileURLToPath(HERE), stdio: 'ignore' });
  if (status !== 0) {
    throw new BenchError(
      'The peers could not be installed from the npm registry. Run `npm install` in bench/ to see why.',
    );
  }
}

function readInstalledVersion(name: string): string | undefined {
  const path = `node_modules/${name}/package.json`;
  return existsSync(new URL(path, HERE)) ? JSON.parse(readFileSync(new URL(path, HERE), 'utf8')).version : undefined;
}

function readDependencies(path: string): Record<string, string> {
  return JSON.parse(readFileSync(new URL(path, HERE), 'utf8')).dependencies;
}
