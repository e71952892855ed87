import { describe, expect, it } from 'vitest';
import { ExpressionCheckError, ExpressionSyntaxError } from '../../../../src/api/core.ts';
import {
  duckdb,
  ExpressionUnsupportedError,
  type SqlOptions,
  type SqlSource,
  toSql,
  toSqlStatement,
} from '../../../../src/api/sql.ts';

const TYPED: SqlSource = {
  table: ['shop', 'events'],
  properties: {
    columns: {
      plan: { string: 'plan' },
      country: { string: 'country' },
      amount: { number: 'amount' },
      paid: { boolean: 'paid' },
      mixed: { number: 'mixed_number', string: 'mixed_string', null: 'mixed_null' },
      tags: { list: 'tags', string: 'tag' },
    },
  },
};

const JSON_COLUMN: SqlSource = { table: 'events', properties: { rest: { kind: 'json', column: 'properties' } } };

const where = (expression: string, source = TYPED, options: SqlOptions = {}) =>
  toSql(expression, duckdb, source, { use: 'where', ...options });

describe('condition', () => {
  it.each([
    ['properties["plan"] == "pro"', '"plan" = $1'],
    ['properties["plan"] != "pro"', '("plan" = $1) IS NOT TRUE'],
    ['properties["plan"] == "pro" or properties["plan"] == "team"', '"plan" IN ($1, $2)'],
    ['properties["amount"] > 100', `"amount" > $1::DOUBLE AND "amount" < 'Infinity'`],
    ['100 >= properties["amount"]', `"amount" <= $1::DOUBLE AND "amount" > '-Infinity'`],
    ['properties["paid"]', '"paid"'],
    ['not properties["paid"]', '"paid" IS NOT TRUE'],
    ['not (properties["paid"] and properties["plan"] == "pro")', '("paid" AND "plan" = $1) IS NOT TRUE'],
    [
      'properties["paid"] and (properties["plan"] == "a" or properties["country"] == "b")',
      '"paid" AND ("plan" = $1 OR "country" = $2)',
    ],
    ['"ro" in properties["plan"]', 'contains("plan", $1)'],
    ['defined(properties["plan"])', '"plan" IS NOT NULL'],
    ['properties["plan"] == properties["country"]', '"plan" = "country" OR "plan" IS NULL AND "country" IS NULL'],
    ['properties["plan"] < "m"', '"plan" < $1'],
    ['properties["missing"] == properties["absent"]', 'true'],
    ['properties["missing"] == 1', 'false'],
    ['properties["plan"] == 1', 'false'],
    ['properties["amount"] == properties["plan"]', 'isfinite("amount") IS NOT TRUE AND "plan" IS NULL'],
    // Some databases do not match negative zero with 0 in `IN`.
    ['properties["amount"] in [0, 1]', '"amount" + 0 IN ($1::DOUBLE, $2::DOUBLE)'],
    ['properties["amount"] in [1]', '"amount" = $1::DOUBLE'],
    [
      'not (properties["amount"] == 1 or properties["plan"] == "1")',
      '("amount" = $1::DOUBLE OR "plan" = $2) IS NOT TRUE',
    ],
    [
      'not (defined(properties["plan"]) or defined(properties["country"]))',
      'NOT ("plan" IS NOT NULL OR "country" IS NOT NULL)',
    ],
    [
      'not properties["mixed"]',
      `"mixed_string" IS NULL AND isfinite("mixed_number") IS NOT TRUE AND NOT coalesce("mixed_null", false)`,
    ],
  ])('lowers %s', (expression, condition) => {
    const sql = where(expression);
    expect(sql.condition).toBe(condition);
    expect(sql.from).toBe('"shop"."events"');
    expect(sql).not.toHaveProperty('error');
  });

  it.each([
    ['>', '2024-12-31', '"plan" >= $1'],
    ['<=', '2025-01-03', '"plan" < $1'],
  ])('prefilters dates for %s by their day, with a margin for time zones', (operator, day, condition) => {
    const sql = where(`properties["plan"] ${operator} datetime("2025-01-01T23:59:59")`);
    expect(sql.condition).toContain(`${condition} AND onwhere_time("plan")`);
    expect(sql.parameters[0]).toBe(day);
  });

  it('computes a property of a JSON column once if it is used several times', () => {
    const sql = where('properties["a"] > 1 or properties["a"] == "x"', JSON_COLUMN);
    expect(sql.from.match(/json_extract/g)).toHaveLength(1);
    expect(sql.condition).not.toContain('json_extract');
    expect(sql.parameters).toContain('/a');
  });

  it('reads a property of a JSON column in place if it is used once', () => {
    const sql = where('properties["a/b~c"] == "x"', JSON_COLUMN);
    expect(sql).toMatchObject({
      from: '"events"',
      condition: 'json_extract("properties", $1) = $2',
      parameters: ['/a~1b~0c', '"x"'],
    });
  });
});

describe('an expression of several types', () => {
  it('has an error channel with the operator and type of each error', () => {
    const sql = where('properties["mixed"] and properties["paid"]');
    expect(sql.error).toBe(
      `CASE WHEN "mixed_string" IS NOT NULL THEN 1 WHEN isfinite("mixed_number") THEN 2 WHEN coalesce("mixed_null", false) THEN 3 END`,
    );
    const place = { expression: 'only', operator: 'and', span: { start: 0, end: 19 } };
    expect(sql.errors).toEqual(['string', 'number', 'null'].map((found) => ({ ...place, found })));
  });

  it('has one column per type as a value', () => {
    const { value } = toSql('properties["mixed"]', duckdb, TYPED);
    expect(Object.keys(value ?? {})).toEqual(['number', 'string', 'null']);
  });
});

