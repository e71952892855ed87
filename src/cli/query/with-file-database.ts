import { stat } from 'node:fs/promises';
import { detectFormatByName, type FormatOptions } from '../../data/file-format.ts';
import { MissingDuckdbError } from '../../service/store/store-error.ts';
import { expandFiles } from '../input/expand-files.ts';
import type { Io } from '../io.ts';
import { printMessage } from '../messages.ts';
import type { QueryDatabaseLoader } from '../scan.ts';
import { detectDatabase } from './detect-database.ts';

/** How a command reads files. */
export interface FileReadingOptions extends FormatOptions {
  /** Whether it looks at every record, so that a database is of no use. */
  readonly explain?: boolean;
}

/**
 * Runs a job on files with DuckDB if it counts one of them faster: Parquet files, tables of .duckdb files and, if DuckDB
 * is installed, large CSV files.
 *
 * @param run gets the files in folders and patterns, and the database
 * @throws {MissingDuckdbError} if there is a table and DuckDB is not installed
 */
export async function withFileDatabase<Result>(
  io: Io,
  names: readonly string[],
  options: FileReadingOptions,
  run: (files: readonly string[], database?: QueryDatabaseLoader) => Promise<Result>,
): Promise<Result> {
  const files = await expandFiles(names, (note) => printMessage(io, 'note', note));
  const kinds = options.explain ? [] : await Promise.all(files.map((file) => findKind(io, file)));
  if (kinds.every((kind) => kind === undefined)) return run(files);
  const [{ FileDatabase }, { QueryDatabase }] = await Promise.all([
    import('./file-database.ts'),
    import('./query-database.ts'),
  ]);
  let engine: Awaited<ReturnType<typeof FileDatabase.open>>;
  try {
    engine = await FileDatabase.open(files, options);
  } catch (error) {
    if (error instanceof MissingDuckdbError && !kinds.includes('table')) return run(files);
    throw error;
  }
  try {
    return await run(files, new QueryDatabase(engine, options, files.length === 1));
  } finally {
    engine.close();
  }
}

/** Returns the kind of a file that DuckDB counts faster. Errors are left to the reading of the file. */
async function findKind(io: Io, file: string): Promise<'table' | 'csv' | undefined> {
  if (file === '-') return undefined;
  try {
    if ((await detectDatabase(file)) !== undefined) return 'table';
    const isCsv = detectFormatByName(file) === 'csv';
    return isCsv && (await stat(file)).size >= io.largeCsv ? 'csv' : undefined;
  } catch {
    return undefined;
  }
}
