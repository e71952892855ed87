import { ArraySplitter } from './array-splitter.ts';
import type { EventBatch } from './event-record.ts';
import { fileChunks } from './file-chunks.ts';
import { gunzipped } from './gunzipped.ts';
import { explainSystemError, InputError } from './input-error.ts';
import { inputFormat } from './input-format.ts';
import { LineSplitter } from './line-splitter.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';
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

/**
 * Streams the records of a file, or of standard input for `-`: newline-delimited JSON, a JSON array or CSV, each also
 * gzipped. Throws an InputError where the file cannot be read further.
 */
export async function* readEvents(file: string, options: ReadOptions): AsyncGenerator<EventBatch> {
  const name = file === '-' ? 'standard input' : file;
  let count = 0;
  try {
    for await (const batch of readBatches(file, name, options)) {
      count += batch.records.length;
      yield batch;
    }
  } catch (error) {
    throw explain(error, name, count);
  }
}

async function* readBatches(file: string, name: string, options: ReadOptions): AsyncGenerator<EventBatch> {
  const report = (line: number, reason: string) => options.onBroken({ file: name, line, reason });
  const { format, all } = await inputFormat(file, skipBom(gunzipped(fileChunks(file, options.onBytes))));
  if (format === 'csv') yield* readCsv(all, name, report);
  else yield* readJson(all, name, format === 'array' ? new ArraySplitter() : new LineSplitter(), report);
}

/** What an error of unpacking or of the system means for the file; any other error as it is. */
function explain(error: unknown, name: string, count: number): unknown {
  if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) {
    return explainSystemError(error, name);
  }
  const records = count === 1 ? '1 record' : `${count} records`;
  return new InputError(`${name}: the gzip data is damaged or cut off after ${records}`, { cause: error });
}
