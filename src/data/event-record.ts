import { MAX_SECONDS } from '../lang/operators/time.ts';
import { getOwnValue, isJsonObject } from '../lang/util/json.ts';
import { formatDecimal, type Properties } from '../lang/value.ts';

/** One event or person of a file, whichever shape it is written in. */
export interface EventRecord {
  /** The record as it stands in the file, without its line break. */
  readonly text: () => string;
  readonly properties: Properties;
  readonly user: Properties | undefined;
  readonly event: string | undefined;
  readonly distinctId: string | undefined;
  /** Unix seconds. */
  readonly time: number | undefined;
  /** The line in its file where the record begins, from 1. */
  readonly line: number;
}

/** What a record may lack that it takes to count it. */
export type MissingField = 'time' | 'distinct_id';

/** Some neighbouring records of a file: reading by batches spares a consumer an `await` for each record. */
export interface EventBatch {
  readonly records: readonly EventRecord[];
  /** The header row of a CSV file as it stands there, with every batch; its first batch comes even without records. */
  readonly header?: string;
}

/** What could be read of neighbouring records. */
export interface RecordReading {
  readonly records: readonly EventRecord[];
  /** Why the file cannot be read any further, and where. */
  readonly end?: { readonly line: number; readonly problem: string };
}

/**
 * Reads an event (`event` beside `properties`), a person (`$distinct_id` beside `$properties`) or, as a flat record, any
 * other JSON object; undefined for what is not an object.
 */
export function toEventRecord(json: unknown, text: () => string, line: number): EventRecord | undefined {
  if (!isJsonObject(json)) return undefined;
  const properties = getOwnValue(json, 'properties');
  if (isJsonObject(properties)) {
    const distinctId = textOf(getOwnValue(properties, 'distinct_id'));
    return { text, properties, user: undefined, event: eventOf(json), distinctId, time: timeOf(properties), line };
  }
  const profile = getOwnValue(json, '$properties');
  if (isJsonObject(profile)) {
    const distinctId = textOf(getOwnValue(json, '$distinct_id'));
    return { text, properties: profile, user: profile, event: undefined, distinctId, time: undefined, line };
  }
  const distinctId = textOf(getOwnValue(json, 'distinct_id')) ?? textOf(getOwnValue(json, '$distinct_id'));
  return { text, properties: json, user: undefined, event: eventOf(json), distinctId, time: timeOf(json), line };
}

function eventOf(object: Properties): string | undefined {
  const event = getOwnValue(object, 'event');
  return typeof event === 'string' ? event : undefined;
}

function textOf(id: unknown): string | undefined {
  if (typeof id === 'number' && Number.isFinite(id)) return formatDecimal(id);
  return typeof id === 'string' ? id : undefined;
}

/** As `datetime` reads a number: seconds from 1 on, or milliseconds. What is beyond the year 2105 is no time either. */
function timeOf(object: Properties): number | undefined {
  const time = getOwnValue(object, 'time');
  if (typeof time !== 'number') return undefined;
  const seconds = time > MAX_SECONDS ? Math.floor(time / 1000) : time;
  return seconds >= 1 && seconds <= MAX_SECONDS ? seconds : undefined;
}
