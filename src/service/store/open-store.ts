import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { makeEmptyFolder } from '../storage/files.ts';
import { ClickHouseStore } from './clickhouse/click-house-store.ts';
import type { DatabaseOptions } from './duckdb/database.ts';
import { DuckDbStore } from './duckdb/duck-db-store.ts';
import type { Store } from './store.ts';
import { StoreError } from './store-error.ts';
import { WorkerStore, type WorkerStoreOptions } from './worker/worker-store.ts';

/** The time limit of a statement that flushes segments. */
const FLUSH_TIMEOUT_MS = 3_600_000;

export interface StoreOptions {
  readonly store: 'duckdb' | 'clickhouse';
  /** The most memory that DuckDB takes, like `4GB`; without it, what DuckDB thinks right. */
  readonly memoryLimit: string | undefined;
  /**
   * Where ClickHouse answers over HTTP, with user, password and database: `https://user:password@host:8443/database`.
   */
  readonly clickhouseUrl: string | undefined;
  /** The cluster to spread the versions over, as the servers know it. */
  readonly clickhouseCluster: string | undefined;
}

/**
 * Opens the store that was chosen. What does not fit into memory goes for a while to a folder that no other process
 * uses; what is in it is removed.
 *
 * @throws {StoreError} where it cannot be: the package is not installed, nobody answers.
 */
export async function openStore(options: StoreOptions, temporaryFolder: string): Promise<Store> {
  if (options.store === 'clickhouse') return openClickHouse(options);
  await makeEmptyFolder(temporaryFolder);
  return DuckDbStore.open(databaseOptions(options, temporaryFolder));
}

/**
 * As {@link openStore}, for a server, which must outlive its database: DuckDB runs in a child process, and `onExit` is
 * told when that crashes or is killed. DuckDB opens no files but those of the data folder, in which the temporary one is.
 */
export async function openStoreApart(
  options: StoreOptions,
  dataFolder: string,
  temporaryFolder: string,
  onExit: WorkerStoreOptions['onExit'],
): Promise<Store> {
  if (options.store === 'clickhouse') return openClickHouse(options);
  return WorkerStore.open({ ...databaseOptions(options, temporaryFolder), onlyFolder: dataFolder, onExit });
}

function databaseOptions({ memoryLimit }: StoreOptions, temporaryFolder: string): DatabaseOptions {
  return { temporaryFolder, ...(memoryLimit !== undefined && { memoryLimit }) };
}

async function openClickHouse({ clickhouseUrl, clickhouseCluster }: StoreOptions): Promise<Store> {
  const client = clickHouseAt(clickhouseUrl);
  return ClickHouseStore.open(client, clickhouseCluster === undefined ? {} : { cluster: clickhouseCluster });
}

function clickHouseAt(url: string | undefined): ClickHouseClient {
  try {
    // What fails is told by whoever asked; the client would write it to the terminal as well.
    return createClient({
      ...(url !== undefined && { url }),
      request_timeout: FLUSH_TIMEOUT_MS,
      log: { level: ClickHouseLogLevel.OFF },
    });
  } catch (error) {
    throw new StoreError((error as Error).message, { cause: error });
  }
}
