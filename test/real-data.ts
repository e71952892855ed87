import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const project = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(project, process.env.ONWHERE_REAL_DATA ?? '../shared/data');

/** Whether there are real data to test on. */
export const HAS_REAL_DATA = existsSync(folder);
if (!HAS_REAL_DATA) console.log(`Real data: skipped, there is no folder ${folder}. ONWHERE_REAL_DATA names another.`);

/** The lines of a file of real data, NDJSON and perhaps gzipped; none where there are no real data. */
export function realLines<T>(file: string): T[] {
  if (!HAS_REAL_DATA) return [];
  const bytes = readFileSync(join(folder, file));
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]));
}
