import { printFilterCounts } from '../answers/filter-counts.ts';
import type { Io } from '../io.ts';
import { withFileDatabase } from '../query/with-file-database.ts';
import { type Sink, scan } from '../scan.ts';
import type { Selection } from '../workers/job.ts';

export interface FilterOptions extends Omit<Selection, 'where'> {
  /** Whether a terminal gets the records unchanged too. */
  readonly raw?: boolean;
}

/** Prints the records that match a filter: unchanged, but on a terminal without characters that control it. */
export async function runFilter(
  io: Io,
  where: string,
  files: readonly string[],
  { raw, ...options }: FilterOptions,
): Promise<void> {
  let buffered = '';
  const flush = () => {
    const text = buffered;
    buffered = '';
    return raw ? io.out.writeRaw(text) : io.out.writeAll(text);
  };
  let isEmpty = true;
  let header: string | undefined;
  const sink: Sink<string> = {
    header(text) {
      // CSV files with the same columns share one header row.
      if (text !== header) buffered += `${text}\n`;
      header = text;
    },
    part(lines) {
      isEmpty &&= lines === '';
      buffered += lines;
    },
    ready: flush,
  };
  const job = { ...options, kind: 'lines', where } as const;
  // Records found before an error are printed too.
  const scanned = await withFileDatabase(io, files, options, (found, database) =>
    scan(io, found, job, sink, { database }).finally(flush),
  );
  await printFilterCounts(io, scanned, { ...options, where }, isEmpty);
}
