import { Output } from '../output.ts';
import { warnOfMissing } from '../say.ts';
import { type ScanOptions, scan } from '../scan.ts';
import { Tally } from '../tally.ts';

export interface CountOptions extends ScanOptions {
  /** Count distinct users, not records. */
  readonly unique?: boolean;
}

/** Prints how many records the filter is true for. */
export async function count(where: string, files: readonly string[], options: CountOptions): Promise<void> {
  const tally = new Tally(options.unique === true);
  await scan(files, { ...options, where }, { record: ({ distinctId }) => tally.add(distinctId) });
  warnOfMissing(tally.withoutUser, 'distinct_id');
  await Output.print([String(tally.count)]);
}
