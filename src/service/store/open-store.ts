import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { makeEmptyFolder } from '../storage/files.ts';
import type { FolderHold } from '../storage/folder-hold.ts';
import { ClickHouseStore } from './clickhouse/click-house-store.ts';
import { DuckDbStore, type DuckDbStoreOptions } from './duckdb/duck-db-store.ts';
import type { Store } from './store.ts';
import { StoreError } from './store-error.ts';
import { WorkerStore, type WorkerStoreOptions } from './worker/worker-store.ts';

/** The time limit of a statement that flushes log files. */
const FLUSH_TIMEOUT_MS = 3_600_000;

export interface StoreOptions {
  readonly store: 'duckdb' | 'clickhouse';
  /** The memory limit of DuckDB, for example `4GB`. Default: DuckDB's own default. */
  readonly memoryLimit: string | undefined;
  /**
   * The HTTP URL of ClickHouse with user, password and database: `https://user:password@host:8443/database`.
   */
  readonly clickhouseUrl: string | undefined;
  /** The name of the ClickHouse cluster that versions are distributed over. */
  readonly clickhouseCluster: string | undefined;
}

/** Files that a store keeps besides versions. No other process may use them. */
export interface StoreFiles extends Pick<DuckDbStoreOptions, 'copiesFile'> {
  /** A folder for data that does not fit into memory. Its content is removed. */
  readonly temporaryFolder: string;
}

/**
 * Opens the chosen store.
 *
 * @throws {StoreError} if DuckDB is not installed or ClickHouse does not respond.
 */
export async function openStore(options: StoreOptions, files: StoreFiles): Promise<Store> {
  if (options.store === 'clickhouse') return openClickHouse(options);
  await makeEmptyFolder(files.temporaryFolder);
  return DuckDbStore.open(toDuckDbOptions(options, files));
}

/**
 * Opens the chosen store for a server, which must survive its database: DuckDB runs in a child process. Otherwise like
 * {@link openStore}.
 *
 * @param dataFolder the only folder in which DuckDB opens files. It contains the others.
 * @param onExit called when the child process crashes or is killed
 * @param hold the right to change the data folder, if servers share it: without it, nothing is written
 */
export async function openStoreApart(
  options: StoreOptions,
  dataFolder: string,
  files: StoreFiles,
  onExit: WorkerStoreOptions['onExit'],
  hold?: FolderHold,
): Promise<Store> {
  if (options.store === 'clickhouse') return openClickHouse(options, hold);
  return WorkerStore.open({ ...toDuckDbOptions(options, files), onlyFolder: dataFolder, onExit });
}

function toDuckDbOptions({ memoryLimit }: StoreOptions, files: StoreFiles): DuckDbStoreOptions {
  return { ...files, ...(memoryLimit !== undefined && { memoryLimit }) };
}

async function openClickHouse({ clickhouseUrl, clickhouseCluster }: StoreOptions, hold?: FolderHold): Promise<Store> {
  const client = createClickHouseClient(clickhouseUrl);
  const cluster = clickhouseCluster === undefined ? {} : { cluster: clickhouseCluster };
  return ClickHouseStore.open(client, { ...cluster, hold });
}

function createClickHouseClient(url: string | undefined): ClickHouseClient {
  try {
    // Callers report errors; the client would also write them to the terminal.
    return createClient({
      ...(url !== undefined && { url }),
      request_timeout: FLUSH_TIMEOUT_MS,
      log: { level: ClickHouseLogLevel.OFF },
    });
  } catch (error) {
    throw new StoreError((error as Error).message, { cause: error });
  }
}
