import { duckdb } from '../../engines/sql/dialects/duckdb.ts';
import type { SqlValue } from '../../engines/sql/sql.ts';
import type { Reading, Row, VersionSources } from '../reading.ts';
import { rowsOf } from '../rows-of.ts';

/** Versions that are lent as they are at one moment, with answers as JSON, which may go through a pipe before anyone parses it. */
export interface JsonReading {
  readonly versions: readonly VersionSources[];

  /** The rows of an answer as they are found: each text is an array of some of them. */
  json(sql: string, parameters: readonly SqlValue[]): AsyncIterable<string>;
}

/** The reading with its answers parsed. Once the signal comes, nothing more is asked. */
export function parsedReading({ versions, json }: JsonReading, signal: AbortSignal | undefined): Reading {
  async function* stream(sql: string, parameters: readonly SqlValue[]): AsyncGenerator<readonly Row[]> {
    signal?.throwIfAborted();
    for await (const text of json(sql, parameters)) yield JSON.parse(text);
  }
  return {
    dialect: duckdb,
    isSnapshot: true,
    versions,
    stream,
    rows: async (sql, parameters) => rowsOf(stream(sql, parameters)),
  };
}
