import type { Addiction, AddictionRequest, ByDate } from '../../../../src/service/analytics/queries.ts';
import type { Reference } from '../reference.ts';
import { summarizeByDate } from './by-date.ts';
import { daysInMonth } from './calendar.ts';
import { expectValid, groupBy, segmentsOf, selectEvents } from './occurrence.ts';

/** Counts users active in at least n units of each period. */
export function addiction({ data, calendar, now }: Reference, request: AddictionRequest): ByDate<Addiction> {
  const { dates, unit, addictionUnit, event, where, on, limit } = request;
  expectValid([where], on);
  const { labels, labelOf } = calendar.buckets(dates, { unit });
  const named = data.filter((each) => event === undefined || each.event === event);
  const matching = selectEvents(
    where,
    named.filter(({ time }) => labelOf(time) !== undefined),
    now,
  );
  const names = on === undefined ? undefined : segmentsOf(on, matching, now);
  const entries = matching.map((each) => ({
    user: each.user,
    hourOrDay: addictionUnit === 'hour' ? calendar.hourOf(each.time) : calendar.dayOf(each.time),
    label: labelOf(each.time),
    segments: names?.get(each) ?? [],
  }));
  const summaryOf = (some: readonly (typeof entries)[number][], label: string): Addiction => {
    const users = [...groupBy(some, ({ user }) => [user]).values()];
    const units = users.map((own) => new Set(own.map(({ hourOrDay }) => hourOrDay)).size);
    const days = { day: 1, week: 7, month: daysInMonth(label) }[unit];
    const length = addictionUnit === 'hour' ? days * 24 : days;
    return Array.from({ length }, (_, index) => units.filter((number) => number > index).length);
  };
  const sizeOf = ([users]: Addiction) => users ?? 0;
  return summarizeByDate({ labels, entries, segmented: on !== undefined, limit, summaryOf, sizeOf });
}
