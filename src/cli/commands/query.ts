import type { FormatOptions } from '../../data/file-format.ts';
import { expandFiles } from '../input/expand-files.ts';
import type { Io } from '../io.ts';
import { printMessage } from '../messages.ts';
import { FileDatabase } from '../query/file-database.ts';
import { QueryDatabase } from '../query/query-database.ts';
import type { QueryDatabaseLoader } from '../scan.ts';
import { type CountOptions, runCount } from './count.ts';
import { type FilterOptions, runFilter } from './filter.ts';
import { runSegment, type SegmentOptions } from './segment.ts';

/** Runs `runFilter`, reading files through DuckDB where it can. */
export function queryFilter(io: Io, where: string, files: readonly string[], options: FilterOptions): Promise<void> {
  return withDatabase(io, files, options, (found, database) => runFilter(io, where, found, options, database));
}

/** Runs `runCount`, reading files through DuckDB where it can. */
export function queryCount(io: Io, where: string, files: readonly string[], options: CountOptions): Promise<void> {
  return withDatabase(io, files, options, (found, database) => runCount(io, where, found, options, database));
}

/** Runs `runSegment`, reading files through DuckDB where it can. */
export function querySegment(io: Io, on: string, files: readonly string[], options: SegmentOptions): Promise<void> {
  return withDatabase(io, files, options, (found, database) => runSegment(io, on, found, options, database));
}

async function withDatabase(
  io: Io,
  files: readonly string[],
  options: FormatOptions,
  run: (files: readonly string[], database: QueryDatabaseLoader) => Promise<void>,
): Promise<void> {
  const found = await expandFiles(files, (note) => printMessage(io, 'note', note));
  const engine = await FileDatabase.open(found, options);
  try {
    await run(found, new QueryDatabase(engine, options, found.length === 1));
  } finally {
    engine.close();
  }
}
