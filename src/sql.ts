export type { Dialect } from './engines/sql/dialect.ts';
export { clickhouse } from './engines/sql/dialects/clickhouse.ts';
export { duckdb } from './engines/sql/dialects/duckdb.ts';
export { postgresql } from './engines/sql/dialects/postgresql.ts';
export type { SqlValue } from './engines/sql/sql.ts';
export type { PropertyColumns, PropertySource, RestColumn, SqlSource } from './engines/sql/sql-source.ts';
export type { ChannelName, SqlChannels, SqlParts, SqlStatement, SqlTypeError } from './engines/sql/to-statement.ts';
export { valueOfRow } from './engines/sql/value-of-row.ts';
export { ExpressionUnsupportedError } from './language/errors.ts';
export {
  type SqlExpression,
  type SqlOptions,
  type SqlQuery,
  type SqlSplit,
  type StatementOptions,
  splitSql,
  toSql,
  toSqlTogether,
} from './sql-api.ts';
