import { type Counted, Tally } from '../../data/tally.ts';
import { printFilterCounts, toJsonCounts } from '../answers/filter-counts.ts';
import type { Io } from '../io.ts';
import { withFileDatabase } from '../query/with-file-database.ts';
import { scan } from '../scan.ts';
import type { Selection } from '../workers/job.ts';

export interface CountOptions extends Omit<Selection, 'where'> {
  /** Count distinct users instead of records. */
  readonly unique?: boolean;
  readonly json?: boolean;
}

/** Prints the number of records that match a filter. */
export async function runCount(io: Io, where: string, files: readonly string[], options: CountOptions): Promise<void> {
  const unique = options.unique === true;
  const tally = new Tally(unique);
  const sink = { part: (counted: Counted) => tally.merge(counted) };
  const selection = { ...options, where };
  const job = { ...selection, kind: 'count', unique } as const;
  const scanned = await withFileDatabase(io, files, options, (found, database) =>
    scan(io, found, job, sink, { database }),
  );
  const { count } = tally;
  await io.out.print([options.json ? JSON.stringify({ count, ...toJsonCounts(scanned, selection) }) : String(count)]);
  if (!options.json) await printFilterCounts(io, scanned, selection, count === 0);
}
