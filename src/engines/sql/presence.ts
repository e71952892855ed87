import type { Channels } from './channels.ts';
import type { Dialect } from './dialect.ts';
import { and, not, or, postfix, type Sql } from './sql.ts';

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
