import { type Counted, Tally } from '../../data/tally.ts';
import type { Io } from '../io.ts';
import { type QueryDatabaseLoader, scan } from '../scan.ts';
import type { Selection } from '../workers/job.ts';

export interface CountOptions extends Omit<Selection, 'where'> {
  /** Count distinct users instead of records. */
  readonly unique?: boolean;
}

/** Prints the number of records that match a filter. */
export async function runCount(
  io: Io,
  where: string,
  files: readonly string[],
  options: CountOptions,
  database?: QueryDatabaseLoader,
): Promise<void> {
  const unique = options.unique === true;
  const tally = new Tally(unique);
  const sink = { part: (counted: Counted) => tally.merge(counted) };
  await scan(io, files, { ...options, kind: 'count', where, unique }, sink, { database });
  await io.out.print([String(tally.count)]);
}
