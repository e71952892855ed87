import { expect, it } from 'vitest';
import type { RunSql, SqlVerification } from '../../../src/api/sql.ts';
import type { ProbeGroup } from '../../../src/api/verify/probe-group.ts';
import { createProbes } from '../../../src/api/verify/probes.ts';
import { verifyProbes } from '../../../src/api/verify/verify-dialect.ts';
import { openDuckdb } from '../../lang/engines/sql/duckdb-database.ts';

async function verifyAfter(statements: readonly string[], probes: readonly ProbeGroup[]): Promise<SqlVerification> {
  const database = await openDuckdb(...statements);
  try {
    return await verifyProbes(database.query, database.dialect, probes);
  } finally {
    await database.close();
  }
}

/** Returns the probes about some subjects. */
function findProbes(...subjects: readonly string[]): ProbeGroup[] {
  return createProbes().filter((group) => subjects.includes(group.about));
}

function differences({ layouts }: SqlVerification) {
  return layouts.flatMap(({ layout, differences: all }) => all.map((difference) => ({ layout, ...difference })));
}

// The test of `onwhere sql --verify` runs all probes on DuckDB, which takes seconds.
it('DuckDB is exact in every layout', async () => {
  const verification = await verifyAfter([], findProbes('strings as literals', 'segments of lists'));
  expect(differences(verification)).toEqual([]);
  expect(verification).toMatchObject({ dialect: 'DuckDB', isExact: true, hints: [] });
  expect(verification.version).toMatch(/^v\d/);
  expect(Math.min(...verification.layouts.map(({ compared }) => compared))).toBeGreaterThan(100);
  expect(verification.layouts.map(({ layout }) => layout)).toEqual([
    'JSON column',
    'typed columns',
    'map of JSON',
    'map of strings',
  ]);
});

it('DuckDB differs with a collation that ignores case, and a hint names it', async () => {
  const verification = await verifyAfter(["SET default_collation = 'NOCASE'"], findProbes('strings as literals'));
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

it('DuckDB differs with functions that are out of date or fail', async () => {
  const verification = await verifyAfter(
    [
      'CREATE OR REPLACE MACRO onwhere_seconds(number) AS number',
      `CREATE OR REPLACE MACRO onwhere_names(list) AS
        CASE WHEN list = ['""'] THEN error('no name') ELSE list_transform(list, lambda key: key[2:]) END`,
    ],
    findProbes('numbers as values', 'characters as values', 'segments of lists'),
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

it('finds SQL that ignores the time zone, and each difference names the zone', async () => {
  const database = await openDuckdb();
  try {
    // As if every date had an offset.
    const inUtc: RunSql = (sql, parameters) => database.query(sql.replaceAll(/"[^"]+" LIKE '%Z'/g, 'true'), parameters);
    const probes = findProbes('dates in a time zone').slice(0, 2);
    const verification = await verifyProbes(inUtc, database.dialect, probes);
    expect(new Set(differences(verification).map(({ timeZone }) => timeZone))).toEqual(
      new Set(probes.map(({ timeZone }) => timeZone)),
    );
  } finally {
    await database.close();
  }
});
