import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { BenchError } from './bench-error.ts';
import type { Summary } from './statistics.ts';

/** The parts of the benchmark. */
export type Section =
  | 'speed'
  | 'compile'
  | 'curve'
  | 'ad hoc'
  | 'import'
  | 'files'
  | 'sql'
  | 'service'
  | 'queries'
  | 'clients';

/** What an engine took on a case, or why it took nothing. Times are in the unit of the section. */
export interface Measurement {
  readonly section: Section;
  readonly case: string;
  readonly engine: string;
  readonly metrics?: Readonly<Record<string, Summary>> | undefined;
  /** `n/a` where the engine cannot say the case, otherwise how it broke. */
  readonly failed?: string;
  /** What a database was asked, where that tells more than the engine's name. */
  readonly sql?: string;
  /** Where it was taken, if that is not where the others were. */
  readonly machine?: Machine;
}

/** What is worth knowing of a machine, and nothing that names it. */
export interface Machine {
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
}

export interface Results {
  readonly machine: Machine;
  readonly measurements: readonly Measurement[];
}

export const UNITS: Readonly<Record<Section, string>> = {
  speed: 'ns/event',
  compile: 'µs',
  curve: 'µs',
  'ad hoc': 'ns/event',
  import: 'ms',
  files: 's',
  sql: 'ms',
  service: 's, MB',
  queries: 'ms',
  clients: 's',
};

const FOLDER = new URL('results/', import.meta.url);
const fileOf = (name: string) => new URL(`${name}.json`, FOLDER);

export function thisMachine(): Machine {
  const processors = cpus();
  return { node: process.versions.node, cpu: processors[0]?.model ?? 'unknown', cores: processors.length };
}

/**
 * Results that were kept under a name.
 *
 * @throws {BenchError} if there are none.
 */
export function readResults(name: string): Results {
  if (!existsSync(fileOf(name))) throw new BenchError(`There are no results "${name}" in bench/results.`);
  return JSON.parse(readFileSync(fileOf(name), 'utf8'));
}

/** Keeps results, a measurement a line, so that a difference can be read. */
export function writeResults(name: string, { machine, measurements }: Results): void {
  mkdirSync(FOLDER, { recursive: true });
  const lines = measurements.map((measurement) => `    ${JSON.stringify(measurement)}`);
  const text = `{\n  "machine": ${JSON.stringify(machine)},\n  "measurements": [\n${lines.join(',\n')}\n  ]\n}\n`;
  writeFileSync(fileOf(name), text);
}
