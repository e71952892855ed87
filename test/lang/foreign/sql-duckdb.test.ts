import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileWhere } from '../../../src/api/expressions.ts';
import { translateSql } from '../../../src/lang/foreign/translate.ts';
import { runs, splitRuns } from '../../runs.ts';
import type { Database } from '../engines/sql/database.ts';
import { openDuckdb } from '../engines/sql/duckdb-database.ts';
import { anyRow, anySql } from './sql-conditions.ts';

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
    const answer = await database.query(
      'SELECT number FROM (SELECT *, CAST(created_text AS TIMESTAMP) AS created FROM stored) ' +
        `WHERE ${sql} ORDER BY number`,
      [],
    );
    expect({ sql, ...translation, found }).toEqual({
      sql,
      ...translation,
      found: answer.map(({ number }) => number),
    });
  });
  const { seeded, fresh } = splitRuns(runs(5000));
  await fc.assert(law, seeded);
  expect(translated).toBeGreaterThan(all * 0.5);
  await fc.assert(law, fresh);
});
