import { isJsonObject } from '../../base/json.ts';
import { formatInteger } from '../../base/strings.ts';
import type { ServerSample } from '../events/messages.ts';
import type { QueryApi } from '../shared/query-api.ts';

/** The most events of a server that are explored. */
const MAX_EVENTS = 50_000;

/** The most people whose profiles are read, and how many at once. */
const MAX_PEOPLE = 5_000;
const PEOPLE_PER_REQUEST = 1_000;

/** The dates of the data, and its events over these dates. */
interface Counted {
  readonly to_date: string | null;
  readonly series: readonly string[];
  readonly events: readonly { readonly count: number; readonly values: readonly number[] }[];
}

/** Events of a server to explore. */
export interface ReadSample {
  readonly sample: ServerSample;
  /** Says which of the events these are; empty if they are all, with all profiles. */
  readonly note: string;
}

/**
 * Reads the latest events of a server with the profiles of their users, up to a limit.
 *
 * @throws {ApiError} if the response is an error, or there is none.
 */
export async function readServerSample(api: QueryApi, counted: Counted): Promise<ReadSample> {
  const from = findStart(counted);
  const events = await api.readLines('export', from === undefined ? [] : [['from_date', from]], MAX_EVENTS);
  const ids = [...new Set(events.flatMap(readUser))];
  const people: object[] = [];
  for (let at = 0; at < Math.min(ids.length, MAX_PEOPLE); at += PEOPLE_PER_REQUEST) {
    const asked = JSON.stringify(ids.slice(at, at + PEOPLE_PER_REQUEST));
    const answer = await api.post('engage', [['distinct_ids', asked]]);
    people.push(...(answer as { readonly results: readonly object[] }).results);
  }
  const whole = counted.events.reduce((total, { count }) => total + count, 0);
  const notes = [
    ...(events.length < whole
      ? [`A sample: ${formatInteger(events.length)} of ${formatInteger(whole)} events, from ${from} on.`]
      : []),
    ...(ids.length > MAX_PEOPLE
      ? [`Profiles of ${formatInteger(MAX_PEOPLE)} of ${formatInteger(ids.length)} users.`]
      : []),
  ];
  const sample = { name: 'this server', events, people: people.map((person) => JSON.stringify(person)) };
  return { sample, note: notes.join(' ') };
}

/** Returns the day from which on there are as many events as are read, or a few less; undefined for the first. */
function findStart({ series, events }: Counted): string | undefined {
  let count = 0;
  for (let at = series.length - 1; at >= 0; at--) {
    count += events.reduce((total, { values }) => total + (values[at] ?? 0), 0);
    // At least the last bucket, which may have more.
    if (count > MAX_EVENTS) return (series[at + 1] ?? series[at])?.slice(0, 10);
  }
  return undefined;
}

function readUser(line: string): string[] {
  const event: unknown = JSON.parse(line);
  const properties = isJsonObject(event) ? event.properties : undefined;
  const id = isJsonObject(properties) ? properties.distinct_id : undefined;
  return typeof id === 'string' ? [id] : [];
}
