import { omitUndefined } from '../../base/objects.ts';
import { formatProperty } from '../../base/strings.ts';
import type { FormRow } from '../../lang/form/form.ts';
import { askWholeRange } from '../../queries/endpoints/whole-range.ts';
import type { UserSelection } from '../answers/answer.ts';
import { moveBucket, parseTime, readBucket, type TimeBucket } from '../answers/days.ts';
import { addCondition } from '../shared/add-condition.ts';
import { countDays } from '../shared/day.ts';
import type { PropertyCatalog } from '../shared/property-catalog.ts';
import { ApiError, type QueryApi } from '../shared/query-api.ts';
import { findSegmentCondition } from '../shared/segment-condition.ts';
import { moveToPeriodBefore } from './ask-query.ts';
import { formatSteps, parseSteps } from './funnel-steps.ts';
import type { KnownNames } from './known-names.ts';
import { type PageQuery, QUERIES } from './queries.ts';
import { type DayRange, getParameters, type QuestionState } from './state.ts';
import type { EventSelection } from './user-selection.ts';

/** The most segments that an endpoint returns, and so the most users. */
export const MAX_USERS = 10_000;

type ByName<Value> = Readonly<Record<string, Value>>;

/**
 * Returns the IDs of the users behind a number: the same question, grouped by user.
 *
 * @param userProperty The property that holds the ID of the user.
 * @throws {ApiError} if the response is an error, or it is not known which events the segment has.
 */
export async function listUsers(
  api: QueryApi,
  names: KnownNames,
  state: QuestionState,
  selection: UserSelection,
  userProperty: string,
): Promise<readonly string[]> {
  const grouped = { on: formatProperty('properties', userProperty), limit: String(MAX_USERS) };
  if (selection.kind === 'segment') {
    const requests = await selectEvents(names, state, selection);
    const lists = requests.map(async (request) =>
      listActive(await api.post('segmentation', Object.entries({ ...request, ...grouped })), selection.bucket),
    );
    return [...new Set((await Promise.all(lists)).flat())].slice(0, MAX_USERS);
  }
  const given = new Map(getParameters(state));
  const { segment } = selection;
  if (segment !== undefined && given.has('on')) await narrow(given, names, segment);
  for (const [name, value] of Object.entries(grouped)) given.set(name, value);
  const days = countDays(given.get('from_date') ?? '', given.get('to_date') ?? '');
  if (selection.kind === 'step') given.set('interval', String(days)).delete('unit');
  return pickUsers(await api.post(QUERIES[state.query].path, [...given]), selection);
}

/** Returns requests to `/segmentation` for the events behind a number over time, one for each name of events. */
async function selectEvents(names: KnownNames, state: QuestionState, selection: EventSelection) {
  const { name, bucket, isBefore = false } = selection;
  const asked = getParameters(state);
  const given = new Map((isBefore ? moveToPeriodBefore(asked) : asked) ?? asked);
  const isOfNames = QUERIES[state.query].path.startsWith('events') && !given.has('name');
  if (state.query === 'properties') given.set('on', formatProperty('properties', given.get('name') ?? ''));
  if (!isOfNames) await narrowToNumber(given, names, state, name);
  const { time_zone } = await names.getProject();
  const today = new Date().toLocaleDateString('en-CA', { timeZone: time_zone });
  const dates = { from: given.get('from_date') ?? today, to: given.get('to_date') ?? today };
  const { from, to } = bucket === undefined ? dates : cutToBucket(dates, bucket, readBucket(given));
  // Dates can have no hours.
  const counted = (bucket ?? '').length > 10 ? { unit: 'hour' } : askWholeRange({ type: 'unique' });
  const events: readonly string[] = !isOfNames
    ? [given.get('event') ?? '']
    : name === undefined
      ? JSON.parse(given.get('event') ?? '[]')
      : [name];
  const where = given.get('where');
  return events.map((event) => ({ event, from_date: from, to_date: to, ...omitUndefined({ where }), ...counted }));
}

/** Restricts a question to the events of a segment, or to those with the number that it calculates with. */
async function narrowToNumber(given: Map<string, string>, names: KnownNames, state: QuestionState, name?: string) {
  const on = given.get('on');
  const { on: use }: PageQuery = QUERIES[state.query];
  if (on === undefined) return;
  if (use !== 'number') return name === undefined ? undefined : narrow(given, names, name);
  const [least, end] = state.query === 'numeric' ? (name?.replaceAll(',', '').split(' - ') ?? []) : [];
  const source = end === undefined ? `defined(${on})` : `(${on}) >= ${least} and (${on}) < ${end}`;
  given.set('where', addTo(given.get('where'), { kind: 'expression', source }));
}

/** @throws {ApiError} if the condition is not known, or the filter has an error. */
function addTo(filter = '', condition?: FormRow): string {
  const added = condition && addCondition(filter, condition);
  if (added === undefined)
    throw new ApiError(400, 'The users of this segment cannot be listed. Write a filter for it instead.');
  return added;
}

/** Returns the days of a bucket that are among others. */
function cutToBucket({ from, to }: DayRange, bucket: string, size: TimeBucket): DayRange {
  const first = bucket.slice(0, 10);
  const last = new Date(moveBucket(parseTime(bucket), size, 1) - 1).toISOString().slice(0, 10);
  return { from: first < from ? from : first, to: last > to ? to : last };
}

/** Returns the users of a segmentation, of one of its hours or of all buckets. */
function listActive(result: unknown, bucket = ''): readonly string[] {
  const { data } = result as { readonly data: { readonly values: ByName<ByName<number>> } };
  const users = Object.entries(data.values);
  return users.flatMap(([user, counts]) => (bucket.length <= 10 || (counts[bucket] ?? 0) > 0 ? [user] : []));
}

/** Restricts a question to the users of a segment, which is read from their first event. */
async function narrow(given: Map<string, string>, catalog: PropertyCatalog, segment: string): Promise<void> {
  const condition = await findSegmentCondition(catalog, given.get('on') ?? '', segment, false);
  const [first, ...others] = parseSteps(given.get('steps') ?? '');
  const name = given.has('born_event') ? 'born_where' : 'where';
  const filter = addTo(first?.where ?? given.get(name), given.has('funnel_id') ? undefined : condition);
  if (first === undefined) given.set(name, filter);
  else given.set('steps', formatSteps([{ ...first, where: filter }, ...others]));
}

function pickUsers(result: unknown, selection: Exclude<UserSelection, EventSelection>): readonly string[] {
  switch (selection.kind) {
    case 'step': {
      const { data } = result as {
        readonly data: ByName<ByName<{ readonly steps: readonly { readonly count: number }[] }>>;
      };
      const { step, dropped } = selection;
      return Object.values(data).flatMap((users) =>
        Object.entries(users).flatMap(([user, { steps }]) => {
          const [reached, next] = [steps[step]?.count ?? 0, steps[step + 1]?.count ?? 0];
          return user !== '$overall' && reached > 0 && !(dropped && next > 0) ? [user] : [];
        }),
      );
    }
    case 'cohort': {
      // Retention counts in an object, frequency in a list.
      type Found = readonly number[] | { readonly first: number; readonly counts: readonly number[] };
      const users = (result as ByName<ByName<Found>>)[selection.date];
      return Object.entries(users ?? {}).flatMap(([user, found]) => {
        const [all, counts] = 'counts' in found ? [found.first, found.counts] : [found[0], found];
        const count = selection.column === -1 ? all : counts[selection.column];
        return (count ?? 0) > 0 ? [user] : [];
      });
    }
  }
}
