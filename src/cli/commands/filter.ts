import type { Io } from '../io.ts';
import { type QueryDatabaseLoader, scan } from '../scan.ts';
import type { Selection } from '../workers/job.ts';

/** Prints the records for which the filter is true, as they stand in their files. */
export async function runFilter(
  io: Io,
  where: string,
  files: readonly string[],
  options: Omit<Selection, 'where'>,
  database?: QueryDatabaseLoader,
): Promise<void> {
  let gathered = '';
  const flush = () => {
    const text = gathered;
    gathered = '';
    return io.out.writeAll(text);
  };
  let header: string | undefined;
  // What was found before an error is an answer all the same.
  await scan(
    io,
    files,
    { ...options, kind: 'lines', where },
    {
      header(text) {
        // Several files with the same columns make one file.
        if (text !== header) gathered += `${text}\n`;
        header = text;
      },
      part(lines) {
        gathered += lines;
      },
      ready: flush,
    },
    { database },
  ).finally(flush);
}
