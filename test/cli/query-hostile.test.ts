import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { check, compileOn, compileWhere } from '../../src/api/expressions.ts';
import { ExpressionTypeError } from '../../src/lang/errors.ts';
import type { Properties } from '../../src/lang/value.ts';
import { records as inputs, sources } from '../arbitraries.ts';
import { HAS_REAL_DATA, realLines } from '../real-data.ts';
import { runQuery } from './run-query.ts';

const SEED = Number(process.env.ONWHERE_SEED);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-hostile-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Records that JSON and DuckDB can hold: no bigints, no lone surrogates. */
const records = inputs.map(({ properties }): Properties => {
  const text = JSON.stringify(properties, (_, value) => (typeof value === 'bigint' ? undefined : value));
  return JSON.parse(text.replaceAll(/\\ud[89a-f]../g, '?'));
});

/** Expressions that the checker accepts both as a filter and as a segmentation. */
const expressions = sources
  .map(({ source }) => source)
  .filter((source) => check(asFilter(source), { use: 'where' }).ok && check(source, { use: 'on' }).ok);

function asFilter(source: string): string {
  return `boolean(${source}) == true`;
}

/** Writes a Parquet file of records with their properties as JSON. */
async function writeParquet(name: string, all: readonly Properties[]): Promise<string> {
  const file = join(folder, name);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run('CREATE TABLE events (properties JSON)');
  const insert = await connection.prepare('INSERT INTO events VALUES ($1)');
  for (const record of all) {
    insert.bindVarchar(1, JSON.stringify(record));
    await insert.run();
  }
  await connection.run(`COPY events TO '${file}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  return file;
}

/** Returns the result of `run`, or 'type error' if the expression fails on a record. */
function orTypeError<Result>(run: () => Result): Result | 'type error' {
  try {
    return run();
  } catch (error) {
    if (error instanceof ExpressionTypeError) return 'type error';
    throw error;
  }
}

async function compare(file: string, source: string, all: readonly Properties[]): Promise<void> {
  const argument = source.startsWith('-') ? ` ${source}` : source;
  const options = { now: 1735689600 };
  const args = [file, '--now', '1735689600'];
  const where = compileWhere(asFilter(source), options);
  const counted = orTypeError(() => all.filter((record) => where(record)).length);
  const count = await runQuery(['count', asFilter(source), ...args]);
  expect(count.code === 1 ? 'type error' : Number(count.out)).toBe(counted);

  const on = compileOn(source, options);
  const names = orTypeError(() => all.flatMap((record) => on(record)));
  const segments = await runQuery(['segment', argument, ...args, '--json', '--limit', '100000']);
  if (names === 'type error') {
    expect(segments.code).toBe(1);
  } else {
    const found = JSON.parse(segments.out).segments.map(({ name, count }: { name: string; count: number }) => [
      name,
      count,
    ]);
    const expected = new Map<string, number>();
    for (const name of names) expected.set(name, (expected.get(name) ?? 0) + 1);
    expect(new Map(found)).toEqual(expected);
  }
}

describe('query', () => {
  it('gives the results of the engines for hostile records', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(records, { minLength: 1, maxLength: 20 }),
        fc.array(expressions, { minLength: 1, maxLength: 4 }),
        async (all, tested) => {
          const file = await writeParquet(`${round++}.parquet`, all);
          for (const source of tested) await compare(file, source, all);
        },
      ),
      { numRuns: 6 },
    );
  });

  it.skipIf(!HAS_REAL_DATA)('gives the results of the engines for real events', async () => {
    const all = realLines<{ properties: Properties }>('osd-ecommerce.ndjson.gz').map(({ properties }) => properties);
    const names = [...new Set(all.flatMap((record) => Object.keys(record)))];
    const file = await writeParquet('real.parquet', all);
    // Each name costs two databases, so each run takes another third of them.
    const drawn = names.filter((_, index) => (index + SEED) % 3 === 0);
    for (const name of drawn) await compare(file, `properties[${JSON.stringify(name)}]`, all);
  });
});
