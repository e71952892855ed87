import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { BenchError } from './bench-error.ts';
import type { Revision } from './history.ts';
import type { Section } from './sections.ts';
import type { Summary } from './statistics.ts';

/** The results of an engine on a case, or why it has none. Times are in the unit of the section. */
export interface Measurement {
  readonly section: Section;
  readonly case: string;
  readonly engine: string;
  readonly metrics?: Readonly<Record<string, Summary>> | undefined;
  /** `n/a` if the engine cannot express the case, otherwise how it failed. */
  readonly failed?: string;
  /** The SQL that a database ran, if the report shows it. */
  readonly sql?: string;
}

/** The relevant properties of a machine, without its name. */
export interface Machine {
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
}

/** The measurements of one commit on one machine. */
export interface Run extends Revision {
  readonly machine: Machine;
  readonly measurements: readonly Measurement[];
}

/** Results saved under one name. Each case is only in the last run that measured it. */
export interface Results {
  readonly runs: readonly Run[];
}

const FOLDER = new URL('results/', import.meta.url);
const fileOf = (name: string) => new URL(`${name}.json`, FOLDER);

export function describeMachine(): Machine {
  const processors = cpus();
  return { node: process.versions.node, cpu: processors[0]?.model ?? 'unknown', cores: processors.length };
}

/** Returns the measurements of all runs. */
export function listMeasurements({ runs }: Results): Measurement[] {
  return runs.flatMap(({ measurements }) => measurements);
}

/** Adds a run and removes earlier measurements of its cases. */
export function addRun({ runs }: Results, run: Run): Results {
  const isSameCase = (old: Measurement) => (one: Measurement) => one.section === old.section && one.case === old.case;
  const kept = runs.map((earlier) => ({
    ...earlier,
    measurements: earlier.measurements.filter((old) => !run.measurements.some(isSameCase(old))),
  }));
  const origin = ({ measurements, ...rest }: Run) => rest;
  const isSameOrigin = (earlier: Run) => isDeepStrictEqual(origin(earlier), origin(run));
  const joined = kept.map((earlier) =>
    isSameOrigin(earlier) ? { ...run, measurements: [...earlier.measurements, ...run.measurements] } : earlier,
  );
  const all = kept.some(isSameOrigin) ? joined : [...kept, run];
  return { runs: all.filter(({ measurements }) => measurements.length > 0) };
}

/**
 * Reads the results saved under a name.
 *
 * @throws {BenchError} if there are none.
 */
export function readResults(name: string): Results {
  if (!existsSync(fileOf(name))) throw new BenchError(`There are no results "${name}" in bench/results.`);
  return JSON.parse(readFileSync(fileOf(name), 'utf8'));
}

/** Saves results with one measurement per line, for readable diffs. */
export function writeResults(name: string, { runs }: Results): void {
  mkdirSync(FOLDER, { recursive: true });
  const texts = runs.map(({ measurements, ...origin }) => {
    const fields = Object.entries(origin).map(([key, value]) => `      "${key}": ${JSON.stringify(value)}`);
    const lines = measurements.map((measurement) => `        ${JSON.stringify(measurement)}`);
    return `    {\n${fields.join(',\n')},\n      "measurements": [\n${lines.join(',\n')}\n      ]\n    }`;
  });
  writeFileSync(fileOf(name), `{\n  "runs": [\n${texts.join(',\n')}\n  ]\n}\n`);
}
