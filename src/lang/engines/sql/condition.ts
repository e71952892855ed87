import type { Channels } from './channels.ts';
import type { Dialect } from './dialect.ts';
import { and, FALSE, not, or, postfix, type Sql, shareExpression } from './sql.ts';

type Nullable = NonNullable<Channels['string' | 'boolean' | 'list']>;

/** Whether a channel holds a value. */
export function isPresent({ sql, present }: Nullable): Sql {
  return present ?? postfix(sql, 'IS NOT NULL');
}

/** Whether the value is a number; NULL or false where it is not. */
export function isNumber(number: NonNullable<Channels['number']>, dialect: Dialect): Sql {
  return number.isFinite ? postfix(number.sql, 'IS NOT NULL') : dialect.isFinite(number.sql);
}

/** Whether there is a value that is not null; never NULL. */
export function isDefined(channels: Channels, dialect: Dialect): Sql {
  const { number, string, boolean, list } = channels;
  return or(
    ...[string, boolean, list].flatMap((channel) => (channel ? [isPresent(channel)] : [])),
    ...(number ? [number.isFinite ? isNumber(number, dialect) : dialect.isTrue(isNumber(number, dialect))] : []),
  );
}

/** Whether the value is undefined; never NULL. */
export function isUndefined(channels: Channels, dialect: Dialect): Sql {
  if (channels.undefined !== undefined) return channels.undefined;
  const { number, string, boolean, null: isNull, list } = channels;
  return and(
    ...[string, boolean, list].flatMap((channel) => (channel ? [isAbsent(channel)] : [])),
    ...(number
      ? [number.isFinite ? postfix(number.sql, 'IS NULL') : dialect.isNotTrue(dialect.isFinite(number.sql))]
      : []),
    ...(isNull ? [not(isNull)] : []),
  );
}

function isAbsent({ sql, present }: Nullable): Sql {
  return present === undefined ? postfix(sql, 'IS NULL') : not(present);
}

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

/** Numbers that are NULL where they are not finite: for each number one expression, wherever it is needed. */
export class FiniteNumbers {
  private readonly known = new Map<Sql, Sql>();

  constructor(private readonly dialect: Dialect) {}

  /** The number of a value; nothing where it can be none. */
  of({ number }: Channels): Sql | undefined {
    if (number === undefined || number.isFinite) return number?.sql;
    const finite = this.known.get(number.sql) ?? shareExpression(this.dialect.finite(number.sql));
    this.known.set(number.sql, finite);
    return finite;
  }
}
