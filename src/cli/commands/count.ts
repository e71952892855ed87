import { Tally } from '../../segmentation/tally.ts';
import type { Selection } from '../crew/task.ts';
import { Output } from '../output.ts';
import { scan } from '../scan.ts';

export interface CountOptions extends Omit<Selection, 'where'> {
  /** Count distinct users, not records. */
  readonly unique?: boolean;
}

/** Prints how many records the filter is true for. */
export async function count(where: string, files: readonly string[], options: CountOptions): Promise<void> {
  const unique = options.unique === true;
  const tally = new Tally(unique);
  await scan(files, { ...options, kind: 'count', where, unique }, { part: (counted) => tally.merge(counted) });
  await Output.print([String(tally.count)]);
}
