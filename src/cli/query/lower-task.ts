import { check } from '../../api/expressions.ts';
import { type SqlExpression, toSqlStatement } from '../../api/to-sql.ts';
import { duckdb } from '../../lang/engines/sql/dialects/duckdb.ts';
import type { SqlValue } from '../../lang/engines/sql/sql.ts';
import type { SqlSource } from '../../lang/engines/sql/sql-source.ts';
import type { SqlTypeError } from '../../lang/engines/sql/to-statement.ts';
import type { Job } from '../workers/job.ts';

/** The kinds of jobs that a database can run. */
export type DatabaseTask = Job<'lines' | 'count' | 'segment'>;

/** SQL for the selected records of a job and those that raise a type error. */
export interface JudgedSql {
  /** The number of the type error that a record raises; NULL if none. */
  readonly failure: string;
  /** The segment of a record; missing if records have no segments or several. */
  readonly segment?: string;
  /** An array of the segments of a record. */
  readonly segments?: string;
  /** The SQL after the columns of a `SELECT`. */
  readonly rest: string;
  readonly parameters: readonly SqlValue[];
  /** The type errors; `failure` counts them from 1. */
  readonly errors: readonly SqlTypeError[];
}

/** Returns the names of the properties that the expressions of a job read. */
export function getPropertyNames(task: DatabaseTask): string[] {
  const sources = [task.where, task.kind === 'segment' ? task.on : undefined].filter((source) => source !== undefined);
  return sources.flatMap((source) => check(source).properties.map(({ name }) => name));
}

/** Translates the expressions of a job to SQL over a table. */
export function lowerTask(task: DatabaseTask, source: SqlSource): JudgedSql {
  const expressions: Record<string, SqlExpression> = {};
  if (task.where !== undefined) expressions.where = { expression: task.where, use: 'where' };
  if (task.kind === 'segment') expressions.on = { expression: task.on, use: 'on' };
  const { from, parts, parameters, errors } = toSqlStatement(expressions, duckdb, source, {
    now: task.now,
    timeZone: task.timeZone ?? 'UTC',
  });
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
