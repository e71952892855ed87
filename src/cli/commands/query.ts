import type { Io } from '../io.ts';
import { FileDatabase } from '../query/file-database.ts';
import { QueryDatabase } from '../query/query-database.ts';
import type { QueryDatabaseLoader } from '../scan.ts';
import type { Selection } from '../workers/job.ts';
import { type CountOptions, runCount } from './count.ts';
import { runFilter } from './filter.ts';
import { runSegment, type SegmentOptions } from './segment.ts';

export interface QueryOptions {
  /** The table to read from a file with several tables. */
  readonly table?: string;
}

/** Runs `runFilter`, reading files through DuckDB where it can. */
export function queryFilter(
  io: Io,
  where: string,
  files: readonly string[],
  options: Omit<Selection, 'where'> & QueryOptions,
): Promise<void> {
  return withDatabase(files, options, (database) => runFilter(io, where, files, options, database));
}

/** Runs `runCount`, reading files through DuckDB where it can. */
export function queryCount(
  io: Io,
  where: string,
  files: readonly string[],
  options: CountOptions & QueryOptions,
): Promise<void> {
  return withDatabase(files, options, (database) => runCount(io, where, files, options, database));
}

/** Runs `runSegment`, reading files through DuckDB where it can. */
export function querySegment(
  io: Io,
  on: string,
  files: readonly string[],
  options: SegmentOptions & QueryOptions,
): Promise<void> {
  return withDatabase(files, options, (database) => runSegment(io, on, files, options, database));
}

async function withDatabase(
  files: readonly string[],
  { table }: QueryOptions,
  run: (database: QueryDatabaseLoader) => Promise<void>,
): Promise<void> {
  const engine = await FileDatabase.open();
  try {
    await run(new QueryDatabase(engine, table, files.length === 1));
  } finally {
    engine.close();
  }
}
