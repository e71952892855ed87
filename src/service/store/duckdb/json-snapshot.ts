import { duckdb } from '../../../lang/engines/sql/dialects/duckdb.ts';
import type { SqlValue } from '../../../lang/engines/sql/sql.ts';
import type { JsonSqlRow, StoreSnapshot, VersionSources } from '../store-snapshot.ts';
import { collectRows } from '../store-snapshot.ts';

/** Versions that are lent as they are at one moment, with answers as JSON, which may go through a pipe before anyone parses it. */
export interface JsonSnapshot {
  readonly versions: readonly VersionSources[];

  /** The rows of an answer as they are found: each text is an array of some of them. */
  json(sql: string, parameters: readonly SqlValue[]): AsyncIterable<string>;
}

/** The reading with its answers parsed. Once the signal comes, nothing more is asked. */
export function parseSnapshot({ versions, json }: JsonSnapshot, signal: AbortSignal | undefined): StoreSnapshot {
  async function* stream(sql: string, parameters: readonly SqlValue[]): AsyncGenerator<readonly JsonSqlRow[]> {
    signal?.throwIfAborted();
    for await (const text of json(sql, parameters)) yield JSON.parse(text);
  }
  return {
    dialect: duckdb,
    isSnapshot: true,
    versions,
    stream,
    rows: async (sql, parameters) => collectRows(stream(sql, parameters)),
  };
}
