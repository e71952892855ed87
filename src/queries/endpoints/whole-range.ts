import { formatProperty } from '../../base/strings.ts';
import { countDays } from '../count-days.ts';
import { strings } from './kinds.ts';
import type { QueryParameters } from './parameter.ts';
import { MAX_SEGMENTS } from './series-parameters.ts';

/** An interval with more days than the calendar, so that all dates are in one bucket. */
const ALL_DAYS = '3700000';

const DAY_MS = 86_400_000;

/**
 * Returns the parameters that count over the whole range of dates, in one bucket: of a funnel, or of users or averages in
 * a segmentation. A user counts once there, but on each day in the buckets of the range, whose sum is no number of users.
 */
export function askWholeRange(parameters: QueryParameters): QueryParameters {
  return { ...parameters, interval: ALL_DAYS };
}

/**
 * Returns the parameters of requests to `/segmentation` whose series together are those of another request, with one
 * bucket over the whole range: the users, or the events per user, in all. None if the request counts events, which can be
 * added up, or ranges of numbers, which only have hours and days.
 *
 * @param path the path of the request, such as `/events`
 * @param buckets the labels of the buckets in its answer
 */
export function listWholeRangeRequests(
  path: string,
  parameters: QueryParameters,
  buckets: readonly string[],
): readonly QueryParameters[] {
  const { type = 'general', event, name, values, limit } = parameters;
  if (type === 'general' || event === undefined) return [];
  if (path === '/segmentation') return [askWholeRange(parameters)];
  // A segmentation has no weeks, and none of the units here.
  const shared = { ...parameters, ...getDates(parameters, buckets), unit: 'day' };
  if (path === '/events') {
    return (strings.read(event) ?? []).map((one) => askWholeRange({ ...shared, event: one }));
  }
  if (path !== '/events/properties' || name === undefined) return [];
  const property = formatProperty('properties', name);
  // Values that are named need not be among the most frequent.
  const most = values === undefined && limit !== undefined ? Math.min(Number(limit), MAX_SEGMENTS) : MAX_SEGMENTS;
  return [askWholeRange({ ...shared, on: property, where: `defined(${property})`, limit: String(most) })];
}

/** Returns the dates of a request, or those of its latest units. */
function getDates({ from_date, to_date, unit }: QueryParameters, buckets: readonly string[]): QueryParameters {
  if (from_date !== undefined && to_date !== undefined) return { from_date, to_date };
  const [first = '', last = ''] = [buckets[0], buckets.at(-1)];
  const days = unit === 'week' || unit === 'month' ? countDays(last, unit) : 1;
  return { from_date: first, to_date: new Date(Date.parse(last) + (days - 1) * DAY_MS).toISOString().slice(0, 10) };
}
