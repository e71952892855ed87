import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileWhere } from '../../../src/api/expressions.ts';
import { translateForeign, translateSql } from '../../../src/lang/foreign/translate.ts';
import { runs, splitRuns } from '../../runs.ts';
import type { Database } from '../engines/sql/database.ts';
import { openDuckdb } from '../engines/sql/duckdb-database.ts';
import { dropParentheses } from './parentheses.ts';
import { anyRow, anySql, looseSql } from './sql-conditions.ts';

const TYPES = { plan: 'text', country: 'text', amount: 'double', score: 'double', active: 'boolean' } as const;

let database: Database;
const rows = fc.sample(anyRow, { numRuns: 300, seed: 7 });
beforeAll(async () => {
  database = await openDuckdb();
  const columns = [
    { name: 'number', type: 'integer' as const },
    ...Object.entries(TYPES).map(([name, type]) => ({ name, type })),
    { name: 'created_text', type: 'text' as const },
  ];
  const cells = rows.map((row, index) => [
    index,
    ...Object.keys(TYPES).map((name) => row[name as keyof typeof TYPES]),
    row.created,
  ]);
  await database.createTable('stored', columns, cells);
});
afterAll(() => database.close());

/** Returns the numbers of the rows that DuckDB selects. */
async function select(sql: string): Promise<unknown[]> {
  const properties = "json_object('plan', plan, 'active', active, 'created', created_text) AS properties";
  const table = `SELECT *, CAST(created_text AS TIMESTAMP) AS created, ${properties} FROM stored`;
  const answer = await database.query(`SELECT number FROM (${table}) WHERE ${sql} ORDER BY number`, []);
  return answer.map(({ number }) => number);
}

it('a translated condition selects the rows that DuckDB selects', async () => {
  let translated = 0;
  let all = 0;
  const law = fc.asyncProperty(anySql, async (sql) => {
    all++;
    const translation = translateSql(`WHERE ${sql}`);
    if ('reason' in translation) return;
    translated++;
    const condition = compileWhere(translation.expression);
    const found = rows.flatMap((row, index) => (condition(row) ? [index] : []));
    const answer = await select(sql);
    expect({ sql, ...translation, found }).toEqual({ sql, ...translation, found: answer });
  });
  const { seeded, fresh } = splitRuns(runs(2000, 500));
  await fc.assert(law, seeded);
  expect(translated).toBeGreaterThan(all * 0.5);
  await fc.assert(law, fresh);
});

it('a translation without notes selects the rows that DuckDB selects, with some of the parentheses', async () => {
  let [certain, all] = [0, 0];
  const law = fc.asyncProperty(looseSql.chain(dropParentheses), async (sql) => {
    all++;
    const translation = translateForeign(`WHERE ${sql}`);
    if (translation === undefined || 'reason' in translation || translation.notes.length > 0) return;
    // Without some parentheses, types can be mixed or comparisons chained, which is an error.
    const answer = await select(sql).catch(() => undefined);
    if (answer === undefined) return;
    certain++;
    const condition = compileWhere(translation.expression);
    const found = rows.flatMap((row, index) => (condition(row) ? [index] : []));
    expect({ sql, ...translation, found }).toEqual({ sql, ...translation, found: answer });
  });
  await fc.assert(law, { numRuns: runs(2000, 500) });
  expect(certain).toBeGreaterThan(all * 0.1);
});
