import { check } from '../../api/expressions.ts';
import { FilterSet, type FilterSetOptions } from '../../api/filter-set.ts';
import type { EventRecord } from '../../data/event-record.ts';
import { EVENT_PROPERTY } from '../../data/field-mapping.ts';
import type { FilterFailures, Job, MatchPart, StoredFilter } from './job.ts';

/** Counts the records that each of many filters matches. */
export class MatchCounter {
  readonly readsEventName: boolean;
  private readonly set: FilterSet<number>;
  private counts = new Map<number, number>();
  private failures = new Map<number, FilterFailures>();
  private lines = '';

  /** @param lists Whether to list the filters of each record that some match. */
  constructor(
    private readonly filters: readonly StoredFilter[],
    private readonly lists: boolean,
    options: FilterSetOptions,
  ) {
    this.set = new FilterSet<number>(options);
    for (const [index, { where }] of filters.entries()) this.set.add(index, where);
    this.readsEventName = filters.some(({ where }) =>
      check(where).properties.some(({ name }) => name === EVENT_PROPERTY),
    );
  }

  add({ properties, user, whole }: EventRecord): undefined {
    const { ids, failures } = this.set.match(properties, user);
    for (const id of ids) this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
    for (const { id, error } of failures) {
      const { count, message } = this.failures.get(id) ?? { count: 0, message: error.message };
      this.failures.set(id, { count: count + 1, message });
    }
    if (!this.lists || ids.length === 0) return;
    const matching = ids.sort((left, right) => left - right).map((id) => this.filters[id]?.id);
    this.lines += `${JSON.stringify({ filters: matching, record: whole })}\n`;
  }

  take(): MatchPart {
    const { counts, failures, lines } = this;
    this.counts = new Map();
    this.failures = new Map();
    this.lines = '';
    return { counts, failures, lines };
  }
}

/** Creates the aggregator of a job that matches many filters. */
export function createMatchAggregator({ filters, lists, now, timeZone = 'UTC' }: Job<'match'>): MatchCounter {
  return new MatchCounter(filters, lists, { now, timeZone });
}
