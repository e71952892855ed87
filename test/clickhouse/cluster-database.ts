import { expect } from 'vitest';
import { clickhouse } from '../../src/lang/engines/sql/dialects/clickhouse.ts';
import type { Database } from '../lang/engines/sql/database.ts';
import { getClusterName, openConfiguredClient, type ShardCount } from './cluster-stand-in.ts';
import { createDatabase } from './open-clickhouse.ts';

/**
 * Opens a cluster of this process as a database for the corpus. Each shard evaluates a query over its own records, and
 * the rows of all shards are the result.
 */
export async function openShardedClickhouse(shards: ShardCount, client = openConfiguredClient()): Promise<Database> {
  const database = await createDatabase(client);
  return {
    ...database,
    async createTable(name, columns, rows) {
      const all = `all_${name}`;
      await database.createTable(all, columns, rows);
      const own = `id % ${shards} = shardNum() - 1`;
      const view = `SELECT * FROM ${clickhouse.quoteName(all)} WHERE ${own}`;
      await client.command({ query: `CREATE OR REPLACE VIEW ${clickhouse.quoteName(name)} AS ${view}` });
    },
    async query(sql, parameters) {
      const rows = await database.query(`SELECT * FROM cluster(${getClusterName(shards)}, view(${sql}))`, parameters);
      expect(new Set(rows.map(({ id, name }) => `${id} ${name}`)).size, 'each row is of one shard').toBe(rows.length);
      return rows;
    },
  };
}
