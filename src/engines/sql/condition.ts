import type { Dialect } from './dialect.ts';
import { and, FALSE, not, or, type Sql } from './sql.ts';

/** A condition; where it is NULL, it does not hold. */
export interface Condition {
  readonly sql: Sql;
  readonly isNullable: boolean;
}

export const NEVER: Condition = { sql: FALSE, isNullable: false };

/** All of these conditions, or some of them. */
export function joined(by: 'and' | 'or', conditions: readonly Condition[]): Condition {
  const sqls = conditions.map(({ sql }) => sql);
  return {
    sql: by === 'and' ? and(...sqls) : or(...sqls),
    isNullable: conditions.some(({ isNullable }) => isNullable),
  };
}

/** Whether a condition holds; never NULL. */
export function truth({ sql, isNullable }: Condition, dialect: Dialect): Sql {
  return isNullable ? dialect.isTrue(sql) : sql;
}

/** Whether a condition does not hold; never NULL. */
export function negated({ sql, isNullable }: Condition, dialect: Dialect): Condition {
  return { sql: isNullable ? dialect.isNotTrue(sql) : not(sql), isNullable: false };
}
