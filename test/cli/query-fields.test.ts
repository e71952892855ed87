import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { formatCsvRecord } from '../../src/base/strings.ts';
import { runStatements } from './query-files.ts';
import { type CliResult, runCli } from './run-cli.ts';
import { runQuery } from './run-query.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'onwhere-query-fields-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

const path = (name: string) => join(FOLDER, name);

const SPELLINGS = [
  '2025-06-01',
  '2025/06/01 12:00',
  '2025-06-01 12:00:00',
  '2025-06-01T12:00Z',
  '2025-06-01 12:00:00 UTC',
  '2025-06-01 12:00:00.250 +0000',
  '2025-06-01 23:30:00-05',
  '2025-06-02T00:30:00.5+0200',
  '1748779200',
  '1748779200.5',
  '1748779200000',
  '1748779200000000',
  '1748779200000000000',
  '99999999999999999999',
  '01.06.2025',
  '1.6.2025 9:30',
  '13.06.2025 12:00:00',
  '31.02.2025',
  '01/06/2025',
  '2025-02-30',
  '2025-06-01 25:00',
  '1969-12-31',
  'yesterday',
  '',
];

const COMMANDS = [
  ['segment', 'properties["plan"]', '--by', 'hour', '--csv', '--time', 'at', '--user', 'who'],
  ['segment', 'properties["plan"]', '--by', 'day', '--unique', '--csv', '--user', 'plan'],
  ['segment', 'properties["$event"]', '--csv', '--event-column', 'code'],
  ['count', 'properties["$event"] == "200"', '--event-column', 'code', '--unique'],
  ['count', 'true', '--event-column', 'code', '--event', '200'],
  ['count', 'true', '--event-column', 'none', '--event', '200'],
] as const;

const row = fc.record({
  at: fc.constantFrom(...SPELLINGS),
  who: fc.constantFrom('a', 'b', '7', ''),
  plan: fc.constantFrom('free', 'pro', ''),
  code: fc.constantFrom('200', 'x', '1.5', 'true', ''),
});

/** Removes the hint of `--explain`, which `query` does not have. */
function withoutHint(result: CliResult): CliResult {
  return { ...result, err: result.err.replace(/^note: .* Pass --explain to see why\.\n/m, '') };
}

describe('query', () => {
  it('reads the columns of CSV files and tables of strings as other commands do', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
        const names = ['at', 'who', 'plan', 'code'] as const;
        const csv = path('rows.csv');
        writeFileSync(
          csv,
          `${[names, ...rows.map((each) => names.map((name) => each[name]))].map((cells) => formatCsvRecord([...cells])).join('\n')}\n`,
        );
        for (const args of COMMANDS) {
          const [found, expected] = [await runQuery([...args, csv]), await runCli([...args, csv])];
          expect(found).toEqual(withoutHint(expected));
        }
        const strings = rows.map((each) =>
          Object.fromEntries(Object.entries(each).filter(([, value]) => value !== '')),
        );
        const ndjson = path('rows.ndjson');
        writeFileSync(ndjson, strings.map((each) => `${JSON.stringify(each)}\n`).join(''));
        const parquet = path('rows.parquet');
        const columns = names.map((name) => `"${name}": 'VARCHAR'`).join(', ');
        await runStatements([
          `COPY (FROM read_ndjson('${ndjson}', columns = {${columns}})) TO '${parquet}' (FORMAT parquet)`,
        ]);
        for (const args of COMMANDS.slice(0, 2)) {
          const [found, expected] = [await runQuery([...args, parquet]), await runCli([...args, ndjson])];
          expect(found).toEqual(withoutHint(expected));
        }
      }),
      { numRuns: 5 },
    );
  }, 300_000);

  it('guesses the columns of Parquet files and reads their timestamps', async () => {
    const file = path('taxi.parquet');
    await runStatements([
      `COPY (SELECT TIMESTAMP '2025-06-01 10:00:00' + INTERVAL (i) HOUR AS pickup_datetime, 'c' || (i % 3) AS customer_id, i AS fare
        FROM range(20) AS t(i)) TO '${file}' (FORMAT parquet)`,
    ]);
    expect(await runQuery(['segment', '1', '--by', 'day', '--unique', '--csv', file])).toEqual({
      code: 0,
      out: 'day,1\n2025-06-01,3\n2025-06-02,3\n',
      err: 'time: pickup_datetime (seconds), user: customer_id, event: none\n',
    });
  });

  it('names the event of tables that hold properties in one column', async () => {
    const ndjson = path('nested.ndjson');
    const records = [
      { event: 'a', properties: { plan: 1, when: '2025-06-01', geo: { country: 'DE', place: { city: 'B' } } } },
      { event: 'b', properties: { plan: 2, when: '2025-06-02', $event: 'own', geo: { country: 'FR' } } },
    ];
    writeFileSync(ndjson, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const files = ['json', 'struct', 'map'].map((name) => path(`${name}.parquet`));
    const json = `SELECT json ->> '/event' AS "event", CAST(json -> '/properties' AS JSON) AS properties FROM read_ndjson_objects('${ndjson}')`;
    await runStatements([
      `COPY (${json}) TO '${files[0]}' (FORMAT parquet)`,
      `COPY (FROM read_ndjson('${ndjson}')) TO '${files[1]}' (FORMAT parquet)`,
      `COPY (SELECT "event", CAST(properties AS MAP(VARCHAR, JSON)) AS properties FROM (${json})) TO '${files[2]}' (FORMAT parquet)`,
    ]);
    for (const file of files) {
      for (const args of [
        ['segment', 'properties["$event"]', '--csv'],
        ['segment', 'properties["geo.country"]', '--csv', '--flatten', '--by', 'day', '--time', 'when'],
        ['segment', 'properties["geo.place.city"]', '--csv', '--flatten', '--unique', '--user', 'geo.country'],
        ['segment', 'properties["geo.country"]', '--csv'],
      ]) {
        const [found, expected] = [await runQuery([...args, file]), await runCli([...args, ndjson])];
        // DuckDB makes dates of strings that look like dates.
        expect({ ...found, err: found.err.replace('seconds', 'ISO') }, `${args.join(' ')} ${file}`).toEqual(expected);
      }
    }
  });
});
