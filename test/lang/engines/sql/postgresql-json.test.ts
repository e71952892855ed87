import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toSql } from '../../../../src/api/sql.ts';
import { postgresql } from '../../../../src/lang/engines/sql/dialects/postgresql.ts';
import { ExpressionUnsupportedError } from '../../../../src/lang/errors.ts';
import { drawSample } from '../../../runs.ts';
import { decimal, number } from './decimals.ts';
import { POSTGRESQL_DATABASES, type PostgresqlDatabase } from './postgresql-databases.ts';
import { SqlComparison } from './sql-comparison.ts';

const SOURCE = { table: 'documents', properties: { rest: { kind: 'json', column: 'p' } } } as const;

const JSON_NUMBER = /^-?(0|[1-9][0-9]*)([.][0-9]+)?(e[+-]?[0-9]{1,4})?$/;

const scalar = fc.oneof(
  number.map(String),
  decimal.filter((text) => JSON_NUMBER.test(text)),
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text.replaceAll('\0', ''))),
  fc.constantFrom('true', 'false', 'null'),
);

const element = fc.oneof(scalar, fc.constantFrom('[]', '{}', '[1]', '{"a": 1}'));

/** Generates JSON values, also with numbers that are not doubles. */
const json = fc.oneof(
  element,
  fc.array(element, { maxLength: 5 }).map((elements) => `[${elements.join(', ')}]`),
);

/** Expressions that read each type, and test for presence. */
const EXPRESSIONS = [
  'properties["x"]',
  'defined(properties["x"])',
  'properties["x"] == properties["missing"]',
  'boolean(properties["x"])',
  'not properties["x"]',
  'properties["x"] > 1e300 or properties["x"] == 0',
  'properties["x"] in properties["list"]',
];

describe.each(POSTGRESQL_DATABASES)('jsonb in $name', ({ open }) => {
  let database: PostgresqlDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database?.close());

  it('has the values of its JSON', async () => {
    const documents = drawSample(fc.tuple(json, json), 2000).map(([x, list]) => `{"x": ${x}, "list": ${list}}`);
    const columns = [
      { name: 'id', type: 'integer' },
      { name: 'p', type: 'json' },
    ] as const;
    await database.createTable(SOURCE.table, columns, [...documents.entries()]);
    const records = documents.map((document) => ({ properties: JSON.parse(document), user: undefined, now: 0 }));
    const comparison = new SqlComparison(database, SOURCE, records);
    await comparison.compare(EXPRESSIONS);
    expect(comparison.compared).toBeGreaterThanOrEqual(4 * records.length * EXPRESSIONS.length);
  });

  it('has no properties if it is not an object', async () => {
    const columns = [
      { name: 'id', type: 'integer' },
      { name: 'p', type: 'json' },
    ] as const;
    const documents = [null, 'null', '"x"', '["x"]', '[{"x": 1}]', '1', '{}'];
    await database.createTable(SOURCE.table, columns, [...documents.entries()]);
    const records = documents.map(() => ({ properties: {}, user: undefined, now: 0 }));
    const comparison = new SqlComparison(database, SOURCE, records);
    await comparison.compare([...EXPRESSIONS, 'properties["x"] == "x"', 'properties["0"] == "x"']);
    expect(comparison.compared).toBeGreaterThanOrEqual(4 * records.length * EXPRESSIONS.length);
  });
});

describe('PostgreSQL', () => {
  it.each(['properties["a"] == "\\u0000"', 'properties["a"] in ["b", "\\u0000"]', 'properties["\\u0000"] == 1'])(
    'refuses %s, because its strings cannot contain U+0000',
    (expression) => {
      expect(() => toSql(expression, postgresql, SOURCE)).toThrow(ExpressionUnsupportedError);
    },
  );

  it('refuses maps', () => {
    const source = { table: 'documents', properties: { rest: { kind: 'map', column: 'p', values: 'text' } } } as const;
    expect(() => toSql('properties["a"] == "b"', postgresql, source)).toThrow('PostgreSQL has no maps');
  });
});
