import { expect, it } from 'vitest';
import { type SqlVerification, verifyDialect } from '../../src/sql.ts';
import { openDuckdb } from '../sql/duckdb-database.ts';

async function verifyAfter(...statements: readonly string[]): Promise<SqlVerification> {
  const database = await openDuckdb(...statements);
  try {
    return await verifyDialect(database.query, database.dialect);
  } finally {
    await database.close();
  }
}

function differences({ layouts }: SqlVerification) {
  return layouts.flatMap(({ layout, differences: all }) => all.map((difference) => ({ layout, ...difference })));
}

it('DuckDB answers exactly in every layout', async () => {
  const verification = await verifyAfter();
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
  const verification = await verifyAfter("SET default_collation = 'NOCASE'");
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
  const verification = await verifyAfter(
    'CREATE OR REPLACE MACRO onwhere_seconds(number) AS number',
    `CREATE OR REPLACE MACRO onwhere_names(list) AS
      CASE WHEN list = ['""'] THEN error('no name') ELSE list_transform(list, lambda key: key[2:]) END`,
  );
  const found = differences(verification);
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
