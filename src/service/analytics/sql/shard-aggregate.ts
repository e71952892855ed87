import type { Dialect } from '../../../lang/engines/sql/dialect.ts';
import { getSqlFunctions } from './sql-functions.ts';

/** An aggregate of rows that each shard of a cluster computes over its own rows, and that is then combined. */
export interface ShardAggregate {
  /** SQL over rows. */
  readonly sql: string;
  /** Returns SQL over the results of all shards. */
  combine(results: string): string;
}

/** Returns an aggregate that is the sum of the shards' results, which are whole numbers. */
export function addUp(sql: string): ShardAggregate {
  return { sql, combine: (results) => `sum(${results})` };
}

export const ROW_COUNT = addUp('count(*)');

/** The number of users. All rows of a user are on one shard. */
export const USER_COUNT = addUp('count(DISTINCT distinct_id)');

/** Returns the lowest value of a column. */
export function minOf(column: string): ShardAggregate {
  return { sql: `min(${column})`, combine: (results) => `min(${results})` };
}

/** Returns the highest value of a column. */
export function maxOf(column: string): ShardAggregate {
  return { sql: `max(${column})`, combine: (results) => `max(${results})` };
}

/** Returns the sum of doubles. */
export function sumOf(dialect: Dialect, numbers: string): ShardAggregate {
  const { sum } = getSqlFunctions(dialect);
  return { sql: sum(numbers), combine: sum };
}
