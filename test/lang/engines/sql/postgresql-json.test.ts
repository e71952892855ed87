import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toSql } from '../../../../src/api/sql.ts';
import { postgresql } from '../../../../src/lang/engines/sql/dialects/postgresql.ts';
import { ExpressionUnsupportedError } from '../../../../src/lang/errors.ts';
import { Answers } from './answers.ts';
import { decimal, number } from './decimals.ts';
import { POSTGRESQL_DATABASES, type PostgresqlDatabase } from './postgresql-databases.ts';

const SOURCE = { table: 'documents', properties: { rest: { kind: 'json', column: 'p' } } } as const;

const JSON_NUMBER = /^-?(0|[1-9][0-9]*)([.][0-9]+)?(e[+-]?[0-9]{1,4})?$/;

const scalar = fc.oneof(
  number.map(String),
  decimal.filter((text) => JSON_NUMBER.test(text)),
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text.replaceAll('\0', ''))),
  fc.constantFrom('true', 'false', 'null'),
);

const element = fc.oneof(scalar, fc.constantFrom('[]', '{}', '[1]', '{"a": 1}'));

/** A value in JSON, with numbers that no double holds. */
const json = fc.oneof(
  element,
  fc.array(element, { maxLength: 5 }).map((elements) => `[${elements.join(', ')}]`),
);

/** What asks for each type, and for whether there is a value. */
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

  it('is read as JSON is', async () => {
    const documents = fc.sample(fc.tuple(json, json), 2000).map(([x, list]) => `{"x": ${x}, "list": ${list}}`);
    const columns = [
      { name: 'id', type: 'integer' },
      { name: 'p', type: 'json' },
    ] as const;
    await database.createTable(SOURCE.table, columns, [...documents.entries()]);
    const records = documents.map((document) => ({ properties: JSON.parse(document), user: undefined, now: 0 }));
    const answers = new Answers(database, SOURCE, records);
    await answers.compare(EXPRESSIONS);
    expect(answers.agreed).toBeGreaterThanOrEqual(4 * records.length * EXPRESSIONS.length);
  });

  it('that is no object has no properties', async () => {
    const columns = [
      { name: 'id', type: 'integer' },
      { name: 'p', type: 'json' },
    ] as const;
    const documents = [null, 'null', '"x"', '["x"]', '[{"x": 1}]', '1', '{}'];
    await database.createTable(SOURCE.table, columns, [...documents.entries()]);
    const records = documents.map(() => ({ properties: {}, user: undefined, now: 0 }));
    const answers = new Answers(database, SOURCE, records);
    await answers.compare([...EXPRESSIONS, 'properties["x"] == "x"', 'properties["0"] == "x"']);
    expect(answers.agreed).toBeGreaterThanOrEqual(4 * records.length * EXPRESSIONS.length);
  });
});

describe('PostgreSQL', () => {
  it.each(['properties["a"] == "\\u0000"', 'properties["a"] in ["b", "\\u0000"]', 'properties["\\u0000"] == 1'])(
    'refuses %s, for a character that its texts cannot hold',
    (expression) => {
      expect(() => toSql(expression, postgresql, SOURCE)).toThrow(ExpressionUnsupportedError);
    },
  );

  it('refuses maps', () => {
    const source = { table: 'documents', properties: { rest: { kind: 'map', column: 'p', values: 'text' } } } as const;
    expect(() => toSql('properties["a"] == "b"', postgresql, source)).toThrow('PostgreSQL has no maps');
  });
});
