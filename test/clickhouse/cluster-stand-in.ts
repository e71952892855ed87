import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { ClickHouseStore } from '../../src/service/store/clickhouse/click-house-store.ts';
import { openClient } from './open-clickhouse.ts';

/** The numbers of shards of the clusters that tests can use. */
const SHARD_COUNTS = [2, 3] as const;

export type ShardCount = (typeof SHARD_COUNTS)[number];

/** Opens a store on a cluster of this process. */
export async function openShardedStore(shards: ShardCount): Promise<ClickHouseStore> {
  const { client, options } = openServers(shards);
  return ClickHouseStore.open(client, options);
}

/** Opens a client to one server or to a cluster, all in this process, with the options of a store there. */
export function openServers(shards: 1 | ShardCount) {
  return shards === 1
    ? { client: openClient(), options: {} }
    : { client: openClusterStandIn(shards), options: { cluster: getClusterName(shards) } };
}

/** Returns the name of a cluster in the configuration of ClickHouse in this process. */
export function getClusterName(shards: ShardCount): string {
  return `shards_${shards}`;
}

/**
 * Opens a client to a cluster whose shards are all this process. Queries run on it as on a cluster of servers:
 * `Distributed` splits inserts, `cluster` runs a SELECT once per shard with its own `shardNum()`, and results are merged.
 *
 * The shards share their tables, and there is no Keeper. So the client leaves out what needs one, and adds a filter to
 * each table of a shard:
 *
 * - `ON CLUSTER` is removed: the statement runs once.
 * - `Replicated…MergeTree` becomes `…MergeTree`, and `SYSTEM SYNC REPLICA` does nothing.
 * - A table behind a `Distributed` table with a sharding key shows each shard only its own rows.
 */
function openClusterStandIn(shards: ShardCount): ClickHouseClient {
  return new StandInClient(openConfiguredClient(), shards) as unknown as ClickHouseClient;
}

/** Opens a client whose database, if it is the first of this process, knows the clusters. */
export function openConfiguredClient(): ClickHouseClient {
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'onwhere-cluster-'));
  writeFileSync(join(folder, 'config.xml'), createConfiguration());
  // As `clickhouse-local`, the database reads `config.xml` in the working directory.
  process.chdir(folder);
  try {
    return openClient();
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  }
}

function createConfiguration(): string {
  const shard =
    '<shard><internal_replication>true</internal_replication><replica><host>127.0.0.1</host></replica></shard>';
  const clusters = SHARD_COUNTS.map((shards) => {
    const name = getClusterName(shards);
    return `<${name}>${shard.repeat(shards)}</${name}>`;
  });
  // Nothing listens on the port. It marks the shards as local.
  return `<clickhouse><tcp_port>9000</tcp_port><remote_servers>${clusters.join('')}</remote_servers></clickhouse>`;
}

type Method = 'command' | 'query' | 'exec';

class StandInClient {
  /** The filter of each table of a shard. */
  private readonly filters = new Map<string, string>();

  constructor(
    private readonly client: ClickHouseClient,
    private readonly shards: ShardCount,
  ) {}

  async command(parameters: Parameters<ClickHouseClient['command']>[0]) {
    return this.run('command', parameters);
  }

  async query(parameters: Parameters<ClickHouseClient['query']>[0]) {
    return this.run('query', parameters);
  }

  async exec(parameters: Parameters<ClickHouseClient['exec']>[0]) {
    return this.run('exec', parameters);
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private async run<Name extends Method>(method: Name, parameters: Parameters<ClickHouseClient[Name]>[0]) {
    const query = translate(parameters.query);
    if (query.startsWith('SYSTEM SYNC REPLICA')) return undefined;
    if (this.noteTables(query)) await this.setFilters();
    const send = this.client[method].bind(this.client) as (parameters: unknown) => unknown;
    return send({ ...parameters, query });
  }

  /** Notes tables of a shard that a statement creates or drops. Returns whether it does. */
  private noteTables(query: string): boolean {
    const [, created, key] =
      /^CREATE TABLE IF NOT EXISTS .* ENGINE = Distributed\(\S+, `(\w+`, \w+), (.*)\)$/.exec(query) ?? [];
    if (created !== undefined) {
      this.filters.set(created.replace('`, ', '.'), `shardNum() = 0 OR ${key} % ${this.shards} = shardNum() - 1`);
      return true;
    }
    const [, dropped] = /^DROP TABLE IF EXISTS (\w+_shard)\b/.exec(query) ?? [];
    const found = [...this.filters.keys()].find((name) => name.endsWith(`.${dropped}`));
    return found !== undefined && this.filters.delete(found);
  }

  /** The setting lasts as long as the client. */
  private async setFilters(): Promise<void> {
    const filters = [...this.filters].map((entry) => entry.map(quote).join(': '));
    await this.client.command({ query: `SET additional_table_filters = {${filters.join(', ')}}` });
  }
}

function translate(query: string): string {
  return query.replace(/ ON CLUSTER `\w+`/, '').replace(/Replicated(\w*MergeTree)\(('[^)]*')?/, '$1(');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
