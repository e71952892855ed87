import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Properties } from '../../src/lang/value.ts';

/** The folder of the real data, which may not exist. */
export const REAL_FOLDER = resolve(process.env.ONWHERE_REAL_DATA ?? '../shared/data');

/** Returns the path of the gzipped file of a real data set, or undefined if it is missing. */
export function findRealFile(name: string): string | undefined {
  const path = join(REAL_FOLDER, `${name}.ndjson.gz`);
  return existsSync(path) ? path : undefined;
}

/** Reads the properties of all events or people of a real data set; none if it is missing. */
export function readRealEvents(name: string): Properties[] {
  const path = findRealFile(name);
  if (path === undefined) return [];
  const lines = gunzipSync(readFileSync(path)).toString('utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const { properties, $properties } = JSON.parse(line) as Record<string, Properties | undefined>;
    return properties ?? $properties ?? {};
  });
}
