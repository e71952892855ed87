import type { EventRecord } from '../input/event-record.ts';
import { Output } from '../output.ts';
import { type ScanOptions, scan } from '../scan.ts';

/** Prints the records for which the filter is true, as they stand in their files. */
export async function filter(where: string, files: readonly string[], options: ScanOptions): Promise<void> {
  const output = new Output();
  let header: string | undefined;
  const visitor = {
    header(text: string) {
      // Several files with the same columns make one file.
      if (text !== header) output.line(text);
      header = text;
    },
    record: ({ text }: EventRecord) => output.line(text),
    batchDone: () => output.flush(),
  };
  // What was found before an error is an answer all the same.
  await scan(files, { ...options, where }, visitor).finally(() => output.flush());
}
