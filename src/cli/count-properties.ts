import type { Io } from './io.ts';
import { printMessage } from './messages.ts';
import { scan } from './scan.ts';
import { explainLimit } from './workers/census-limits.ts';
import type { Selection } from './workers/job.ts';
import { RecordCensus } from './workers/record-census.ts';

/** Counts the properties of all records of files. Warns if they have more than are counted. */
export async function countProperties(io: Io, files: readonly string[], selection: Selection): Promise<RecordCensus> {
  const census = new RecordCensus(false);
  const job = { ...selection, kind: 'describe', countsValues: false } as const;
  await scan(io, files, job, { part: (part) => census.merge(part) });
  const { properties, limited, limits } = census;
  if (limited.has('properties')) printMessage(io, 'warning', explainLimit('properties', properties, limits));
  return census;
}
