import type { EventBatch } from '../../events/event-record.ts';
import { pluralize } from '../../util/counted.ts';
import type { Io } from '../io.ts';
import { fileChunks, inputChunks } from './file-chunks.ts';
import { gunzipped } from './gunzipped.ts';
import { explainSystemError, InputError } from './input-error.ts';
import { inputFormat } from './input-format.ts';
import { type LineBlock, lineBlocks } from './line-blocks.ts';
import { readArray } from './read-array.ts';
import { readCsv } from './read-csv.ts';
import { skipBom } from './skip-bom.ts';

/** A record that cannot be read. Those after it are. */
export interface BrokenRecord {
  /** The file as messages call it. */
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

export interface ReadOptions {
  readonly onBroken: (broken: BrokenRecord) => void;
  /** Hears how many bytes each reading brings, before any unpacking. */
  readonly onBytes?: (count: number) => void;
}

/** A file as messages call it. */
export function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/**
 * Streams a file, or standard input for `-`: newline-delimited JSON as lines still to be read, the records of a JSON array
 * or of CSV, each also gzipped. Where the file cannot be read further, {@link explainFailure} makes an InputError of what it throws.
 */
export async function* readFile(
  io: Pick<Io, 'in'>,
  file: string,
  options: ReadOptions,
): AsyncGenerator<EventBatch | LineBlock> {
  const name = nameOf(file);
  const report = (line: number, reason: string) => options.onBroken({ file: name, line, reason });
  const chunks = file === '-' ? inputChunks(io, options.onBytes) : fileChunks(file, options.onBytes);
  const { format, all } = await inputFormat(file, skipBom(gunzipped(chunks)));
  if (format === 'csv') yield* readCsv(all, name, report);
  else if (format === 'array') yield* readArray(all, name, report);
  else yield* lineBlocks(all);
}

/** What an error of unpacking or of the system means for the file; any other error as it is. */
export function explainFailure(error: unknown, file: string, records: number): unknown {
  const name = nameOf(file);
  if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) {
    return explainSystemError(error, name);
  }
  return new InputError(`${name}: the gzip data is damaged or cut off after ${pluralize(records, 'record')}`, {
    cause: error,
  });
}
