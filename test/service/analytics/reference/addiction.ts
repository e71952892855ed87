import type { Addiction, AddictionRequest, ByDate } from '../../../../src/queries/requests.ts';
import type { Reference } from '../reference.ts';
import { summarizeByDate } from './by-date.ts';
import { daysInMonth } from './calendar.ts';
import { expectValid, groupBy, segmentsOf, selectEvents } from './occurrence.ts';

/** Counts users active in at least n units of each period. */
export function addiction({ data, calendar, moment }: Reference, request: AddictionRequest): ByDate<Addiction> {
  const { dates, unit, addictionUnit, event, where, on, limit } = request;
  expectValid([where], on);
  const { labels, labelOf } = calendar.buckets(dates, { unit });
  const named = data.filter((each) => event === undefined || each.event === event);
  const matching = selectEvents(
    where,
    named.filter(({ time }) => labelOf(time) !== undefined),
    moment,
  );
  const names = on === undefined ? undefined : segmentsOf(on, matching, moment);
  const firstHour = `${dates.from} 00:00:00`;
  const hourOf = (time: number) => {
    const hour = calendar.hourOf(time);
    // If clocks go back across the start of the first day, they show an hour of the day before for a while.
    return hour < firstHour ? firstHour : hour;
  };
  const entries = matching.map((each) => ({
    user: each.user,
    hourOrDay: addictionUnit === 'hour' ? hourOf(each.time) : calendar.dayOf(each.time),
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
