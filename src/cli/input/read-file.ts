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

/** A record that cannot be read. Reading continues after it. */
export interface BrokenRecord {
  /** The file name for messages. */
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

export interface ReadFileOptions {
  readonly onBroken: (broken: BrokenRecord) => void;
  /** Receives the number of bytes of each read, before decompression. */
  readonly onBytes?: (count: number) => void;
}

/** Returns the name of a file for messages. */
export function getFileName(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/**
 * Streams a file, or standard input for `-`, gzipped or not: NDJSON as unparsed blocks of lines, a JSON array or CSV as
 * records. Pass errors to {@link explainFailure}, which turns them into an InputError.
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

/** Turns an error of gunzip or the system into an InputError that names the file. Returns other errors unchanged. */
export function explainFailure(error: unknown, file: string, records: number): unknown {
  const name = getFileName(file);
  if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) {
    return explainSystemError(error, name);
  }
  return new InputError(`${name}: the gzip data is damaged or cut off after ${pluralize(records, 'record')}`, {
    cause: error,
  });
}
