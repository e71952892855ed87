import { printFilterCounts } from '../answers/filter-counts.ts';
import type { Io } from '../io.ts';
import { type QueryDatabaseLoader, scan } from '../scan.ts';
import type { Selection } from '../workers/job.ts';

/** Prints the records that match a filter, unchanged. */
export async function runFilter(
  io: Io,
  where: string,
  files: readonly string[],
  options: Omit<Selection, 'where'>,
  database?: QueryDatabaseLoader,
): Promise<void> {
  let buffered = '';
  const flush = () => {
    const text = buffered;
    buffered = '';
    return io.out.writeAll(text);
  };
  let isEmpty = true;
  let header: string | undefined;
  // Records found before an error are printed too.
  const scanned = await scan(
    io,
    files,
    { ...options, kind: 'lines', where },
    {
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
    },
    { database },
  ).finally(flush);
  await printFilterCounts(io, scanned, { ...options, where }, isEmpty);
}
