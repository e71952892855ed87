import type { EventBatch } from '../../data/event-record.ts';
import { pluralize } from '../../lang/util/strings.ts';
import type { Io } from '../io.ts';
import { readFileChunks, readInputChunks, skipBom } from './chunks.ts';
import { detectFormat } from './detect-format.ts';
import { gunzipChunks } from './gunzip-chunks.ts';
import { explainSystemError, InputError } from './input-error.ts';
import { readArray } from './read-array.ts';
import { readCsv } from './read-csv.ts';
import { type LineBlock, splitLineBlocks } from './split-line-blocks.ts';

/** A record that cannot be read. Those after it are. */
export interface BrokenRecord {
  /** The file as messages call it. */
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

export interface ReadFileOptions {
  readonly onBroken: (broken: BrokenRecord) => void;
  /** Hears how many bytes each reading brings, before any unpacking. */
  readonly onBytes?: (count: number) => void;
}

/** A file as messages call it. */
export function getFileName(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/**
 * Streams a file, or standard input for `-`: newline-delimited JSON as lines still to be read, the records of a JSON array
 * or of CSV, each also gzipped. Where the file cannot be read further, {@link explainFailure} makes an InputError of what it throws.
 */
export async function* readFile(
  io: Pick<Io, 'in'>,
  file: string,
  options: ReadFileOptions,
): AsyncGenerator<EventBatch | LineBlock> {
  const name = getFileName(file);
  const report = (line: number, reason: string) => options.onBroken({ file: name, line, reason });
  const chunks = file === '-' ? readInputChunks(io, options.onBytes) : readFileChunks(file, options.onBytes);
  const { format, all } = await detectFormat(file, skipBom(gunzipChunks(chunks)));
  if (format === 'csv') yield* readCsv(all, name, report);
  else if (format === 'array') yield* readArray(all, name, report);
  else yield* splitLineBlocks(all);
}

/** What an error of unpacking or of the system means for the file; any other error as it is. */
export function explainFailure(error: unknown, file: string, records: number): unknown {
  const name = getFileName(file);
  if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) {
    return explainSystemError(error, name);
  }
  return new InputError(`${name}: the gzip data is damaged or cut off after ${pluralize(records, 'record')}`, {
    cause: error,
  });
}
