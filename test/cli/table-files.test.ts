import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type QueryFiles, runStatements, writeQueryFiles } from './query-files.ts';
import { runCli } from './run-cli.ts';

const EVENTS = Array.from({ length: 40 }, (_, index) => ({
  event: index % 3 === 0 ? 'buy' : 'visit',
  properties: {
    distinct_id: `u${index % 7}`,
    time: 1_700_000_000 + index,
    plan: index % 2 ? 'pro' : 'free',
    amount: index / 4,
  },
}));

let folder = '';
let ndjson = '';
let files: QueryFiles;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-tables-'));
  ndjson = join(folder, 'events.ndjson');
  writeFileSync(ndjson, EVENTS.map((event) => `${JSON.stringify(event)}\n`).join(''));
  files = await writeQueryFiles(ndjson, folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(['json', 'struct', 'flat', 'duckdb'] as const)('events in a table (%s)', (kind) => {
  it.each([
    [['filter', 'properties["amount"] > 9']],
    [['count', 'properties["plan"] == "pro"', '--event', 'buy']],
    [['count', 'true', '--unique']],
    [['segment', 'properties["plan"]', '--by', 'day', '--json']],
    [['sum', 'properties["amount"]']],
    [['average', 'properties["amount"]', '--where', 'properties["plan"] == "pro"']],
    [['properties', '--json']],
  ])('answer %j as NDJSON does', async (args) => {
    const [expected, found] = [await runCli([...args, ndjson]), await runCli([...args, files[kind]])];
    expect(found).toMatchObject({ code: 0, err: '' });
    // Flat tables have the name of the event as a property too.
    if (kind !== 'flat' || !['filter', 'properties'].includes(args[0] as string)) expect(found).toEqual(expected);
    else expect(found.out.split('\n').length).toBeGreaterThanOrEqual(expected.out.split('\n').length);
  });
});

it('commands ask for the table of a file with several', async () => {
  const several = join(folder, 'several.duckdb');
  await runStatements([
    `ATTACH '${several}' AS written`,
    'CREATE TABLE written.one AS SELECT 1 AS a',
    'CREATE TABLE written.two AS SELECT 2 AS a UNION ALL SELECT 3',
    'DETACH written',
  ]);
  const { code, err } = await runCli(['sum', 'properties["a"]', several]);
  expect({ code, err }).toEqual({
    code: 2,
    err: `error: ${several} has several tables. Choose one with --table: one, two\n`,
  });
  expect(await runCli(['sum', '--table', 'two', 'properties["a"]', several])).toEqual({ code: 0, out: '5\n', err: '' });
});

it('`count` and `.load` read the records in a wrapper, as other commands do', async () => {
  const wrapped = join(folder, 'page.json');
  const events = ['pro', 'free', 'pro'].map((plan) => ({ event: 'buy', properties: { plan } }));
  writeFileSync(wrapped, JSON.stringify({ data: events, total: 3 }));
  expect((await runCli(['count', 'properties["plan"] == "pro"', wrapped])).out).toBe('2\n');
  const { out } = await runCli(['repl'], { input: `.load ${wrapped}\nproperties["plan"]\n` });
  expect(out).toContain(`3 events of ${wrapped}`);
  expect(out).toContain('"pro" : string');
});
