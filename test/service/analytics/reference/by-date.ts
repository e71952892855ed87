import type { ByDate } from '../../../../src/queries/requests.ts';
import { groupBy, selectTop } from './occurrence.ts';

/** Something that counts in a bucket. */
interface Entry {
  readonly label: string | undefined;
  readonly segments: readonly string[];
}

interface Parts<Item extends Entry, Value> {
  readonly labels: readonly string[];
  readonly entries: readonly Item[];
  readonly segmented: boolean;
  readonly limit: number;
  readonly summaryOf: (entries: readonly Item[], label: string) => Value;
  /** The value to rank segments by, over all buckets. */
  readonly sizeOf: (value: Value) => number;
}

/** Returns a value for each bucket, for all events or for the top segments. */
export function summarizeByDate<Item extends Entry, Value>(parts: Parts<Item, Value>): ByDate<Value> {
  const { labels: dates, entries, segmented, limit, summaryOf, sizeOf } = parts;
  const valuesOf = (some: readonly Item[]) =>
    dates.map((date) =>
      summaryOf(
        some.filter(({ label }) => label === date),
        date,
      ),
    );
  if (!segmented) return { dates, overall: valuesOf(entries) };
  const segments = groupBy(entries, (entry) => entry.segments);
  const values = new Map([...segments].map(([name, own]) => [name, valuesOf(own)]));
  const size = (name: string) => (values.get(name) ?? []).reduce((sum, value) => sum + sizeOf(value), 0);
  const top = selectTop(values.keys(), limit, size).map((name) => ({ name, dates: values.get(name) ?? [] }));
  return { dates, segments: top };
}
