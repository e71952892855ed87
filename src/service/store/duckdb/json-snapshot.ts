import { parseJson } from '../../../base/parse-json.ts';
import { duckdb } from '../../../lang/engines/sql/dialects/duckdb.ts';
import type { SqlValue } from '../../../lang/engines/sql/sql.ts';
import type { JsonSqlRow, StoreSnapshot, VersionSources } from '../store-snapshot.ts';
import { collectRows } from '../store-snapshot.ts';

/** A snapshot of versions with results as JSON, which can pass through a pipe before it is parsed. */
export interface JsonSnapshot {
  readonly versions: readonly VersionSources[];

  /** Streams the rows of a query, as JSON arrays of several rows. */
  json(sql: string, parameters: readonly SqlValue[]): AsyncIterable<string>;
}

/** Returns a snapshot whose results are parsed. Once the signal is aborted, queries throw its reason. */
export function parseSnapshot({ versions, json }: JsonSnapshot, signal: AbortSignal | undefined): StoreSnapshot {
  async function* stream(sql: string, parameters: readonly SqlValue[]): AsyncGenerator<readonly JsonSqlRow[]> {
    signal?.throwIfAborted();
    for await (const rows of json(sql, parameters)) yield parseJson(rows) as readonly JsonSqlRow[];
  }
  return {
    dialect: duckdb,
    isSnapshot: true,
    versions,
    parameters: [],
    stream,
    rows: async (sql, parameters) => collectRows(stream(sql, parameters)),
  };
}
