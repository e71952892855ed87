import type { Channels } from './channels.ts';
import type { Dialect } from './dialect.ts';
import { and, FALSE, not, or, postfix, type Sql, shareExpression } from './sql.ts';

type Nullable = NonNullable<Channels['string' | 'boolean' | 'list']>;

/** Tests whether a channel holds a value. */
export function isPresent({ sql, present }: Nullable): Sql {
  return present ?? postfix(sql, 'IS NOT NULL');
}

/** Tests whether the value is a number; NULL or false if it is not. */
export function isNumber(number: NonNullable<Channels['number']>, dialect: Dialect): Sql {
  return number.isFinite ? postfix(number.sql, 'IS NOT NULL') : dialect.isFinite(number.sql);
}

/** Tests whether the value is defined and not null; never NULL. */
export function isDefined(channels: Channels, dialect: Dialect): Sql {
  const { number, string, boolean, list } = channels;
  return or(
    ...[string, boolean, list].flatMap((channel) => (channel ? [isPresent(channel)] : [])),
    ...(number ? [number.isFinite ? isNumber(number, dialect) : dialect.isTrue(isNumber(number, dialect))] : []),
  );
}

/** Tests whether the value is undefined; never NULL. */
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

/** A condition. NULL counts as false. */
export interface SqlCondition {
  readonly sql: Sql;
  readonly isNullable: boolean;
}

export const NEVER: SqlCondition = { sql: FALSE, isNullable: false };

/** Joins conditions with `and` or `or`. */
export function joinConditions(operator: 'and' | 'or', conditions: readonly SqlCondition[]): SqlCondition {
  const sqls = conditions.map(({ sql }) => sql);
  return {
    sql: operator === 'and' ? and(...sqls) : or(...sqls),
    isNullable: conditions.some(({ isNullable }) => isNullable),
  };
}

/** Returns whether a condition is true; never NULL. */
export function lowerTruth({ sql, isNullable }: SqlCondition, dialect: Dialect): Sql {
  return isNullable ? dialect.isTrue(sql) : sql;
}

/** Returns whether a condition is not true; never NULL. */
export function lowerNegation({ sql, isNullable }: SqlCondition, dialect: Dialect): SqlCondition {
  return { sql: isNullable ? dialect.isNotTrue(sql) : not(sql), isNullable: false };
}

/** Turns numbers that are not finite into NULL. Each number has one expression, which all its uses share. */
export class FiniteNumbers {
  private readonly finiteByNumber = new Map<Sql, Sql>();

  constructor(private readonly dialect: Dialect) {}

  /** Returns the number of a value, or undefined if the value cannot be a number. */
  get({ number }: Channels): Sql | undefined {
    if (number === undefined || number.isFinite) return number?.sql;
    const finite = this.finiteByNumber.get(number.sql) ?? shareExpression(this.dialect.nullIfNotFinite(number.sql));
    this.finiteByNumber.set(number.sql, finite);
    return finite;
  }
}
