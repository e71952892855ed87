import { pluralize } from '../../base/strings.ts';
import { ArraySplitter } from '../../data/array-splitter.ts';
import type { EventBatch } from '../../data/event-record.ts';
import type { FormatOptions } from '../../data/file-format.ts';
import { LogSplitter } from '../../data/log-splitter.ts';
import type { NumberSpelling } from '../../data/number-spelling.ts';
import type { Io } from '../io.ts';
import { detectDatabase } from '../query/detect-database.ts';
import { openStandardInput, readFileChunks, readStreamChunks } from './chunks.ts';
import { explainSystemError, InputError } from './input-error.ts';
import { openInput } from './open-input.ts';
import { readObjects, readSplit } from './read-split.ts';
import { RecycledMemory } from './recycled-memory.ts';
import { type LineBlock, splitLineBlocks } from './split-line-blocks.ts';

/** A record that cannot be read. Reading continues after it. */
export interface BrokenRecord {
  /** The file name for messages. */
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

export interface ReadFileOptions extends FormatOptions {
  /** Receives what was guessed about the file, as a sentence for the user. */
  readonly onNote?: (note: string) => void;
  readonly onBroken: (broken: BrokenRecord) => void;
  /** Receives the number of bytes of each read, before decompression. */
  readonly onBytes?: (count: number) => void;
}

/** Returns the name of a file for messages. */
export function getFileName(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/**
 * Streams a file, standard input for `-`, or the events of a project for its name, packed or not: NDJSON, Parquet and tables of .duckdb files as unparsed
 * blocks of lines, other formats as records. Pass errors to {@link explainFailure}, which turns them into an InputError.
 */
export async function* readFile(
  io: Pick<Io, 'in' | 'project'>,
  file: string,
  options: ReadFileOptions,
): AsyncGenerator<EventBatch | LineBlock> {
  const name = getFileName(file);
  const report = (line: number, reason: string) => options.onBroken({ file: name, line, reason });
  const stream = file === io.project?.name ? io.project.read() : file === '-' ? openStandardInput(io) : undefined;
  const kind = stream === undefined ? await detectDatabase(file, options) : undefined;
  if (kind !== undefined) {
    // Loads DuckDB only for the files that need it.
    const { readTableLines } = await import('../query/read-table-lines.ts');
    yield* splitLineBlocks(readTableLines(file, kind, options));
    return;
  }
  const memory = new RecycledMemory();
  const { onBytes } = options;
  const chunks = stream === undefined ? readFileChunks(file, onBytes, memory) : readStreamChunks(stream, onBytes);
  try {
    const { format, all, delimiter, note, unread, records } = await openInput(file, name, chunks, options);
    const onNote = (text: string) => options.onNote?.(`${name}: ${text}`);
    if (note !== undefined) onNote(note);
    if (unread !== undefined && options.decimal === undefined) onNote(describeUnread(unread));
    // Loads the parser of CSV only for CSV.
    if (format === 'csv') yield* (await import('./read-csv.ts')).readCsv(all, name, report, { ...options, delimiter });
    else if (format === 'objects') yield* readObjects(all, name, report, { path: records, onNote });
    else if (format === 'array') yield* readSplit(new ArraySplitter(), all, name, report);
    else if (format === 'log') yield* readSplit(new LogSplitter(), all, name, report);
    else yield* splitLineBlocks(all, { memory });
  } finally {
    await chunks.return(undefined);
  }
}

function describeUnread({ example, decimal }: NumberSpelling): string {
  return `numbers such as "${example}" are read as strings. Pass --decimal ${decimal} to read them as numbers`;
}

/** Turns an error of decompression or the system into an InputError that names the file. Returns others unchanged. */
export function explainFailure(error: unknown, file: string, records: number): unknown {
  const name = getFileName(file);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const packing = code.startsWith('Z_') ? 'gzip' : code.startsWith('ZSTD_') ? 'zstd' : undefined;
  if (packing === undefined) return explainSystemError(error, name);
  return new InputError(`${name}: the ${packing} data is damaged or cut off after ${pluralize(records, 'record')}`, {
    cause: error,
  });
}
