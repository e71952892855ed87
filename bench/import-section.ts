import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Measurement } from './results.ts';
import { summarize } from './statistics.ts';

const HERE = new URL('./', import.meta.url);
const SCRIPT = `
  const start = performance.now();
  await import(process.argv[1]);
  console.log(performance.now() - start);
`;

/** Measures the time in milliseconds to import each package in a new process. The packages take turns. */
export function measureImports(rounds: number): Measurement[] {
  const { dependencies } = JSON.parse(readFileSync(new URL('package.json', HERE), 'utf8'));
  const packages = [
    { engine: 'onwhere', specifier: new URL('../dist/index.js', HERE).href },
    ...Object.keys(dependencies).map((name) => ({ engine: name, specifier: name })),
  ].map((one) => ({ ...one, times: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    for (const { specifier, times } of packages) times.push(timeImport(specifier));
  }
  return packages.map(({ engine, times }) => ({
    section: 'import',
    case: 'cold import',
    engine,
    metrics: { cold: summarize(times) },
  }));
}

function timeImport(specifier: string): number {
  const args = ['--input-type=module', '--eval', SCRIPT, specifier];
  return Number(spawnSync(process.execPath, args, { cwd: fileURLToPath(HERE), encoding: 'utf8' }).stdout);
}
