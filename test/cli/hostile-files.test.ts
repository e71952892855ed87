import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileDatabase } from '../../src/cli/query/file-database.ts';
import { QueryDatabase } from '../../src/cli/query/query-database.ts';
import { Catalog } from '../../src/service/datasets/catalog/catalog.ts';
import { type Command, HOSTILE_FILES, type HostileFile } from './hostile-corpus.ts';
import { runStatements } from './query-files.ts';
import { type CliResult, runCli } from './run-cli.ts';

const SECRET = '21431b-secret';

let folder = '';
let secret = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-hostile-'));
  secret = join(folder, 'project.json');
  writeFileSync(secret, JSON.stringify({ name: 'beta', secret: SECRET }));
  const catalog = new Catalog(join(folder, 'data'));
  await catalog.createProject('shop', 'UTC');
  await catalog.createDataset('shop', 'orders');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The arguments of each command before the file. */
const ARGUMENTS: Readonly<Record<Command, () => readonly string[]>> = {
  count: () => ['count', 'true'],
  filter: () => ['filter', 'true'],
  describe: () => ['describe'],
  import: () => ['import', '--data', join(folder, 'data'), '--project', 'shop', '--dataset', 'orders'],
  play: () => ['play'],
};

/** Returns the number of records that a command found. */
function countRecords(command: Command, out: string, isCsv: boolean): number {
  if (command === 'count') return Number(out);
  if (['describe', 'import'].includes(command)) return Number(/^[\d,]+/.exec(out)?.[0].replace(',', '') ?? 0);
  return out.split('\n').length - 1 - (isCsv && out !== '' ? 1 : 0);
}

async function write({ name, write }: HostileFile): Promise<string> {
  const file = join(folder, `${HOSTILE_FILES.findIndex((one) => one.name === name)}`, name);
  mkdirSync(dirname(file), { recursive: true });
  await write(file, secret);
  return file;
}

function expectOutcome(
  command: Command,
  { name, outcome, other }: HostileFile,
  file: string,
  { code, out, err }: CliResult,
): void {
  const expected = other?.[command] ?? outcome;
  expect(`${out}${err}`).not.toContain(SECRET);
  expect(err).not.toMatch(/\n\s+at |Stack Trace/);
  if (typeof expected === 'number') {
    const records = code === 0 ? countRecords(command, out, name.includes('.csv')) : err;
    expect({ command, code, records }).toEqual({ command, code: 0, records: expected });
  } else {
    expect({ command, code, err }).toEqual({ command, code: expected[0], err: expect.stringContaining(expected[1]) });
    expect(err).toContain(file);
  }
}

describe('a file from a stranger is read or refused, without access to other files', () => {
  it.each(HOSTILE_FILES)('$name', async (hostile) => {
    const file = await write(hostile);
    for (const command of Object.keys(ARGUMENTS) as Command[]) {
      // Pages of files that can be read are served until Ctrl-C, and read CSV and JSON themselves.
      if (command === 'play' && (typeof hostile.outcome === 'number' || !/\.(duckdb|parquet)$/.test(file))) continue;
      const args = [...ARGUMENTS[command](), file, ...(hostile.options ?? [])];
      expectOutcome(command, hostile, file, await runCli(args));
    }
  });
});

describe('DuckDB with a file', () => {
  it.each([
    'FROM read_text(SECRET)',
    'FROM read_csv(SECRET)',
    'FROM glob(FOLDER)',
    'SELECT 1 FROM read_blob(SECRET)',
    "SELECT getenv('HOME')",
  ])('cannot run %s', async (sql) => {
    const engine = await FileDatabase.open([join(folder, 'other.csv')]);
    const read = engine.rows(sql.replace('SECRET', `'${secret}'`).replace('FOLDER', `'${folder}/*'`));
    await expect(read).rejects.toThrow(/Permission Error|does not exist/);
    engine.close();
  });

  it.each([
    'COPY (SELECT 1) TO OUTSIDE',
    'ATTACH OUTSIDE AS other',
    'LOAD httpfs',
    'SET enable_external_access = true',
    "SET memory_limit = '1TB'",
  ])('cannot run %s', async (sql) => {
    const engine = await FileDatabase.open([join(folder, 'other.csv')]);
    const run = engine.run(sql.replace('OUTSIDE', `'${join(folder, 'outside')}'`));
    await expect(run).rejects.toThrow(/Permission Error|configuration has been locked/);
    engine.close();
  });

  it('names the file whose time is over, also when the time of cleaning up would be', async () => {
    const file = join(folder, 'data', 'late.duckdb');
    await runStatements([`ATTACH '${file}' AS it`, 'CREATE TABLE it.events AS SELECT 1 AS a']);
    const engine = await FileDatabase.open([file], { timeLimit: 0 });
    const database = new QueryDatabase(engine, {}, true);
    await expect(database.peek(file, false)).rejects.toThrow(`Cannot read ${file}: DuckDB takes longer than 0 s.`);
    const answers = await database.answers({ kind: 'count', unique: false, where: 'true', now: 0 }, file);
    const read = async () => {
      for await (const answer of answers ?? []) expect.unreachable(JSON.stringify(answer));
    };
    await expect(read()).rejects.toThrow(`Cannot read ${file}: DuckDB takes longer than 0 s.`);
    engine.close();
  });

  it('ends a query that never ends at the time limit', async () => {
    const engine = await FileDatabase.open([], { timeLimit: 0.01 });
    const query = engine.rows('SELECT count(*) AS n FROM range(100000000000) AS a, range(100000000000) AS b');
    await expect(query).rejects.toThrow('DuckDB takes longer than 0.01 s. Raise the limit with --time-limit');
    engine.close();
  });
});
