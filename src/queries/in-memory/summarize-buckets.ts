import { assertAnswerSize, limitSeries } from '../answer-limits.ts';
import type { Buckets } from '../buckets.ts';
import type { ByDate } from '../requests.ts';
import { getOrCreate, rankTop } from './memory-events.ts';

/** Something that counts in a bucket and in some segments. */
interface Entry {
  readonly bucket: number;
  readonly segments: readonly string[];
}

interface Summary<Item extends Entry, Value> {
  readonly entries: readonly Item[];
  readonly buckets: Buckets;
  readonly isSegmented: boolean;
  readonly limit: number;
  /** The number of numbers of a segment in the answer. */
  readonly size: number;
  summarize(entries: readonly Item[], date: string): Value;
  /** The amount of a bucket, whose sum ranks segments. */
  measure(value: Value): number;
}

/** Returns a value for each bucket: for all entries, and with segments for the entries of each of the top ones. */
export function summarizeBuckets<Item extends Entry, Value>(
  summary: Summary<Item, Value>,
): ByDate<Value> & { readonly overall: readonly Value[] } {
  const { entries, buckets, isSegmented, limit, size, summarize, measure } = summary;
  assertAnswerSize(size);
  const { labels } = buckets;
  const summarizeAll = (some: readonly Item[]): Value[] => {
    const found = groupByBucket(some);
    return labels.map((date, bucket) => summarize(found.get(bucket) ?? [], date));
  };
  const overall = summarizeAll(entries);
  if (!isSegmented) return { dates: labels, overall };
  const members = new Map<string, Item[]>();
  for (const entry of entries) for (const name of entry.segments) getOrCreate(members, name, () => []).push(entry);
  // Buckets without entries add nothing.
  const measureAll = (some: readonly Item[]): number => {
    const amounts = Array.from(groupByBucket(some), ([bucket, own]) =>
      measure(summarize(own, labels[bucket] as string)),
    );
    return amounts.reduce((sum, amount) => sum + amount, 0);
  };
  const totals = new Map(Array.from(members, ([name, own]) => [name, measureAll(own)]));
  const top = rankTop(totals, limitSeries(limit, size));
  assertAnswerSize(top.length * size, top.join('').length);
  const segments = top.map((name) => ({ name, dates: summarizeAll(members.get(name) ?? []) }));
  return { dates: labels, overall, segments };
}

function groupByBucket<Item extends Entry>(entries: readonly Item[]): Map<number, Item[]> {
  const found = new Map<number, Item[]>();
  for (const entry of entries) getOrCreate(found, entry.bucket, () => []).push(entry);
  return found;
}
