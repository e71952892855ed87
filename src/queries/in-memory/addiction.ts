import { Buckets } from '../buckets.ts';
import { countDays } from '../count-days.ts';
import type { Addiction, AddictionRequest, ByDate } from '../requests.ts';
import { findEvents, getOrCreate, type MemoryContext, prepareFilter, prepareSegments } from './memory-events.ts';
import { summarizeBuckets } from './summarize-buckets.ts';

/** Returns how many users did the event in at least n units of each period. */
export function countAddiction(context: MemoryContext, request: AddictionRequest): ByDate<Addiction> {
  const { dates, unit, addictionUnit, event, where, on, limit } = request;
  const periods = Buckets.units(dates, unit, context.timeZone);
  const units = Buckets.units(dates, addictionUnit, context.timeZone);
  const [matches, listSegments] = [prepareFilter(where, context), prepareSegments(on, context)];
  const found = findEvents(context, event === undefined ? undefined : [event], periods).filter(matches);
  const countUnits = (date: string) => countDays(date, unit) * (addictionUnit === 'hour' ? 24 : 1);
  const { overall, segments } = summarizeBuckets({
    entries: found.map((each) => {
      const { user, time } = each;
      return { user, unit: units.indexOf(time), bucket: periods.indexOf(time), segments: listSegments(each) };
    }),
    buckets: periods,
    isSegmented: on !== undefined,
    limit,
    size: periods.labels.reduce((sum, date) => sum + countUnits(date), 0),
    summarize(entries, date) {
      const active = new Map<string, Set<number>>();
      for (const entry of entries) getOrCreate(active, entry.user, () => new Set()).add(entry.unit);
      const numbers = new Array<number>(countUnits(date)).fill(0);
      for (const { size } of active.values()) {
        for (let index = 0; index < size; index++) numbers[index] = (numbers[index] ?? 0) + 1;
      }
      return numbers;
    },
    measure: ([users]) => users ?? 0,
  });
  return { dates: periods.labels, ...(on === undefined ? { overall } : { segments: segments ?? [] }) };
}
