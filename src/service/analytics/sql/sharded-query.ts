import type { Dialect } from '../../../lang/engines/sql/dialect.ts';
import type { SqlValue } from '../../../lang/engines/sql/sql.ts';
import { assertAnswerSize } from '../../../queries/answer-limits.ts';
import { type JsonSqlRow, lowerAllRows, type StoreSnapshot } from '../../store/store-snapshot.ts';
import type { ShardAggregate } from './shard-aggregate.ts';
import { getSqlFunctions } from './sql-functions.ts';

/** The groups of a table. */
export interface Grouping {
  /** A table, perhaps with a condition. */
  readonly from: string;
  /** The columns to group by. */
  readonly keys: readonly string[];
  /** The other columns. */
  readonly values: Readonly<Record<string, ShardAggregate>>;
}

/**
 * A query in steps, each a named subquery that later ones read:
 *
 * 1. {@link define} names rows. On a cluster, each shard computes its own; all rows of a user are on one shard.
 * 2. {@link group} aggregates them. Only groups leave a shard, and those of all shards are combined.
 * 3. {@link derive} names rows that are computed from the groups, and {@link rows} or {@link stream} returns the result.
 *
 * In a single database, all steps are one statement and nothing is combined.
 */
export class ShardedQuery {
  protected readonly parameters: SqlValue[];
  /** The definitions of tables that each shard computes; in a single database, of all tables. */
  private readonly onShards: string[] = [];
  /** The definitions of tables that are computed from the groups of all shards. */
  private readonly overShards: string[] = [];

  constructor(protected readonly snapshot: StoreSnapshot) {
    this.parameters = [...snapshot.parameters];
  }

  get dialect(): Dialect {
    return this.snapshot.dialect;
  }

  /** Whether the rows are on several shards. */
  get isSharded(): boolean {
    return this.snapshot.gather !== undefined;
  }

  /** Adds a parameter and returns its placeholder. */
  bind(value: SqlValue): string {
    const { dialect } = this;
    this.parameters.push(dialect.toBindable?.(value) ?? value);
    return dialect.placeholder(this.parameters.length, value);
  }

  /** Names rows, which are on the shards. */
  define(name: string, sql: string): void {
    this.onShards.push(`${name} AS (${sql})`);
  }

  /** Names groups of rows that are on the shards. */
  group(name: string, grouping: Grouping): void {
    this.derive(name, this.lowerGroups(grouping));
  }

  /** Names rows of all shards, without groups: for few rows, or for an answer that consists of them. */
  collect(name: string, sql: string): void {
    const all = this.isSharded ? lowerAllRows(this.snapshot, addTables(this.onShards, sql)) : `(${sql})`;
    this.derive(name, `SELECT * FROM ${all} AS shards`);
  }

  /** Names rows that are computed from groups. */
  derive(name: string, sql: string): void {
    (this.isSharded ? this.overShards : this.onShards).push(`${name} AS (${sql})`);
  }

  /**
   * Names a row with one number that is computed from groups, for tables on the shards. On a cluster, computes it now.
   */
  async share(name: string, column: string, sql: string): Promise<void> {
    if (!this.isSharded) {
      this.define(name, sql);
      return;
    }
    const [row] = await this.rows(`SELECT ${column} FROM (${sql}) AS shared`);
    const value = row?.[column] ?? null;
    this.define(name, `SELECT ${value === null ? 'nullif(0.0, 0.0)' : this.bind(Number(value))} AS ${column}`);
  }

  /**
   * Runs a query with a short result. Throws like {@link stream}.
   *
   * @throws {QueryError} also if the rows exceed the limits of an answer
   */
  async rows(sql: string): Promise<readonly JsonSqlRow[]> {
    const rows: JsonSqlRow[] = [];
    let [numbers, characters] = [0, 0];
    for await (const some of this.stream(sql)) {
      for (const value of some.flatMap(Object.values)) {
        if (typeof value === 'string') characters += value.length;
        else numbers++;
      }
      assertAnswerSize(numbers, characters);
      rows.push(...some);
    }
    return rows;
  }

  /** Runs a query over groups and streams its rows. */
  stream(sql: string): AsyncIterable<readonly JsonSqlRow[]> {
    const tables = this.isSharded ? this.overShards : this.onShards;
    return this.snapshot.stream(addTables(tables, sql), this.parameters);
  }

  /** Names rows that are computed wherever they are read, which can take less than storing them. */
  protected defineInlined(name: string, sql: string): void {
    this.onShards.push(`${name} AS ${getSqlFunctions(this.dialect).inlined}(${sql})`);
  }

  /** Returns SQL for groups of rows that are on the shards. */
  protected lowerGroups({ from, keys, values }: Grouping): string {
    const aggregates = Object.entries(values);
    const by = keys.length === 0 ? '' : ` GROUP BY ${keys.join(', ')}`;
    const columns = [...keys, ...aggregates.map(([column, { sql }]) => `${sql} AS ${column}`)];
    const groups = `SELECT ${columns.join(', ')} FROM ${from}${by}`;
    const { gather } = this.snapshot;
    if (gather === undefined) return groups;
    const combined = aggregates.map(([column, { combine }]) => `${combine(`shards.${column}`)} AS ${column}`);
    // A shard without rows would return a row with the default values of the types, such as 0.
    const filled = keys.length === 0 ? `${groups} HAVING count(*) > 0` : groups;
    const all = gather(addTables(this.onShards, filled));
    return `SELECT ${[...keys, ...combined].join(', ')} FROM ${all} AS shards${by}`;
  }
}

function addTables(definitions: readonly string[], sql: string): string {
  return definitions.length === 0 ? sql : `WITH ${definitions.join(',\n')}\n${sql}`;
}
