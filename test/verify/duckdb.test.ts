import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type SqlVerification, verifyDialect } from '../../src/sql.ts';
import type { Database } from '../sql/database.ts';
import { openDuckdb } from '../sql/duckdb-database.ts';

vi.setConfig({ testTimeout: 600_000 });

let database: Database;
beforeEach(async () => {
  database = await openDuckdb();
});
afterEach(() => database.close());

function verify(): Promise<SqlVerification> {
  return verifyDialect(database.query, database.dialect);
}

function differences({ layouts }: SqlVerification) {
  return layouts.flatMap(({ layout, differences: all }) => all.map((difference) => ({ layout, ...difference })));
}

it('DuckDB answers exactly in every layout', async () => {
  const verification = await verify();
  expect(differences(verification)).toEqual([]);
  expect(verification).toMatchObject({ dialect: 'DuckDB', isExact: true, hints: [] });
  expect(verification.version).toMatch(/^v\d/);
  expect(verification.layouts.map(({ layout }) => layout)).toEqual([
    'JSON column',
    'typed columns',
    'map of JSON',
    'map of strings',
  ]);
});

it('DuckDB does not with a collation that ignores case, which is named', async () => {
  await database.query("SET default_collation = 'NOCASE'", []);
  const verification = await verify();
  const filters = differences(verification).filter(({ expression }) => expression === 'properties["x"] == "Pro"');
  expect(filters).toContainEqual({
    layout: 'typed columns',
    about: 'strings as literals',
    expression: 'properties["x"] == "Pro"',
    use: 'where',
    properties: { x: 'pro' },
    expected: 'false',
    actual: 'true',
  });
  expect(verification.hints).toEqual(["The setting default_collation is 'NOCASE'. Set it to ''."]);
});

it('DuckDB does not with functions that are out of date or fail', async () => {
  await database.query('CREATE OR REPLACE MACRO onwhere_seconds(number) AS number', []);
  await database.query(
    `CREATE OR REPLACE MACRO onwhere_names(list) AS
      CASE WHEN list = ['""'] THEN error('no name') ELSE list_transform(list, lambda key: key[2:]) END`,
    [],
  );
  const found = differences(await verify());
  expect(found).toContainEqual({
    layout: 'typed columns',
    about: 'numbers as values',
    expression: 'datetime(properties["x"])',
    use: 'value',
    properties: { x: 1735689600123, list: [1735689600123], text: '1735689600123' },
    expected: '1735689600',
    actual: '1735689600123',
  });
  const failed = found.filter(({ actual }) => actual.includes('no name'));
  expect(new Set(failed.map(({ properties }) => JSON.stringify(properties)))).toEqual(
    new Set(['{"x":["\\""]}', '{"x":"\\"","y":"#","list":["\\""],"text":"a\\"b"}']),
  );
});
