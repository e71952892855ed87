import { describe, expect, it } from 'vitest';
import { duckdb, type RunSql, SqlSetupError, toSql, verifyDialect } from '../../../src/api/sql.ts';
import { createProbes } from '../../../src/api/verify/probes.ts';
import { verifyProbes } from '../../../src/api/verify/verify-dialect.ts';
import { DIALECTS } from '../../../src/lang/engines/sql/dialects/dialects.ts';
import { ExpressionCheckError } from '../../../src/lang/errors.ts';

const FUNCTIONS = duckdb.setup.map((statement) => ({ name: /\bonwhere_\w+/.exec(statement)?.[0] }));

const PROBES = createProbes();

/** Creates a connection that answers the queries before the probes, and passes the probes on. */
function createConnection(functions: readonly unknown[], probe: RunSql): RunSql {
  return async (sql, parameters) => {
    if (sql.includes('version()')) return [{ version: 'v0' }];
    if (sql.includes('duckdb_functions()')) return functions as never;
    if (sql.includes('current_setting')) return [{ value: '' }];
    return probe(sql, parameters);
  };
}

describe('verifyDialect', () => {
  it('reports failing statements and stops retrying', async () => {
    let statements = 0;
    const verification = await verifyProbes(
      createConnection(FUNCTIONS, async () => {
        statements++;
        throw new Error('out of order');
      }),
      duckdb,
      PROBES.filter(({ about }) => ['characters as values', 'deep expressions'].includes(about)),
    );
    expect(verification).toMatchObject({ dialect: 'DuckDB', version: 'v0', isExact: false, hints: [] });
    for (const { compared, differences } of verification.layouts) {
      expect(compared).toBeGreaterThan(1_000);
      expect(differences).toHaveLength(compared);
      expect(new Set(differences.map(({ actual }) => actual))).toEqual(new Set(['error: out of order']));
    }
    expect(statements).toBeLessThan(1_000);
  });

  it('reports a database that returns no rows', async () => {
    const { isExact } = await verifyProbes(
      createConnection(FUNCTIONS, async () => []),
      duckdb,
      PROBES.slice(0, 1),
    );
    expect(isExact).toBe(false);
  });

  it('throws the names of missing functions', async () => {
    const [, ...others] = FUNCTIONS;
    const verification = verifyDialect(
      createConnection(others, async () => []),
      duckdb,
    );
    await expect(verification).rejects.toThrow(SqlSetupError);
    await expect(verification).rejects.toMatchObject({ missing: ['onwhere_json_number'] });
  });

  it('throws the error of the first query', async () => {
    const verification = verifyDialect(async () => Promise.reject(new Error('no such host')), duckdb);
    await expect(verification).rejects.toThrow('no such host');
  });
});

describe('the probes', () => {
  it('are tens of thousands', () => {
    const counts = PROBES.map(({ records, expressions, uses }) => records.length * expressions.length * uses.length);
    expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(50_000);
  });

  it('are expressions that every dialect lowers, except for strings that it cannot store', () => {
    const source = { table: 't', properties: { rest: { kind: 'json', column: 'p' } } } as const;
    const both = { ...source, user: source.properties };
    for (const dialect of Object.values(DIALECTS)) {
      for (const { expressions, uses, timeZone = 'UTC' } of PROBES) {
        for (const expression of expressions) {
          if (dialect.name === 'PostgreSQL' && expression.includes('\\u0000')) continue;
          for (const use of uses) {
            try {
              toSql(expression, dialect, both, { use, timeZone });
            } catch (error) {
              expect(error, `${dialect.name} ${use} ${expression}`).not.toBeInstanceOf(ExpressionCheckError);
            }
          }
        }
      }
    }
  });
});