describe('value', () => {
  const value = (expression: string, use: 'value' | 'number' | 'on' = 'value') => {
    const { from, value, number, segment } = toSql(expression, duckdb, TYPED, { use });
    return [...Object.values(value ?? { number, segment }), from].join(' ');
  };

  // Other operators propagate infinity, but a number divided by it is 0, and the remainder is the number itself.
  it.each(['/', '%'])('replaces an infinite divisor of %s with NULL', (operator) => {
    expect(value(`1 ${operator} properties["amount"]`)).toContain(
      `$1::DOUBLE ${operator} CASE WHEN isfinite("amount") THEN "amount" END`,
    );
  });

  it('checks that one operand of == is finite', () => {
    const sql = value('properties["amount"] * 10 == properties["amount"] + 10');
    expect(sql).toContain('"onwhere_1" = CASE WHEN isfinite("onwhere_2") THEN "onwhere_2" END OR');
  });

  it('keeps the grouping of the expression', () => {
    expect(value('5 - (properties["amount"] - 1)')).toContain('$1::DOUBLE - ("amount" - $2::DOUBLE)');
    expect(value('5 - properties["amount"] - 1')).toContain('$1::DOUBLE - "amount" - $2::DOUBLE');
  });

  // A condition may treat undefined as false; a value may not.
  it.each([
    ['not properties["mixed"]', 'THEN true END'],
    ['boolean(properties["mixed"])', 'THEN false END)'],
    ['"a" in properties["tags"]', 'list_contains(CASE WHEN "tags" LIKE \'[%\' THEN onwhere_list("tags") END, '],
  ])('of %s distinguishes undefined from false', (expression, part) => {
    expect(value(expression)).toContain(part);
  });

  it('is 0 as a number, and names a segment if it is null', () => {
    expect(value('properties["amount"] * 2', 'number')).toMatch(/^coalesce\(.*, 0\)/);
    expect(value('properties["mixed"]', 'on')).toContain(`CASE WHEN coalesce("mixed_null", false) THEN 'null' END`);
  });

  it.each([2 ** 53, -(2 ** 53), 2 ** 53 - 1, 1 - 2 ** 53])('binds %d as a double', (number) => {
    const { parameters } = where(`properties["amount"] == ${number}`);
    expect(parameters).toEqual([Number.isSafeInteger(number) ? number : String(number)]);
  });
});

it('reports type errors within an operand before errors of the operand', () => {
  const { error, errors } = where('properties["amount"] / number(properties["mixed"] and true) or true');
  expect(errors.map(({ operator }) => operator)).toEqual(['and', 'and', 'and', 'or']);
  expect(error).toMatch(/THEN 1 .*THEN 2 .*THEN 3 END.*THEN 4 END/);
});

it('binds equal values to one parameter, numbered after `parametersBefore`', () => {
  const expression = 'properties["plan"] == "1" or properties["amount"] == 1 or properties["country"] == "1"';
  const { parts, parameters } = toSqlStatement({ only: { expression, use: 'where' } }, duckdb, TYPED, {
    parametersBefore: 2,
  });
  expect(parts.only.condition).toBe('"plan" = $3 OR "amount" = $4::DOUBLE OR "country" = $3');
  expect(parameters).toEqual(['1', 1]);
});

it('shares parameters and reads between several expressions', () => {
  const { parts, parameters, from } = toSqlStatement(
    {
      where: { expression: 'properties["a"] > 1', use: 'where' },
      on: { expression: 'properties["a"]', use: 'on' },
      sum: { expression: 'properties["a"] + 1', use: 'number' },
    },
    duckdb,
    JSON_COLUMN,
  );
  expect(from.match(/json_extract/g)).toHaveLength(1);
  expect(new Set(parameters).size).toBe(parameters.length);
  expect(Object.keys(parts)).toEqual(['where', 'on', 'sum']);
});

describe('toSql throws', () => {
  it('for syntax errors, and for expressions that fail on every record', () => {
    expect(() => where('1 +')).toThrow(ExpressionSyntaxError);
    expect(() => where('5 and true')).toThrow(ExpressionCheckError);
  });

  it('for properties that the source does not have, with their positions', () => {
    const source: SqlSource = {
      table: 'events',
      properties: { columns: { a: { string: 'a' } }, rest: { kind: 'elsewhere' } },
    };
    const expression = 'properties["a"] == "x" and (properties["b"] == 1 or user["c"])';
    const error = catchError(() => where(expression, source));
    expect(error).toBeInstanceOf(ExpressionUnsupportedError);
    expect(
      error.diagnostics.map(({ code, span, message }) => [code, expression.slice(span.start, span.end), message]),
    ).toEqual([
      ['unsupported', 'properties["b"]', 'DuckDB cannot evaluate this exactly: the table does not have this property.'],
      [
        'unsupported',
        'user["c"]',
        'DuckDB cannot evaluate this exactly: the table does not have the properties of users.',
      ],
    ]);
  });
});

function catchError(run: () => unknown): ExpressionUnsupportedError {
  try {
    run();
  } catch (error) {
    return error as ExpressionUnsupportedError;
  }
  return expect.unreachable();
}
