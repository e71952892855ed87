import { assertFields, oneOf, recordOf } from '../base/guard.ts';
import { USES, type Use } from '../lang/check/check.ts';
import { assertDialect, type Dialect } from '../lang/engines/sql/dialect.ts';
import { findUnsupported } from '../lang/engines/sql/find-unsupported.ts';
import { checkAgainstSource, lowerChecked } from '../lang/engines/sql/lower-checked.ts';
import { split } from '../lang/engines/sql/split.ts';
import { assertSqlSource, type SqlSource } from '../lang/engines/sql/sql-source.ts';
import { type SqlParts, type SqlStatement, toStatement } from '../lang/engines/sql/to-statement.ts';
import { type Callee, ExpressionUnsupportedError, traceFrom } from '../lang/errors.ts';
import { assertSource } from '../lang/syntax/parse.ts';
import { print } from '../lang/syntax/print.ts';
import { assertOptions, assertSourceAndOptions } from './arguments.ts';
import { type Compiled, compileWhere, prepare } from './expressions.ts';
import { type EvaluateOptions, toClock } from './query-options.ts';

export interface SqlOptions extends EvaluateOptions {
  /** The use of the expression. Default `"value"`: a value of any type. */
  readonly use?: Use;
}

/** One of several expressions in a statement. */
export interface SqlExpression {
  readonly expression: string;
  readonly use: Use;
}

export interface StatementOptions extends EvaluateOptions {
  /** The number of parameters that precede those of the expressions in your statement. Default 0. */
  readonly parametersBefore?: number;
}

/** An expression as SQL: its parts, the `FROM` clause, and the parameters. */
export interface SqlQuery extends SqlParts, Omit<SqlStatement, 'parts'> {}

/**
 * Compiles an expression to SQL that returns exactly what the engines return, including undefined, null, types that are
 * only known at run time, and type errors.
 *
 * Values are bound as parameters, and so are the names of properties in a JSON column or a map. The names of columns
 * come from the source. `now` is read once. The database may refuse very deep expressions. ClickHouse does unless the
 * settings `max_parser_depth` and `max_ast_depth` are 2000, and always refuses the longest chains of `in`.
 *
 * @throws {ExpressionSyntaxError} if the string is not an expression.
 * @throws {ExpressionCheckError} if the expression fails on every record.
 * @throws {ExpressionUnsupportedError} if the database cannot compute the exact result, or the source does not hold a
 *   property.
 *
 * @example
 * const source = { table: 'events', properties: { rest: { kind: 'json', column: 'properties' } } } as const;
 * const { condition, from, parameters } = toSql('properties["plan"] == "pro"', duckdb, source, { use: 'where' });
 * const sql = `SELECT count(*) FROM ${from} WHERE ${condition}`;
 */
export function toSql(expression: string, dialect: Dialect, source: SqlSource, sqlOptions: SqlOptions = {}): SqlQuery {
  assertSourceAndOptions(expression, sqlOptions, ['limits', 'now', 'timeZone', 'use']);
  const { use = 'value', ...options } = sqlOptions;
  return toSqlQuery(toStatementFor(toSql, { only: { expression, use } }, dialect, source, options));
}

function assertDialectAndSource(dialect: Dialect, source: SqlSource): void {
  assertDialect(dialect, 'dialect');
  assertSqlSource(source, 'source');
}

const assertExpressions = recordOf((value, name) => {
  assertFields(value, name, { expression: assertSource, use: oneOf(USES) });
});

function toSqlQuery({ parts, ...statement }: SqlStatement<'only'>): SqlQuery {
  return { ...parts.only, ...statement };
}

/** A filter split into SQL and a function. */
export interface SqlSplit {
  /** A condition that is true for every record that the filter selects. Missing if the database can evaluate no part. */
  readonly sql?: SqlQuery;
  /**
   * The rest of the filter, for the records that the condition selects, or for all records without a condition. Missing
   * if the condition is the whole filter.
   */
  readonly rest?: Compiled<boolean>;
}

/**
 * Splits a filter into SQL for the parts that the database can evaluate exactly and a function for the rest. Together
 * they select the same records and raise the same type errors as the filter. An operand that can raise a type error is
 * never evaluated on only some of the records.
 *
 * @throws {ExpressionSyntaxError} if the string is not an expression.
 * @throws {ExpressionCheckError} if the expression fails on every record.
 *
 * @example
 * const { sql, rest } = splitSql(filter, duckdb, source);
 * const rows = await readRows(sql?.condition, sql?.parameters);
 * const selected = rest ? rows.filter(({ properties }) => rest(properties)) : rows;
 */
export function splitSql(
  expression: string,
  dialect: Dialect,
  source: SqlSource,
  options: EvaluateOptions = {},
): SqlSplit {
  assertSourceAndOptions(expression, options, ['limits', 'now', 'timeZone']);
  assertDialectAndSource(dialect, source);
  const { now, ...limits } = options;
  const time = toClock(now)();
  const { checked } = prepare(splitSql, expression, 'where', limits);
  const { pushed, rest } = split(checked, (node) => findUnsupported(node, dialect, source).length === 0);
  return {
    ...(pushed && {
      sql: toSqlQuery(
        toStatement({ only: checkAgainstSource({ ...checked, tree: pushed }, 'where', source) }, dialect, source, time),
      ),
    }),
    ...(rest && { rest: compileWhere(print(rest), { ...limits, now: time }) }),
  };
}

/**
 * Compiles several expressions to SQL for one statement over one table. They share the parameters and common
 * subexpressions. The parts of each expression are under its name.
 *
 * @throws as {@link toSql}.
 *
 * @example
 * const { from, parts, parameters } = toSqlStatement(
 *   {
 *     filter: { expression: 'properties["plan"] == "pro"', use: 'where' },
 *     amount: { expression: 'properties["amount"]', use: 'number' },
 *   },
 *   duckdb,
 *   source,
 * );
 * const sql = `SELECT sum(${parts.amount.number}) FROM ${from} WHERE ${parts.filter.condition}`;
 */
export function toSqlStatement<Name extends string>(
  expressions: Readonly<Record<Name, SqlExpression>>,
  dialect: Dialect,
  source: SqlSource,
  statementOptions: StatementOptions = {},
): SqlStatement<Name> {
  assertOptions(statementOptions, ['limits', 'now', 'parametersBefore', 'timeZone']);
  return toStatementFor(toSqlStatement, expressions, dialect, source, statementOptions);
}

/** @param callee The function that a program called: errors begin their stack traces there. */
function toStatementFor<Name extends string>(
  callee: Callee,
  expressions: Readonly<Record<Name, SqlExpression>>,
  dialect: Dialect,
  source: SqlSource,
  { now, parametersBefore, ...options }: StatementOptions,
): SqlStatement<Name> {
  assertExpressions(expressions, 'expressions');
  assertDialectAndSource(dialect, source);
  const known = Object.entries<SqlExpression>(expressions).map(([name, { expression, use }]) => {
    return [name, { checked: prepare(callee, expression, use, options).checked, use }] as const;
  });
  try {
    return lowerChecked(Object.fromEntries(known) as never, dialect, source, toClock(now)(), parametersBefore);
  } catch (error) {
    throw error instanceof ExpressionUnsupportedError ? traceFrom(callee, error) : error;
  }
}
