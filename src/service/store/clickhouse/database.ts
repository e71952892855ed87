import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import type { SqlValue } from '../../../lang/engines/sql/sql.ts';
import type { FolderHold } from '../../storage/folder-hold.ts';
import { DepthLimitError, MemoryLimitError, StoreError } from '../store-error.ts';

/** The values of the parameters of a statement by name. */
export type ClickHouseParameters = Readonly<Record<string, string | number | readonly string[]>>;

/** The options of a query. */
interface QueryOptions {
  readonly parameters: Readonly<Record<string, SqlValue>>;
  readonly settings: ClickHouseSettings;
  readonly signal?: AbortSignal;
}

/**
 * The settings of inserts: complete when they return, also on the shards of a cluster, and never dropped as duplicates
 * of earlier inserts. By default, an `INSERT … SELECT` from a distributed table would leave its rows on their shards,
 * whatever the sharding key. https://clickhouse.com/docs/operations/settings/settings
 */
export const INSERT_SETTINGS =
  'SETTINGS async_insert = 0, insert_deduplicate = 0, distributed_foreground_insert = 1, ' +
  'parallel_distributed_insert_select = 0, input_format_json_read_objects_as_strings = 1';

const UNKNOWN_TABLE = '60';

/**
 * The classes of errors by their codes:
 * https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
 */
const KINDS: Readonly<Record<string, typeof StoreError>> = {
  /** TOO_DEEP_SUBQUERIES, TOO_DEEP_AST, TOO_BIG_AST, TOO_DEEP_RECURSION */
  162: DepthLimitError,
  167: DepthLimitError,
  168: DepthLimitError,
  306: DepthLimitError,
  /** MEMORY_LIMIT_EXCEEDED */
  241: MemoryLimitError,
};

/** Sends statements to ClickHouse. Its errors are thrown as {@link StoreError}. */
export class ClickHouseDatabase {
  constructor(
    private readonly client: ClickHouseClient,
    private readonly hold?: FolderHold,
  ) {}

  /** Returns the name of the default database. */
  async name(): Promise<string> {
    const [found] = await this.rows<{ name: string }>('SELECT currentDatabase() AS name');
    return found?.name ?? 'default';
  }

  async command(query: string, parameters: ClickHouseParameters = {}): Promise<void> {
    this.hold?.assertHeld();
    await translateErrors(query, this.client.command({ query, query_params: parameters }));
  }

  async commands(queries: readonly string[]): Promise<void> {
    for (const query of queries) await this.command(query);
  }

  /** Returns all rows of a query. */
  async rows<Row>(query: string, parameters: ClickHouseParameters = {}): Promise<Row[]> {
    const sending = this.client.query({ query, query_params: parameters, format: 'JSONEachRow' });
    return translateErrors(
      query,
      sending.then((result) => result.json<Row>()),
    );
  }

  /** Streams the rows of a query; none if a table does not exist. */
  async *stream<Row>(query: string, parameters: ClickHouseParameters = {}): AsyncGenerator<Row, void, undefined> {
    const result = await this.client
      .query({ query, query_params: parameters, format: 'JSONEachRow' })
      .catch((error: unknown) => (isUnknownTable(error) ? undefined : throwStoreError(query, error)));
    if (result === undefined) return;
    try {
      for await (const rows of result.stream<Row>()) {
        for (const row of rows) yield row.json();
      }
    } catch (error) {
      throwStoreError(query, error);
    } finally {
      result.close();
    }
  }

  /** Streams the rows of a query in chunks. Kills the query on the server if the signal is aborted. */
  async *chunks<Row>(
    query: string,
    { parameters, settings, signal }: QueryOptions,
  ): AsyncGenerator<readonly Row[], void, undefined> {
    // The client ignores a signal that was aborted before.
    signal?.throwIfAborted();
    const query_id = randomUUID();
    const request = {
      query,
      query_id,
      query_params: { ...parameters },
      clickhouse_settings: settings,
      format: 'JSONEachRow' as const,
    };
    const kill = () => void this.kill(query_id);
    signal?.addEventListener('abort', kill);
    try {
      const result = await this.client.query({ ...request, ...(signal !== undefined && { abort_signal: signal }) });
      try {
        for await (const rows of result.stream<Row>()) yield rows.map((row) => row.json());
      } finally {
        result.close();
      }
    } catch (error) {
      signal?.throwIfAborted();
      throwStoreError(query, error);
    } finally {
      signal?.removeEventListener('abort', kill);
    }
  }

  /** Inserts lines of JSON objects, whose keys are columns. */
  async insert(table: string, columns: readonly string[], lines: Buffer): Promise<void> {
    const query = `INSERT INTO ${table} (${columns.join(', ')}) ${INSERT_SETTINGS} FORMAT JSONEachRow`;
    this.hold?.assertHeld();
    const values = Readable.from([lines], { objectMode: false });
    const { stream } = await translateErrors(query, this.client.exec({ query, values }));
    stream.resume();
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** Kills a query. Closing its connection is not enough: the server checks it only between progress reports. */
  private async kill(id: string): Promise<void> {
    const query = 'KILL QUERY WHERE query_id = {id: String} ASYNC';
    // A query that cannot be killed ends by itself.
    await this.client.command({ query, query_params: { id } }).catch(() => undefined);
  }
}

async function translateErrors<Result>(query: string, result: Promise<Result>): Promise<Result> {
  return result.catch((error: unknown) => throwStoreError(query, error));
}

/** @throws {StoreError} with the code and the first line of the database's error. */
function throwStoreError(query: string, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  const code = getErrorCode(error);
  const message = `${code === undefined ? '' : `code ${code}: `}${reason.split('\n', 1)[0]?.slice(0, 500)}`;
  // Its code is that of all syntax errors.
  const isTooLong = reason.startsWith('Max query size exceeded');
  const Kind = isTooLong ? DepthLimitError : (KINDS[code ?? ''] ?? StoreError);
  throw new Kind(`ClickHouse failed on "${query.slice(0, 60)}…": ${message}`, { cause: error });
}

function isUnknownTable(error: unknown): boolean {
  return getErrorCode(error) === UNKNOWN_TABLE;
}

function getErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
