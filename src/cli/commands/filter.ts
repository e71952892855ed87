import type { Selection } from '../crew/task.ts';
import { Output } from '../output.ts';
import { type Database, scan } from '../scan.ts';

/** Prints the records for which the filter is true, as they stand in their files. */
export async function filter(
  where: string,
  files: readonly string[],
  options: Omit<Selection, 'where'>,
  database?: Database,
): Promise<void> {
  const output = new Output();
  let header: string | undefined;
  // What was found before an error is an answer all the same.
  await scan(
    files,
    { ...options, kind: 'lines', where },
    {
      header(text) {
        // Several files with the same columns make one file.
        if (text !== header) output.add(`${text}\n`);
        header = text;
      },
      part: (lines) => output.add(lines),
      ready: () => output.flush(),
    },
    { database },
  ).finally(() => output.flush());
}
