import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDuckdb } from '../lang/engines/sql/duckdb-database.ts';
import { runCli } from './run-cli.ts';

let folder = '';
let columns = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-sql-'));
  columns = join(folder, 'columns.json');
  const properties = { plan: { types: ['string'] }, mixed: { types: ['string', 'number'] }, tags: { types: ['list'] } };
  writeFileSync(columns, JSON.stringify({ properties }));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the query that `onwhere sql` prints, without the comments. */
async function printQuery(...args: string[]): Promise<string> {
  const { code, out, err } = await runCli(['sql', ...args]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out.slice(0, out.indexOf(';'));
}

describe('onwhere sql', () => {
  it.each(['duckdb', 'clickhouse', 'postgresql', 'sqlite'])(
    'prints a query for %s, with its parameters',
    async (dialect) => {
      const { out, code } = await runCli([
        'sql',
        'properties["plan"] == "pro"',
        '--use',
        'where',
        '--dialect',
        dialect,
      ]);
      expect(code).toBe(0);
      expect(out).toMatch(/^SELECT \*\nFROM .*\nWHERE /);
      expect(out).toMatch(/^-- .*1.* = .*plan/m);
      expect(out.split('\n-- ')[0]).not.toContain('"pro"');
    },
  );

  it('prints queries that run', async () => {
    const database = await openDuckdb();
    const rows = [
      ['pro', null, 1, '["a", "b"]'],
      ['free', 'x', null, '["a"]'],
      [null, null, null, null],
    ];
    const types = { plan: 'text', mixed__string: 'text', mixed__number: 'double', tags: 'json' } as const;
    await database.createTable(
      'events',
      Object.entries(types).map(([name, type]) => ({ name, type })),
      rows,
    );
    const ask = async (...args: string[]) => database.query(await printQuery(...args, '--columns', columns), []);

    expect(await ask('defined(properties["mixed"])', '--use=where')).toHaveLength(2);
    const [most, ...others] = await ask('properties["tags"]', '--use=on');
    expect(most).toEqual({ segment: 'a', records: 2 });
    expect(new Set(others)).toEqual(new Set(['b', 'undefined'].map((segment) => ({ segment, records: 1 }))));
    expect(await ask('properties["mixed"]')).toEqual([
      { number: 1, string: null },
      { number: null, string: 'x' },
      { number: null, string: null },
    ]);
    await database.close();
  });

  it('lists the type errors that records can raise', async () => {
    const { out } = await runCli([
      'sql',
      'defined(properties["plan"]) and\n properties["mixed"]',
      '--use=where',
      '--columns',
      columns,
    ]);
    expect(out).toContain('"onwhere_error" IS NOT NULL');
    expect(out).toMatch(/^-- error 1: and found string \(line 2, column 2\)$/m);
  });

  it('works for tables that have columns called selected and error', async () => {
    const database = await openDuckdb();
    const types = { selected: 'boolean', error: 'text', flag__boolean: 'boolean', flag__string: 'text' } as const;
    await database.createTable(
      'events',
      Object.entries(types).map(([name, type]) => ({ name, type })),
      [
        [true, 'none', null, null],
        [false, null, true, null],
        [false, null, null, 'x'],
      ],
    );
    const file = join(folder, 'flag.json');
    writeFileSync(file, JSON.stringify({ properties: { flag: { types: ['boolean', 'string'] } } }));
    const rows = await database.query(await printQuery('properties["flag"]', '--use', 'where', '--columns', file), []);
    expect(rows.map(({ flag__boolean, flag__string }) => flag__boolean ?? flag__string)).toEqual([true, 'x']);
    await database.close();
  });

  it('refuses a schema that maps two properties to one column', async () => {
    const file = join(folder, 'one-column.json');
    const types = ['string'];
    writeFileSync(file, JSON.stringify({ properties: { user_plan: { types } }, user: { plan: { types } } }));
    const { code, out, err } = await runCli(['sql', 'properties["user_plan"]', '--columns', file]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('Two properties would share the column "user_plan". Rename one of them.');
  });

  it('refuses names that differ only in case if columns ignore case', async () => {
    const file = join(folder, 'case.json');
    const types = ['string'];
    writeFileSync(file, JSON.stringify({ properties: { plan: { types }, Plan: { types }, other: { types } } }));
    const ask = (name: string, dialect: string) =>
      runCli(['sql', `properties["${name}"] == "pro"`, '--use', 'where', '--columns', file, '--dialect', dialect]);
    const refused = await ask('Plan', 'duckdb');
    expect({ code: refused.code, out: refused.out }).toEqual({ code: 1, out: '' });
    expect(refused.err).toContain('DuckDB cannot evaluate this exactly: "plan" and "Plan" are the same column there.');
    expect((await ask('other', 'duckdb')).out).toContain('"other" =');
    expect((await ask('Plan', 'postgresql')).out).toContain('"Plan" =');
    expect((await ask('Plan', 'clickhouse')).out).toContain('`Plan` =');
  });

  it('prints the statements that create the functions', async () => {
    const { out, code } = await runCli(['sql', '--setup', '--dialect', 'clickhouse']);
    expect(code).toBe(0);
    expect(out).toMatch(/^CREATE OR REPLACE FUNCTION onwhere_decimal AS .*;$/m);
  });

  it('reports an invalid expression', async () => {
    expect(await runCli(['sql', '1 +'])).toMatchObject({ code: 1, out: '' });
    const unsupported = await runCli(['sql', 'properties["plan"] == "\\u0000"', '--dialect', 'postgresql']);
    expect(unsupported).toMatchObject({ code: 1, out: '' });
    expect(unsupported.err).toContain('PostgreSQL cannot evaluate this exactly');
  });
});
