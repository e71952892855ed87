import { clickhouse } from '../../../lang/engines/sql/dialects/clickhouse.ts';

const { quoteName } = clickhouse;

/** A table, wherever its rows are. */
export interface TableDefinition {
  readonly name: string;
  /** Names and types. */
  readonly columns: string;
  readonly orderBy: string;
  readonly partitionBy?: string;
  /** What tells on which shard a row is; left out for a small table that every server has whole. */
  readonly shardBy?: string;
  /** The column whose greatest value wins among rows of one key, for a table that is read with `FINAL`. */
  readonly keepsGreatest?: string;
}

/** A cluster of servers, by its name in their configuration, and the database on each of them. */
export interface Cluster {
  readonly name: string;
  readonly database: string;
}

/** Where tables are: on one server or, by the same statements, on the shards of a cluster, each with its replicas. */
export class Topology {
  constructor(private readonly cluster?: Cluster) {}

  /** What follows the name in a definition. */
  get onCluster(): string {
    return this.cluster === undefined ? '' : ` ON CLUSTER ${quoteName(this.cluster.name)}`;
  }

  /**
   * What stands before `IN` and a subquery: its answer is found once, where the statement is asked, and sent to the shards.
   * https://clickhouse.com/docs/sql-reference/operators/in#distributed-subqueries
   */
  get global(): string {
    return this.cluster === undefined ? '' : 'GLOBAL ';
  }

  /** A table as a view names it, which other servers read in their own default database. */
  qualified(name: string): string {
    return this.cluster === undefined ? name : `${quoteName(this.cluster.database)}.${name}`;
  }

  /** The table that has the rows of a server; statements that change what is there name it. */
  part(name: string): string {
    return this.cluster === undefined ? name : `${name}_shard`;
  }

  create(table: TableDefinition): string[] {
    const { name, columns, orderBy, partitionBy, shardBy } = table;
    const order = `${partitionBy === undefined ? '' : ` PARTITION BY ${partitionBy}`} ORDER BY ${orderBy}`;
    const part = shardBy === undefined ? name : this.part(name);
    const rows = `CREATE TABLE IF NOT EXISTS ${part}${this.onCluster} (${columns}) ENGINE = ${this.engine(table)}${order}`;
    if (part === name || this.cluster === undefined) return [rows];
    const all = this.distributed(this.cluster, name, shardBy);
    return [rows, `CREATE TABLE IF NOT EXISTS ${name}${this.onCluster} AS ${part} ENGINE = ${all}`];
  }

  /** Adds columns that a table may have already. */
  addColumns({ name }: TableDefinition, columns: readonly string[]): string[] {
    if (columns.length === 0) return [];
    const additions = columns.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ');
    return [...new Set([this.part(name), name])].map((table) => `ALTER TABLE ${table}${this.onCluster} ${additions}`);
  }

  /** Queries that run read it to their end. https://clickhouse.com/docs/engines/database-engines/atomic#drop-detach-table */
  drop({ name, shardBy }: TableDefinition): string[] {
    const tables = shardBy === undefined ? [name] : [...new Set([name, this.part(name)])];
    return tables.map((table) => `DROP TABLE IF EXISTS ${table}${this.onCluster} SETTINGS max_table_size_to_drop = 0`);
  }

  /** A view of what a server has. */
  createView(name: string, select: string): string {
    return `CREATE OR REPLACE VIEW ${this.part(name)}${this.onCluster} AS ${select}`;
  }

  /** The views of all shards as one table, whose queries each shard answers for itself as far as it can. */
  gather(name: string, columns: string): string[] {
    if (this.cluster === undefined) return [];
    return [
      `CREATE OR REPLACE TABLE ${name}${this.onCluster} (${columns}) ENGINE = ${this.distributed(this.cluster, name)}`,
    ];
  }

  dropGathered(name: string): string[] {
    return this.cluster === undefined ? [] : [`DROP TABLE IF EXISTS ${name}${this.onCluster}`];
  }

  dropView(name: string): string {
    return `DROP VIEW IF EXISTS ${this.part(name)}${this.onCluster}`;
  }

  /** Waits until all replicas have what was inserted. */
  sync({ name, shardBy }: TableDefinition): string[] {
    if (this.cluster === undefined) return [];
    return [`SYSTEM SYNC REPLICA${this.onCluster} ${shardBy === undefined ? name : this.part(name)}`];
  }

  /** A function for the SQL of expressions. */
  defineFunction(statement: string): string {
    return statement.replace(' AS ', () => `${this.onCluster} AS `);
  }

  /** https://clickhouse.com/docs/engines/table-engines/special/distributed */
  private distributed(cluster: Cluster, name: string, ...shardBy: readonly (string | undefined)[]): string {
    return `Distributed(${[quoteName(cluster.name), quoteName(cluster.database), this.part(name), ...shardBy].join(', ')})`;
  }

  /**
   * The rows of a shard are on its replicas, under the path that the servers have for that; what every server has whole is under
   * one. https://clickhouse.com/docs/engines/table-engines/mergetree-family/replication
   */
  private engine({ keepsGreatest, shardBy }: TableDefinition): string {
    const family = keepsGreatest === undefined ? 'MergeTree' : 'ReplacingMergeTree';
    if (this.cluster === undefined) return `${family}(${keepsGreatest ?? ''})`;
    if (shardBy === undefined) return `Replicated${family}('/clickhouse/tables/{uuid}/whole', '{shard}_{replica}')`;
    return `Replicated${family}(${keepsGreatest ?? ''})`;
  }
}
