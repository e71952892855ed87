import { type Checked, checkTree, USES, type Use } from '../lang/check/check.ts';
import { assertDialect, type Dialect } from '../lang/engines/sql/dialect.ts';
import { findUnsupported } from '../lang/engines/sql/find-unsupported.ts';
import { getSourceTypes } from '../lang/engines/sql/get-source-types.ts';
import { split } from '../lang/engines/sql/split.ts';
import { assertSqlSource, type SqlSource } from '../lang/engines/sql/sql-source.ts';
import { type SqlParts, type SqlStatement, toStatement } from '../lang/engines/sql/to-statement.ts';
import { ExpressionUnsupportedError } from '../lang/errors.ts';
import { assertSource } from '../lang/syntax/parse.ts';
import { print } from '../lang/syntax/print.ts';
import { assertFields, oneOf, recordOf } from '../lang/util/guard.ts';
import { assertOptions, assertSourceAndOptions } from './arguments.ts';
import { type Compiled, compileWhere, type EvaluateOptions, prepare, toClock } from './expressions.ts';

export interface SqlOptions extends EvaluateOptions {
  /** What the expression is for. Default `"value"`: a value of any type. */
  readonly use?: Use;
}

/** An expression for a statement of several. */
export interface SqlExpression {
  readonly expression: string;
  readonly use: Use;
}

export interface StatementOptions extends EvaluateOptions {
  /** How many parameters the statement has before those of the expressions. Default 0. */
  readonly parametersBefore?: number;
}

/** An expression in SQL. */
export interface SqlQuery extends SqlParts, Omit<SqlStatement, 'parts'> {}

/**
 * Lowers an expression to SQL that answers exactly what the engines answer: undefined, null, types met at run time, type errors.
 * Values and the names of properties in a JSON column or a map are parameters; the names of columns are those of the source.
 * `now` is read once. The database may refuse the deepest expressions: ClickHouse does, unless the settings `max_parser_depth` and
 * `max_ast_depth` are 2000, and for the longest chains of `in` always.
 *
 * @throws {ExpressionSyntaxError} for a text that is no expression; {@link ExpressionCheckError} for one that fails on every record;
 *   {@link ExpressionUnsupportedError} for one that the database cannot answer exactly, or whose properties the source does not hold.
 */
export function toSql(expression: string, dialect: Dialect, source: SqlSource, sqlOptions: SqlOptions = {}): SqlQuery {
  assertSourceAndOptions(expression, sqlOptions, ['limits', 'now', 'use']);
  const { use = 'value', ...options } = sqlOptions;
  return toSqlQuery(toSqlStatement({ only: { expression, use } }, dialect, source, options));
}

function assertPlace(dialect: Dialect, source: SqlSource): void {
  assertDialect(dialect, 'dialect');
  assertSqlSource(source, 'source');
}

const assertExpressions = recordOf((value, name) => {
  assertFields(value, name, { expression: assertSource, use: oneOf(USES) });
});

function toSqlQuery({ parts, ...statement }: SqlStatement<'only'>): SqlQuery {
  return { ...parts.only, ...statement };
}

/** An expression with the types that its properties have in the source. */
function checkAgainstSource({ source: text, tree, properties }: Checked, use: Use, source: SqlSource) {
  return { checked: checkTree(text, tree, use, getSourceTypes(source, properties)), use };
}

/** A filter of which a database answers a part. */
export interface SqlSplit {
  /** What the database answers: a condition that holds for every record that the filter selects. Left out where it cannot help. */
  readonly sql?: SqlQuery;
  /** What is left to ask of the records that the condition selects, or of all. Left out where that was all. */
  readonly rest?: Compiled<boolean>;
}

/**
 * Splits a filter: SQL for what the database can answer exactly, a function for the rest. Together they select the records that the filter selects, and raise its
 * type errors: what can raise one is never asked of some records only.
 *
 * @throws {ExpressionSyntaxError} and {@link ExpressionCheckError}, as {@link toSql}.
 */
export function splitSql(
  expression: string,
  dialect: Dialect,
  source: SqlSource,
  options: EvaluateOptions = {},
): SqlSplit {
  assertSourceAndOptions(expression, options, ['limits', 'now']);
  assertPlace(dialect, source);
  const { now, ...limits } = options;
  const time = toClock(now)();
  const { checked } = prepare(expression, 'where', limits);
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
 * Lowers several expressions to SQL for one statement over one table, with parameters in common.
 *
 * @throws as {@link toSql}.
 */
export function toSqlStatement<Name extends string>(
  expressions: Readonly<Record<Name, SqlExpression>>,
  dialect: Dialect,
  source: SqlSource,
  statementOptions: StatementOptions = {},
): SqlStatement<Name> {
  assertOptions(statementOptions, ['limits', 'now', 'parametersBefore']);
  assertExpressions(expressions, 'expressions');
  assertPlace(dialect, source);
  const { now, parametersBefore, ...options } = statementOptions;
  const known = Object.entries<SqlExpression>(expressions).map(([name, { expression, use }]) => {
    const { checked } = prepare(expression, use, options);
    const diagnostics = findUnsupported(checked.tree, dialect, source);
    if (diagnostics.length > 0) throw new ExpressionUnsupportedError(expression, diagnostics);
    return [name, checkAgainstSource(checked, use, source)] as const;
  });
  return toStatement(Object.fromEntries(known) as never, dialect, source, toClock(now)(), parametersBefore);
}
