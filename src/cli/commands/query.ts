import type { Selection } from '../crew/task.ts';
import type { Io } from '../io.ts';
import { Engine } from '../query/engine.ts';
import { QueryDatabase } from '../query/query-database.ts';
import type { Database } from '../scan.ts';
import { type CountOptions, count } from './count.ts';
import { filter } from './filter.ts';
import { type SegmentOptions, segment } from './segment.ts';

export interface QueryOptions {
  /** The table of a file that has several. */
  readonly table?: string;
}

/** As `filter`, also over what DuckDB reads. */
export function queryFilter(
  io: Io,
  where: string,
  files: readonly string[],
  options: Omit<Selection, 'where'> & QueryOptions,
): Promise<void> {
  return withDatabase(files, options, (database) => filter(io, where, files, options, database));
}

/** As `count`, also over what DuckDB reads. */
export function queryCount(
  io: Io,
  where: string,
  files: readonly string[],
  options: CountOptions & QueryOptions,
): Promise<void> {
  return withDatabase(files, options, (database) => count(io, where, files, options, database));
}

/** As `segment`, also over what DuckDB reads. */
export function querySegment(
  io: Io,
  on: string,
  files: readonly string[],
  options: SegmentOptions & QueryOptions,
): Promise<void> {
  return withDatabase(files, options, (database) => segment(io, on, files, options, database));
}

async function withDatabase(
  files: readonly string[],
  { table }: QueryOptions,
  run: (database: Database) => Promise<void>,
): Promise<void> {
  const engine = await Engine.open();
  try {
    await run(new QueryDatabase(engine, table, files.length === 1));
  } finally {
    engine.close();
  }
}
