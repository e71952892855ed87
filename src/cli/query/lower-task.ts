import { check } from '../../api/expressions.ts';
import { type SqlExpression, toSqlStatement } from '../../api/to-sql.ts';
import { duckdb } from '../../lang/engines/sql/dialects/duckdb.ts';
import type { SqlValue } from '../../lang/engines/sql/sql.ts';
import type { SqlSource } from '../../lang/engines/sql/sql-source.ts';
import type { SqlTypeError } from '../../lang/engines/sql/to-statement.ts';
import type { Job } from '../workers/job.ts';

/** The work that a database can do. */
export type DatabaseTask = Job<'lines' | 'count' | 'segment'>;

/** The selected records of a task, and those that raise a type error. */
export interface JudgedSql {
  /** The number of the type error that a record raises; NULL for none. */
  readonly failure: string;
  /** The name of the segment that a record is in; nothing where there are none, or several. */
  readonly segment?: string;
  /** An array of the names of the segments that a record is in. */
  readonly segments?: string;
  /** What stands behind the columns of a `SELECT`. */
  readonly rest: string;
  readonly parameters: readonly SqlValue[];
  /** What the numbers of the type errors mean. */
  readonly errors: readonly SqlTypeError[];
}

/** The names of the properties that the expressions of a task read. */
export function getPropertyNames(task: DatabaseTask): string[] {
  const sources = [task.where, task.kind === 'segment' ? task.on : undefined].filter((source) => source !== undefined);
  return sources.flatMap((source) => check(source).properties.map(({ name }) => name));
}

/** The expressions of a task as SQL over a table. */
export function lowerTask(task: DatabaseTask, source: SqlSource): JudgedSql {
  const expressions: Record<string, SqlExpression> = {};
  if (task.where !== undefined) expressions.where = { expression: task.where, use: 'where' };
  if (task.kind === 'segment') expressions.on = { expression: task.on, use: 'on' };
  const { from, parts, parameters, errors } = toSqlStatement(expressions, duckdb, source, { now: task.now });
  const { where, on } = parts;
  const failures = [where?.error, on?.error].filter((error) => error !== undefined);
  const selected = [where?.condition ?? 'true', where?.error && `${where.error} IS NOT NULL`].filter(Boolean);
  const named =
    task.event === undefined ? '' : ` AND "event" = ${duckdb.placeholder(parameters.length + 1, task.event)}`;
  return {
    failure: failures.length === 0 ? 'CAST(NULL AS INTEGER)' : `coalesce(${failures.join(', ')})`,
    ...on,
    rest: `FROM ${from} WHERE (${selected.join(' OR ')})${named}`,
    parameters: task.event === undefined ? parameters : [...parameters, task.event],
    errors,
  };
}
