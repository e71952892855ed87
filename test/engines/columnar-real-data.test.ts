import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { batchFromRecords, compileBatchOn, compileBatchWhere, compileOn, compileWhere } from '../../src/index.ts';
import type { Properties } from '../../src/language/value.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const folder = resolve(project, process.env.ONWHERE_REAL_DATA ?? '../shared/data');
const isThere = existsSync(folder);
if (!isThere) console.log(`Real data: skipped, there is no folder ${folder}. ONWHERE_REAL_DATA names another.`);

function linesOf<T>(file: string): T[] {
  const bytes = readFileSync(join(folder, file));
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]));
}

type Line = { readonly properties?: Properties; readonly $properties?: Properties };
type Question = { readonly dataset: string; readonly kind: 'where' | 'on'; readonly expr: string };

const questions = isThere ? linesOf<Question>('expected.ndjson') : [];
const datasets = [...new Set(questions.map(({ dataset }) => dataset))];

describe.skipIf(!isThere).each(datasets)('%s in columns', (dataset) => {
  const records = linesOf<Line>(`${dataset}.ndjson.gz`).map(({ properties, $properties }) => {
    return { properties: properties ?? $properties ?? {} };
  });
  const batch = batchFromRecords(records);
  const asked = questions.filter((question) => question.dataset === dataset);

  it.each(asked.filter(({ kind }) => kind === 'where'))('has the rows of $expr', ({ expr }) => {
    const where = compileWhere(expr);
    const expected = records.flatMap(({ properties }, row) => (where(properties) ? [row] : []));
    expect([...compileBatchWhere(expr)(batch)]).toEqual(expected);
  });

  it.each(asked.filter(({ kind }) => kind === 'on'))('has the segments of $expr', ({ expr }) => {
    const on = compileOn(expr);
    const expected = new Map<string, number>();
    for (const { properties } of records) {
      for (const name of on(properties)) expected.set(name, (expected.get(name) ?? 0) + 1);
    }
    expect([...compileBatchOn(expr)(batch).counts]).toEqual([...expected]);
  });
});
