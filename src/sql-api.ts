import { clock, type EvaluateOptions, prepare } from './api.ts';
import { checkTree, type Use } from './check/check.ts';
import type { Dialect } from './engines/sql/dialect.ts';
import type { SqlSource } from './engines/sql/sql-source.ts';
import { type SqlParts, type SqlStatement, toStatement } from './engines/sql/to-statement.ts';
import { typesOfSource } from './engines/sql/types-of-source.ts';
import { unsupportedIn } from './engines/sql/unsupported-in.ts';
import { ExpressionUnsupportedError } from './language/errors.ts';

export interface SqlOptions extends EvaluateOptions {
  /** What the expression is for. Default `"value"`: a value of any type. */
  readonly use?: Use;
}

/** An expression for a statement of several. */
export interface SqlExpression {
  readonly expression: string;
  readonly use: Use;
}

/** An expression in SQL. */
export interface SqlQuery extends SqlParts, Omit<SqlStatement, 'parts'> {}

/**
 * Lowers an expression to SQL that answers exactly what the engines answer: undefined, null, types met at run time, type errors.
 * Values and the names of properties in a JSON column or a map are parameters; the names of columns are those of the source.
 * `now` is read once.
 *
 * @throws {ExpressionSyntaxError} for a text that is no expression; {@link ExpressionCheckError} for one that fails on every record;
 *   {@link ExpressionUnsupportedError} for one that the database cannot answer exactly, or whose properties the source does not hold.
 */
export function toSql(
  expression: string,
  dialect: Dialect,
  source: SqlSource,
  { use = 'value', ...options }: SqlOptions = {},
): SqlQuery {
  const { parts, ...statement } = toSqlTogether({ only: { expression, use } }, dialect, source, options);
  return { ...parts.only, ...statement };
}

/**
 * Lowers several expressions to SQL for one statement over one table, with parameters in common.
 *
 * @throws as {@link toSql}.
 */
export function toSqlTogether<Name extends string>(
  expressions: Readonly<Record<Name, SqlExpression>>,
  dialect: Dialect,
  source: SqlSource,
  { now, ...options }: EvaluateOptions = {},
): SqlStatement<Name> {
  const checked = Object.entries<SqlExpression>(expressions).map(([name, { expression, use }]) => {
    const { tree, properties } = prepare(expression, use, options).checked;
    const diagnostics = unsupportedIn(tree, dialect, source);
    if (diagnostics.length > 0) throw new ExpressionUnsupportedError(expression, diagnostics);
    return [name, { checked: checkTree(expression, tree, use, typesOfSource(source, properties)), use }] as const;
  });
  return toStatement(Object.fromEntries(checked) as never, dialect, source, clock(now)());
}
