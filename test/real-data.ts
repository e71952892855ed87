import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const project = fileURLToPath(new URL('..', import.meta.url));

/** The folder of the real data, which may not exist. */
export const REAL_DATA = resolve(project, process.env.ONWHERE_REAL_DATA ?? '../shared/data');

/** Whether the real data exist. */
export const HAS_REAL_DATA = existsSync(REAL_DATA);
if (!HAS_REAL_DATA)
  console.log(`Real data: skipped, there is no folder ${REAL_DATA}. ONWHERE_REAL_DATA names another.`);

/** A filter or a segmentation of a file, with the results on which two other tools agreed. */
export interface KnownAnswer {
  readonly dataset: string;
  readonly kind: 'where' | 'on';
  /** The name of the events; null for all events. */
  readonly event: string | null;
  readonly expr: string;
  readonly where?: string;
  readonly expected: number | readonly (readonly [value: unknown, count: number])[];
  readonly expected_unique: number | readonly (readonly [value: unknown, count: number])[];
  readonly undefined: number;
}

/** Reads the records of an NDJSON file of real data, gzipped or not. Returns none if there are no real data. */
export function realLines<T>(file: string): T[] {
  if (!HAS_REAL_DATA) return [];
  const bytes = readFileSync(join(REAL_DATA, file));
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]));
}
