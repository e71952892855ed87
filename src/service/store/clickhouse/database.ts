import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import type { SqlValue } from '../../../lang/engines/sql/sql.ts';
import { DepthLimitError, MemoryLimitError, StoreError } from '../store-error.ts';

/** What the parameters of a statement stand for, by their names. */
export type ClickHouseParameters = Readonly<Record<string, string | number | readonly string[]>>;

/** What a question is asked with. */
export interface Asking {
  readonly parameters: Readonly<Record<string, SqlValue>>;
  readonly settings: ClickHouseSettings;
  readonly signal?: AbortSignal;
}

/**
 * What an insert is done with: whole when it returns, also on the shards of a cluster, and not passed over for being like one before.
 * https://clickhouse.com/docs/operations/settings/settings
 */
export const INSERT_SETTINGS =
  'SETTINGS async_insert = 0, insert_deduplicate = 0, distributed_foreground_insert = 1, input_format_json_read_objects_as_strings = 1';

const UNKNOWN_TABLE = '60';

/** The errors that are told apart, by their codes: https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp */
const KINDS: Readonly<Record<string, typeof StoreError>> = {
  /** TOO_DEEP_SUBQUERIES, TOO_DEEP_AST, TOO_BIG_AST, TOO_DEEP_RECURSION */
  162: DepthLimitError,
  167: DepthLimitError,
  168: DepthLimitError,
  306: DepthLimitError,
  /** MEMORY_LIMIT_EXCEEDED */
  241: MemoryLimitError,
};

/** Statements to ClickHouse, whose errors become errors of the store. */
export class ClickHouseDatabase {
  constructor(private readonly client: ClickHouseClient) {}

  /** The database that statements are for. */
  async name(): Promise<string> {
    const [found] = await this.rows<{ name: string }>('SELECT currentDatabase() AS name');
    return found?.name ?? 'default';
  }

  async command(query: string, parameters: ClickHouseParameters = {}): Promise<void> {
    await failing(query, this.client.command({ query, query_params: parameters }));
  }

  async commands(queries: readonly string[]): Promise<void> {
    for (const query of queries) await this.command(query);
  }

  /** The rows of a short answer. */
  async rows<Row>(query: string, parameters: ClickHouseParameters = {}): Promise<Row[]> {
    const answer = this.client.query({ query, query_params: parameters, format: 'JSONEachRow' });
    return failing(
      query,
      answer.then((result) => result.json<Row>()),
    );
  }

  /** The rows of a long answer; none of a table that is not there. */
  async *stream<Row>(query: string, parameters: ClickHouseParameters = {}): AsyncGenerator<Row, void, undefined> {
    const result = await this.client
      .query({ query, query_params: parameters, format: 'JSONEachRow' })
      .catch((error: unknown) => (isUnknownTable(error) ? undefined : failed(query, error)));
    if (result === undefined) return;
    try {
      for await (const rows of result.stream<Row>()) {
        for (const row of rows) yield row.json();
      }
    } catch (error) {
      failed(query, error);
    } finally {
      result.close();
    }
  }

  /** The rows of a question, some at a time. The server stops it when the signal says so. */
  async *chunks<Row>(
    query: string,
    { parameters, settings, signal }: Asking,
  ): AsyncGenerator<readonly Row[], void, undefined> {
    const query_id = randomUUID();
    const asked = {
      query,
      query_id,
      query_params: { ...parameters },
      clickhouse_settings: settings,
      format: 'JSONEachRow' as const,
    };
    const kill = () => void this.kill(query_id);
    signal?.addEventListener('abort', kill);
    try {
      const result = await this.client.query({ ...asked, ...(signal !== undefined && { abort_signal: signal }) });
      try {
        for await (const rows of result.stream<Row>()) yield rows.map((row) => row.json());
      } finally {
        result.close();
      }
    } catch (error) {
      signal?.throwIfAborted();
      failed(query, error);
    } finally {
      signal?.removeEventListener('abort', kill);
    }
  }

  /** Inserts lines of JSON, whose names are those of columns. */
  async insert(table: string, columns: readonly string[], lines: Buffer): Promise<void> {
    const query = `INSERT INTO ${table} (${columns.join(', ')}) ${INSERT_SETTINGS} FORMAT JSONEachRow`;
    const values = Readable.from([lines], { objectMode: false });
    const { stream } = await failing(query, this.client.exec({ query, values }));
    stream.resume();
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** Closing the connection is not enough: the server looks at it only between the reports of a query's progress. */
  private async kill(id: string): Promise<void> {
    const query = 'KILL QUERY WHERE query_id = {id: String} ASYNC';
    // Nobody waits for it: a query that cannot be killed ends by itself.
    await this.client.command({ query, query_params: { id } }).catch(() => undefined);
  }
}

async function failing<Answer>(query: string, answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => failed(query, error));
}

/** @throws {StoreError} with the first line of what the database says, which names its code. */
function failed(query: string, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  const code = errorCode(error);
  const said = `${code === undefined ? '' : `code ${code}: `}${reason.split('\n', 1)[0]?.slice(0, 500)}`;
  // That has the code of all syntax errors.
  const isTooLong = reason.startsWith('Max query size exceeded');
  const Kind = isTooLong ? DepthLimitError : (KINDS[code ?? ''] ?? StoreError);
  throw new Kind(`ClickHouse failed on "${query.slice(0, 60)}…": ${said}`, { cause: error });
}

function isUnknownTable(error: unknown): boolean {
  return errorCode(error) === UNKNOWN_TABLE;
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
