import type { Dialect } from './dialect.ts';
import { and, FALSE, not, or, type Sql } from './sql.ts';

/** A condition; where it is NULL, it does not hold. */
export interface SqlCondition {
  readonly sql: Sql;
  readonly isNullable: boolean;
}

export const NEVER: SqlCondition = { sql: FALSE, isNullable: false };

/** All of these conditions, or some of them. */
export function joinConditions(by: 'and' | 'or', conditions: readonly SqlCondition[]): SqlCondition {
  const sqls = conditions.map(({ sql }) => sql);
  return {
    sql: by === 'and' ? and(...sqls) : or(...sqls),
    isNullable: conditions.some(({ isNullable }) => isNullable),
  };
}

/** Whether a condition holds; never NULL. */
export function lowerTruth({ sql, isNullable }: SqlCondition, dialect: Dialect): Sql {
  return isNullable ? dialect.isTrue(sql) : sql;
}

/** Whether a condition does not hold; never NULL. */
export function lowerNegation({ sql, isNullable }: SqlCondition, dialect: Dialect): SqlCondition {
  return { sql: isNullable ? dialect.isNotTrue(sql) : not(sql), isNullable: false };
}
