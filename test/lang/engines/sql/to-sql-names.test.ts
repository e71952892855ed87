import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../../../../src/api/core.ts';
import {
  clickhouse,
  type Dialect,
  duckdb,
  ExpressionUnsupportedError,
  postgresql,
  type SqlSource,
  toSql,
} from '../../../../src/api/sql.ts';
import { print } from '../../../../src/lang/syntax/print.ts';
import { expressions } from '../../../arbitraries.ts';
import { codePoint } from '../../../code-point.ts';
import { runs } from '../../../runs.ts';

const JSON_COLUMN: SqlSource = { table: 'events', properties: { rest: { kind: 'json', column: 'properties' } } };

describe('columns whose names are the same to a database', () => {
  const createSource = (...names: readonly string[]): SqlSource => ({
    table: 'events',
    properties: { columns: Object.fromEntries(names.map((name) => [name, { string: name }])) },
  });
  const lower = (dialect: Dialect, source: SqlSource) => () => toSql('defined(properties["a"])', dialect, source);

  it.each([
    [duckdb, ['a', 'A'], true],
    [clickhouse, ['a', 'A'], false],
    [postgresql, ['a', 'A'], false],
    [duckdb, ['a', '\u00e0', '\u00c0'], false],
    [duckdb, ['a', 'b', 'B'], false],
    [duckdb, ['a', 'OnWhere_1'], true],
    [postgresql, ['a', 'onwhere_1'], true],
    [clickhouse, ['a', 'onwhere_1'], true],
    [postgresql, ['a', 'OnWhere_1'], false],
  ])('%o with %j: refused %j', (dialect, names, isRefused) => {
    const refused = expect(lower(dialect, createSource(...names)));
    if (isRefused) refused.toThrow(ExpressionUnsupportedError);
    else refused.not.toThrow();
  });

  it('are refused for users, and for the column with all other properties', () => {
    const columns = { columns: { a: { string: 'a' } } };
    expect(lower(duckdb, { table: 'events', properties: columns, user: { columns: { b: { string: 'A' } } } })).toThrow(
      '"a" and "A" are the same column there',
    );
    expect(lower(duckdb, { table: 'events', properties: { ...columns, rest: { kind: 'json', column: 'A' } } })).toThrow(
      '"a" and "A" are the same column there',
    );
  });

  it('are refused if they differ only after the 63 bytes that PostgreSQL keeps', () => {
    const long = (name: string) => ({ columns: { a: { string: `${'é'.repeat(31)}${name}` } } });
    const source = (a: string, b: string) => ({ table: 'events', properties: long(a), user: long(b) });
    expect(lower(postgresql, source('xy', 'xz'))).toThrow('are the same column there');
    expect(lower(postgresql, source('x', 'y'))).not.toThrow();
    expect(lower(clickhouse, source('xy', 'xz'))).not.toThrow();
  });
});

describe.each(['name', 'string'])('U+0000 in a %s', (place) => {
  const source = `properties["a${place === 'name' ? '\\u0000' : ''}"] == "${place === 'string' ? '\\u0000' : ''}"`;

  it('is unsupported by PostgreSQL only', () => {
    expect(() => toSql(source, postgresql, JSON_COLUMN)).toThrow('cannot contain the character U+0000');
    expect(toSql(source, duckdb, JSON_COLUMN).parameters).toHaveLength(2);
  });
});

describe('the source of an expression', () => {
  /** Strings with a mark that generated SQL never contains. */
  const marked = fc
    .string({ unit: codePoint, maxLength: 8 })
    .map((string) => `${string}'"\`;--/*§mark§*/\\`.replaceAll(/\p{Surrogate}/gu, ''));

  it('reaches the SQL only as parameters', () => {
    fc.assert(
      fc.property(
        marked,
        marked,
        fc.constantFrom('where' as const, 'on' as const, 'value' as const),
        (name, value, use) => {
          const property = `properties[${JSON.stringify(name)}]`;
          const source = `${property} == ${JSON.stringify(value)} or ${JSON.stringify(value)} in string(${property}) or ${property} in [${JSON.stringify(value)}, 1]`;
          if (!check(source).ok) return;
          const { parameters, ...sql } = toSql(source, duckdb, JSON_COLUMN, { use });
          expect(JSON.stringify(sql)).not.toContain('mark');
          expect(JSON.stringify(parameters)).toContain('mark');
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('leaves the SQL in printable ASCII', () => {
    fc.assert(
      fc.property(expressions(4), (tree) => {
        const text = print(tree);
        if (!check(text).ok) return;
        const { parameters: _, ...sql } = toSql(text, duckdb, { ...JSON_COLUMN, user: JSON_COLUMN.properties });
        expect(JSON.stringify(sql)).toMatch(/^[\x20-\x7e]*$/);
      }),
      { numRuns: runs(500) },
    );
  });
});

it('quotes any name of a column or table', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint, minLength: 1 }), (name) => {
      const source = { table: name, properties: { columns: { a: { string: name } } } };
      const sql = toSql('properties["a"] == "x"', duckdb, source, { use: 'where' });
      const quoted = `"${name.replaceAll('"', '""')}"`;
      expect(sql.condition).toBe(`${quoted} = $1`);
      expect(sql.from).toBe(quoted);
    }),
  );
});
