import { type Aggregator, USER_NAMES } from './aggregator.ts';
import { DiffCounter, type DiffPart } from './diff-counter.ts';
import type { Job } from './job.ts';

/** Creates the aggregator of a job that compares two filters. */
export function createDiffAggregator({ now, timeZone = 'UTC', ...sources }: Job<'diff'>): Aggregator<DiffPart> {
  const counter = new DiffCounter(sources, now, timeZone);
  return {
    expressions: counter.expressions,
    readsEventName: counter.readsEventName,
    names: USER_NAMES,
    add: (record) => counter.add(record),
    take: () => counter.take(),
  };
}
