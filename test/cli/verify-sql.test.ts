import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { duckdb, postgresql } from '../../src/api/sql.ts';
import { HAS_POSTGRES, startPostgres } from '../lang/engines/sql/postgres-server.ts';
import { runCli } from './run-cli.ts';

let folder = '';
const path = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-verify-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const verify = (...args: string[]) => runCli(['sql', '--verify', ...args]);

async function writeDuckdb(name: string, statements: readonly string[]): Promise<string> {
  const instance = await DuckDBInstance.create(path(name));
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
  return path(name);
}

describe('onwhere sql --verify', () => {
  it('reports that the installed DuckDB is exact', async () => {
    const { code, out, err } = await verify('duckdb');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^DuckDB v\S+\n( {2}(JSON column|typed columns|map of (JSON|strings)) +[\d,]+ results {2}exact\n){4}exact: [\d,]+ results equal those of onwhere\n$/,
    );
  });

  it('shows the differences of a file with outdated functions', async () => {
    const stale = 'CREATE OR REPLACE MACRO onwhere_seconds(number) AS number';
    const { code, out, err } = await verify(await writeDuckdb('stale.duckdb', [...duckdb.setup, stale]));
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toMatch(/^ {2}typed columns +[\d,]+ results {2}\d+ differ, for example$/m);
    expect(out).toMatch(/^ {4}datetime\(properties\["x"\]\) as a value\n {6}for \{"x":.*\n {6}got \S+, expected \S+$/m);
    expect(out).toMatch(/^not exact: [\d,]+ of [\d,]+ results differ$/m);
  });

  it('refuses a file with only some of the functions', async () => {
    const [, ...others] = duckdb.setup;
    const { code, out, err } = await verify(await writeDuckdb('some.duckdb', others));
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toContain(
      'DuckDB lacks the functions onwhere_json_number. Run the statements of `onwhere sql --setup --dialect duckdb`',
    );
  });

  it.each([
    ['http://127.0.0.1:9/', /^error: ClickHouse: .*ECONNREFUSED/],
    ['postgres://127.0.0.1:9/x', /^error: PostgreSQL: .*ECONNREFUSED/],
    ['nothing.duckdb', /^error: .*nothing\.duckdb/],
  ])('exits with 3 if %s does not respond', async (name, message) => {
    const { code, out, err } = await verify(name);
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toMatch(message);
  });

  it.skipIf(process.getBuiltinModule?.('node:sqlite'))(
    'says what SQLite needs where Node.js does not have it',
    async () => {
      expect(await verify('sqlite')).toMatchObject({ code: 2, err: expect.stringContaining('npm install sql.js') });
    },
  );

  it('exits with 3 for a file that is not a database', async () => {
    writeFileSync(path('events.ndjson'), '{}\n');
    expect(await verify(path('events.ndjson'))).toMatchObject({
      code: 3,
      err: expect.stringContaining('is not a DuckDB file or a SQLite file'),
    });
  });

  it.each([
    [['mysql://host/x']],
    [['duckdb', 'true']],
    [['duckdb', '--use', 'where']],
    [['duckdb', '--dialect', 'duckdb']],
  ])('exits with 2 for %j', async (args) => {
    expect(await verify(...args)).toMatchObject({ code: 2, out: '' });
  });

  describe.skipIf(!HAS_POSTGRES)('of a PostgreSQL server', () => {
    it('asks for the missing functions, then reports that the server is exact', async () => {
      const server = startPostgres();
      try {
        const url = `postgres://postgres@/postgres?host=${encodeURIComponent(server.host)}`;
        const before = await verify(url);
        expect(before).toMatchObject({ code: 3, out: '' });
        expect(before.err).toContain('`onwhere sql --setup --dialect postgresql`');
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        for (const statement of postgresql.setup) await client.query(statement);
        await client.end();
        const { code, out, err } = await verify(url);
        expect({ code, err }).toEqual({ code: 0, err: '' });
        expect(out).toMatch(/^PostgreSQL \d+\.\d+\n/);
        expect(out).toMatch(/^exact: /m);
      } finally {
        server.stop();
      }
    });
  });
});
