/**
 * Writes expressions as SQL for DuckDB, ClickHouse, PostgreSQL and SQLite.
 *
 * @module onwhere/sql
 */

export type { Dialect } from '../lang/engines/sql/dialect.ts';
export { clickhouse } from '../lang/engines/sql/dialects/clickhouse.ts';
export { duckdb } from '../lang/engines/sql/dialects/duckdb.ts';
export { postgresql } from '../lang/engines/sql/dialects/postgresql.ts';
export { sqlite } from '../lang/engines/sql/dialects/sqlite.ts';
export { readRowValue } from '../lang/engines/sql/read-row-value.ts';
export type { SqlValue } from '../lang/engines/sql/sql.ts';
export type { PropertyColumns, PropertySource, RestColumn, SqlSource } from '../lang/engines/sql/sql-source.ts';
export type {
  ChannelName,
  SqlChannels,
  SqlParts,
  SqlStatement,
  SqlTypeError,
} from '../lang/engines/sql/to-statement.ts';
export { ExpressionUnsupportedError, TranslationError } from '../lang/errors.ts';
export type { Translated } from '../lang/foreign/translate.ts';
export { fromSql } from './from-sql.ts';
export {
  type SqlExpression,
  type SqlOptions,
  type SqlQuery,
  type SqlSplit,
  type StatementOptions,
  splitSql,
  toSql,
  toSqlStatement,
} from './to-sql.ts';
export { SqlSetupError } from './verify/find-missing-functions.ts';
export type { LayoutName } from './verify/probe-layouts.ts';
export type { RunSql } from './verify/probe-table.ts';
export {
  type LayoutVerification,
  type SqlDifference,
  type SqlVerification,
  verifyDialect,
} from './verify/verify-dialect.ts';
