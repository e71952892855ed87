import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/** Files with the same events that DuckDB reads as tables. The keys say how they store the properties. */
export type QueryFiles = Readonly<Record<'json' | 'struct' | 'flat' | 'map' | 'duckdb', string>>;

/** Converts an NDJSON file of events, each with `event` and `properties`, into files of other formats. */
export async function writeQueryFiles(ndjson: string, folder: string): Promise<QueryFiles> {
  const file = (name: string) => join(folder, name);
  const files = {
    json: file('json.parquet'),
    struct: file('struct.parquet'),
    flat: file('flat.parquet'),
    map: file('map.parquet'),
    duckdb: file('events.duckdb'),
  };
  const asJson = `SELECT json ->> '/event' AS "event", CAST(json -> '/properties' AS JSON) AS properties
    FROM read_ndjson_objects('${ndjson}')`;
  const typed = `read_ndjson('${ndjson}', sample_size = -1)`;
  await runStatements([
    `COPY (${asJson}) TO '${files.json}' (FORMAT parquet)`,
    `COPY (FROM ${typed}) TO '${files.struct}' (FORMAT parquet)`,
    `COPY (SELECT "event", unnest(properties) FROM ${typed}) TO '${files.flat}' (FORMAT parquet)`,
    `COPY (SELECT "event", CAST(properties AS MAP(VARCHAR, JSON)) AS properties FROM (${asJson})) TO '${files.map}' (FORMAT parquet)`,
    `ATTACH '${files.duckdb}' AS written`,
    `CREATE TABLE written.events AS ${asJson}`,
    'DETACH written',
  ]);
  return files;
}

/** Runs statements in a new in-memory database. */
export async function runStatements(statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}
