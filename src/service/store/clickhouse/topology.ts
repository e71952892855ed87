import { clickhouse } from '../../../lang/engines/sql/dialects/clickhouse.ts';

const { quoteName } = clickhouse;

/** The definition of a table, on one server or distributed. */
export interface TableDefinition {
  readonly name: string;
  /** The names and types of the columns. */
  readonly columns: string;
  readonly orderBy: string;
  readonly partitionBy?: string;
  /** The sharding key. Absent for a small table that is complete on every server. */
  readonly shardBy?: string;
  /** The column whose highest value wins among rows with the same key, for a table that is read with `FINAL`. */
  readonly versionColumn?: string;
}

/** A cluster by its name in the server configuration, and the database on each of its servers. */
export interface Cluster {
  readonly name: string;
  readonly database: string;
}

/** Writes statements for tables on one server, or on the shards and replicas of a cluster. */
export class Topology {
  constructor(private readonly cluster?: Cluster) {}

  /** The clause after the name in a definition. */
  get onCluster(): string {
    return this.cluster === undefined ? '' : ` ON CLUSTER ${quoteName(this.cluster.name)}`;
  }

  /**
   * The keyword before `IN` and a subquery: the subquery runs once, on the server that gets the statement, and its
   * result is sent to the shards. https://clickhouse.com/docs/sql-reference/operators/in#distributed-subqueries
   */
  get global(): string {
    return this.cluster === undefined ? '' : 'GLOBAL ';
  }

  /**
   * Returns SQL for the rows that a SELECT returns on each shard. Undefined for one server.
   * https://clickhouse.com/docs/sql-reference/table-functions/cluster
   */
  get gather(): ((select: string) => string) | undefined {
    const { cluster } = this;
    return cluster === undefined ? undefined : (select) => `cluster(${quoteName(cluster.name)}, view(${select}))`;
  }

  /** Returns the name of the table or view of a server in a SELECT that {@link gather} takes, in parts. */
  locate(name: string): string | readonly string[] {
    return this.cluster === undefined ? name : [this.cluster.database, this.getLocal(name)];
  }

  /** Returns the name of a table in views, which other servers run in their own default database. */
  qualify(name: string): string {
    return this.cluster === undefined ? name : `${quoteName(this.cluster.database)}.${name}`;
  }

  /** Returns the table that holds the rows of one server. Statements that change rows need it. */
  getLocal(name: string): string {
    return this.cluster === undefined ? name : `${name}_shard`;
  }

  /** Creates a table if it does not exist. */
  create(table: TableDefinition): string[] {
    const { name, columns, orderBy, partitionBy, shardBy } = table;
    const order = `${partitionBy === undefined ? '' : ` PARTITION BY ${partitionBy}`} ORDER BY ${orderBy}`;
    const local = shardBy === undefined ? name : this.getLocal(name);
    const engine = this.engine(table);
    const rows = `CREATE TABLE IF NOT EXISTS ${local}${this.onCluster} (${columns}) ENGINE = ${engine}${order}`;
    if (local === name || this.cluster === undefined) return [rows];
    const all = this.distributed(this.cluster, name, shardBy);
    return [rows, `CREATE TABLE IF NOT EXISTS ${name}${this.onCluster} AS ${local} ENGINE = ${all}`];
  }

  /** Adds columns to a table, except those that exist. */
  addColumns({ name }: TableDefinition, columns: readonly string[]): string[] {
    if (columns.length === 0) return [];
    const additions = columns.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ');
    return [...new Set([this.getLocal(name), name])].map(
      (table) => `ALTER TABLE ${table}${this.onCluster} ${additions}`,
    );
  }

  /**
   * Drops a table. Running queries can still read it:
   * https://clickhouse.com/docs/engines/database-engines/atomic#drop-detach-table
   */
  drop({ name, shardBy }: Pick<TableDefinition, 'name' | 'shardBy'>): string[] {
    const tables = shardBy === undefined ? [name] : [...new Set([name, this.getLocal(name)])];
    return tables.map((table) => `DROP TABLE IF EXISTS ${table}${this.onCluster} SETTINGS max_table_size_to_drop = 0`);
  }

  /** Creates a view of the rows of each server. */
  createView(name: string, select: string): string {
    return `CREATE OR REPLACE VIEW ${this.getLocal(name)}${this.onCluster} AS ${select}`;
  }

  /** Creates a table over the views of all shards. Each shard runs as much of a query as it can. */
  createDistributedView(name: string, columns: string): string[] {
    if (this.cluster === undefined) return [];
    return [
      `CREATE OR REPLACE TABLE ${name}${this.onCluster} (${columns}) ENGINE = ${this.distributed(this.cluster, name)}`,
    ];
  }

  dropDistributedView(name: string): string[] {
    return this.cluster === undefined ? [] : [`DROP TABLE IF EXISTS ${name}${this.onCluster}`];
  }

  dropView(name: string): string {
    return `DROP VIEW IF EXISTS ${this.getLocal(name)}${this.onCluster}`;
  }

  /** Waits until all replicas have the inserted rows. */
  sync({ name, shardBy }: TableDefinition): string[] {
    if (this.cluster === undefined) return [];
    return [`SYSTEM SYNC REPLICA${this.onCluster} ${shardBy === undefined ? name : this.getLocal(name)}`];
  }

  /** Defines a function that the SQL of expressions uses. */
  defineFunction(statement: string): string {
    return statement.replace(' AS ', () => `${this.onCluster} AS `);
  }

  /** https://clickhouse.com/docs/engines/table-engines/special/distributed */
  private distributed(cluster: Cluster, name: string, ...shardBy: readonly (string | undefined)[]): string {
    const parameters = [quoteName(cluster.name), quoteName(cluster.database), this.getLocal(name), ...shardBy];
    return `Distributed(${parameters.join(', ')})`;
  }

  /**
   * Returns the table engine. Rows of a shard are replicated under the servers' default path. A table that is complete
   * on every server has one path for all of them:
   * https://clickhouse.com/docs/engines/table-engines/mergetree-family/replication
   */
  private engine({ versionColumn, shardBy }: TableDefinition): string {
    const family = versionColumn === undefined ? 'MergeTree' : 'ReplacingMergeTree';
    if (this.cluster === undefined) return `${family}(${versionColumn ?? ''})`;
    if (shardBy === undefined) return `Replicated${family}('/clickhouse/tables/{uuid}/whole', '{shard}_{replica}')`;
    return `Replicated${family}(${versionColumn ?? ''})`;
  }
}
