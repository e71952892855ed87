/**
 * Writes expressions as SQL for DuckDB, ClickHouse and PostgreSQL.
 *
 * @module onwhere/sql
 */

export type { Dialect } from './engines/sql/dialect.ts';
export { clickhouse } from './engines/sql/dialects/clickhouse.ts';
export { duckdb } from './engines/sql/dialects/duckdb.ts';
export { postgresql } from './engines/sql/dialects/postgresql.ts';
export type { SqlValue } from './engines/sql/sql.ts';
export type { PropertyColumns, PropertySource, RestColumn, SqlSource } from './engines/sql/sql-source.ts';
export type { ChannelName, SqlChannels, SqlParts, SqlStatement, SqlTypeError } from './engines/sql/to-statement.ts';
export { readRowValue } from './engines/sql/value-of-row.ts';
export { ExpressionUnsupportedError } from './language/errors.ts';
export {
  type SqlExpression,
  type SqlOptions,
  type SqlQuery,
  type SqlSplit,
  type StatementOptions,
  splitSql,
  toSql,
  toSqlStatement,
} from './sql-api.ts';
export { SqlSetupError } from './verify/missing-functions.ts';
export type { LayoutName } from './verify/probe-layouts.ts';
export type { RunSql } from './verify/probe-table.ts';
export {
  type LayoutVerification,
  type SqlDifference,
  type SqlVerification,
  verifyDialect,
} from './verify/verify-dialect.ts';
