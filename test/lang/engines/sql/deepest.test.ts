import { afterAll, beforeAll, expect, it } from 'vitest';
import { evaluate } from '../../../../src/api/expressions.ts';
import { readRowValue, toSql } from '../../../../src/api/sql.ts';
import { ExpressionTypeError } from '../../../../src/lang/errors.ts';
import { deepestExpressions } from '../../../deepest.ts';
import type { Database } from './database.ts';
import { openDuckdb } from './duckdb-database.ts';

const RECORDS = [{ x: 1 }, { x: 'p' }, { x: true }, { x: ['p', true] }, {}];

let database: Database;
beforeAll(async () => {
  database = await openDuckdb();
  const rows = RECORDS.map((record, id) => [id, JSON.stringify(record)]);
  const columns = [
    { name: 'id', type: 'integer' },
    { name: 'properties', type: 'json' },
  ] as const;
  await database.createTable('events', columns, rows);
});
afterAll(() => database.close());

it.each(deepestExpressions('properties["x"]').map((expression) => [expression.slice(0, 60), expression]))(
  'DuckDB evaluates the deepest allowed expressions with its default depth limit: %s',
  async (_, expression) => {
    const source = { table: 'events', properties: { rest: { kind: 'json', column: 'properties' } } } as const;
    const query = toSql(expression, database.dialect, source, { now: 0 });
    const { from, value = {}, error = 'NULL', parameters } = query;
    const channels = Object.entries({ ...value, error }).map(([name, sql]) => `${sql} AS "${name}"`);
    const rows = await database.query(`SELECT ${channels.join(', ')} FROM ${from} ORDER BY id`, parameters);
    const results = rows.map((row) => (row.error === null ? readRowValue(row) : 'type error'));
    expect(results).toEqual(RECORDS.map((record) => evaluateReference(expression, record)));
  },
);

function evaluateReference(expression: string, record: object): unknown {
  try {
    return evaluate(expression, { ...record }, undefined, { now: 0 });
  } catch (error) {
    if (error instanceof ExpressionTypeError) return 'type error';
    throw error;
  }
}
