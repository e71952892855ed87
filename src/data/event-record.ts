import { getOwnValue, isJsonObject } from '../base/json.ts';
import { formatDecimal, type Properties } from '../lang/value.ts';
import { readNumericTime } from './time-text.ts';

/** An event or person of a file, in any of the accepted shapes. */
export interface EventRecord {
  /** Returns the unchanged record without its line break. */
  readonly text: () => string;
  readonly properties: Properties;
  /** The object that holds the properties and the fields beside them; of a flat record, the properties themselves. */
  readonly whole: Properties;
  readonly user: Properties | undefined;
  readonly event: string | undefined;
  readonly distinctId: string | undefined;
  /** Unix seconds. */
  readonly time: number | undefined;
  /** The line of the file where the record begins, counted from 1. */
  readonly line: number;
}

/** The fields without which some counts skip a record. */
export type MissingField = 'time' | 'distinct_id';

/** Consecutive records of a file. Batches save consumers an `await` per record. */
export interface EventBatch {
  readonly records: readonly EventRecord[];
  /** The unchanged header row of a CSV file, on every batch. The first batch comes even without records. */
  readonly header?: string;
}

/** The result of reading consecutive records. */
export interface RecordReading {
  readonly records: readonly EventRecord[];
  /** Why and where the rest of the file cannot be read. */
  readonly end?: { readonly line: number; readonly problem: string };
}

/**
 * Converts JSON to a record: an event (`event` and `properties`), a person (`$distinct_id` and `$properties`) or a flat
 * record (any other object). Returns undefined if it is not an object.
 */
export function toEventRecord(json: unknown, text: () => string, line: number): EventRecord | undefined {
  if (!isJsonObject(json)) return undefined;
  const properties = getOwnValue(json, 'properties');
  if (isJsonObject(properties)) {
    const distinctId = readId(getOwnValue(properties, 'distinct_id'));
    const [event, time] = [readEvent(json), readTime(properties)];
    return { text, properties, whole: json, user: undefined, event, distinctId, time, line };
  }
  const profile = getOwnValue(json, '$properties');
  if (isJsonObject(profile)) {
    const distinctId = readId(getOwnValue(json, '$distinct_id'));
    return {
      text,
      properties: profile,
      whole: json,
      user: profile,
      event: undefined,
      distinctId,
      time: undefined,
      line,
    };
  }
  const distinctId = readId(getOwnValue(json, 'distinct_id')) ?? readId(getOwnValue(json, '$distinct_id'));
  const [event, time] = [readEvent(json), readTime(json)];
  return { text, properties: json, whole: json, user: undefined, event, distinctId, time, line };
}

function readEvent(object: Properties): string | undefined {
  const event = getOwnValue(object, 'event');
  return typeof event === 'string' ? event : undefined;
}

/** Reads the id of a user: a string, or a number as a decimal string. */
export function readId(id: unknown): string | undefined {
  if (typeof id === 'number' && Number.isFinite(id)) return formatDecimal(id);
  return typeof id === 'string' ? id : undefined;
}

function readTime(object: Properties): number | undefined {
  const time = getOwnValue(object, 'time');
  return typeof time === 'number' ? readNumericTime(time) : undefined;
}
