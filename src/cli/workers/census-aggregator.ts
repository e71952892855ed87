import type { Aggregator } from './aggregator.ts';
import { CensusCollector, type RecordCensusPart } from './census-collector.ts';
import type { Job } from './job.ts';

/** Creates the aggregator of a job that counts names and values. */
export function createCensusAggregator({ countsValues }: Job<'describe'>): Aggregator<RecordCensusPart> {
  const census = new CensusCollector(countsValues);
  return {
    add(record) {
      census.add(record);
      return undefined;
    },
    take: () => census.take(),
  };
}
