import { getOwnValue, isJsonObject, type JsonObject } from '../base/json.ts';
import type { Properties } from '../lang/value.ts';
import { type EventRecord, readId } from './event-record.ts';
import { flatten } from './flatten.ts';
import { readTimeValue } from './time-text.ts';

/** A tool that writes events in a shape of its own. */
interface Origin {
  /** The records, as in “Segment calls”. */
  readonly title: string;
  /** Returns whether a record has the shape. */
  readonly isOf: (record: JsonObject) => boolean;
  /** The fields of each role, most telling first: some records lack the first. */
  readonly columns: Readonly<Record<'time' | 'user' | 'event', readonly string[]>>;
  /** The member that holds the properties. The fields beside it are properties too. */
  readonly properties?: string;
}

const has = (record: JsonObject, ...names: string[]) => names.every((name) => Object.hasOwn(record, name));

const SEGMENT_CALLS = ['track', 'page', 'screen', 'identify', 'group', 'alias'];

/** The tools whose events are recognized, by name. A row is all that a tool needs. */
export const ORIGINS = {
  segment: {
    title: 'Segment or RudderStack calls',
    isOf: (record) =>
      SEGMENT_CALLS.includes(String(getOwnValue(record, 'type'))) &&
      (has(record, 'userId') || has(record, 'anonymousId')) &&
      (has(record, 'timestamp') || has(record, 'originalTimestamp')),
    // Only `track` calls name an event.
    columns: { time: ['timestamp', 'originalTimestamp'], user: ['userId', 'anonymousId'], event: ['event', 'type'] },
    properties: 'properties',
  },
  posthog: {
    title: 'PostHog events',
    isOf: (record) => has(record, 'uuid', 'event', 'distinct_id', 'timestamp', 'properties'),
    columns: { time: ['timestamp'], user: ['distinct_id'], event: ['event'] },
    properties: 'properties',
  },
  ga4: {
    title: 'Google Analytics 4 events',
    isOf: (record) => has(record, 'event_name', 'event_timestamp', 'event_params'),
    columns: { time: ['event_timestamp'], user: ['user_id', 'user_pseudo_id'], event: ['event_name'] },
  },
  amplitude: {
    title: 'Amplitude events',
    isOf: (record) => has(record, 'event_type', 'event_time', 'event_properties'),
    columns: { time: ['event_time'], user: ['user_id', 'device_id', 'amplitude_id'], event: ['event_type'] },
  },
  cloudtrail: {
    title: 'AWS CloudTrail records',
    isOf: (record) => has(record, 'eventVersion', 'eventSource', 'eventName', 'eventTime', 'userIdentity'),
    columns: {
      time: ['eventTime'],
      user: ['userIdentity.userName', 'userIdentity.arn', 'userIdentity.principalId', 'userIdentity.invokedBy'],
      event: ['eventName'],
    },
  },
} as const satisfies Readonly<Record<string, Origin>>;

export type OriginName = keyof typeof ORIGINS;

/** Most of the first records have the shape of their tool; a few may be damaged. */
const MIN_SHARE = 0.8;

/** Returns the tool whose shape the first records of a file have. */
export function recognizeOrigin(records: readonly EventRecord[]): OriginName | undefined {
  const names = Object.keys(ORIGINS) as OriginName[];
  return names.find((name) => {
    const found = records.filter(({ whole }) => ORIGINS[name].isOf(whole)).length;
    return found > 0 && found >= MIN_SHARE * records.length;
  });
}

/** Makes all fields of a record of a tool properties, nested ones with dotted names. Returns other records unchanged. */
export function openRecord(record: EventRecord, name: OriginName): EventRecord {
  const origin: Origin = ORIGINS[name];
  const { whole } = record;
  if (!origin.isOf(whole)) return record;
  const opened = flatten(joinProperties(whole, origin.properties), { opensLists: true });
  const read = <Value>(columns: readonly string[], readValue: (value: unknown) => Value | undefined) => {
    for (const column of columns) {
      const value = readValue(getOwnValue(opened, column) ?? undefined);
      if (value !== undefined && value !== '') return value;
    }
    return undefined;
  };
  const { time, user, event } = origin.columns;
  return {
    ...record,
    properties: opened,
    whole: opened,
    user: undefined,
    time: read(time, readTimeValue),
    distinctId: read(user, readId),
    event: read(event, (value) => (typeof value === 'string' ? value : undefined)),
  };
}

/** Puts the members of the properties beside the other fields. A property wins over a field with its name. */
function joinProperties(whole: JsonObject, member: string | undefined): Properties {
  if (member === undefined) return whole;
  const inner = parseObject(getOwnValue(whole, member));
  if (inner === undefined) return whole;
  const { [member]: _, ...beside } = whole;
  return { ...beside, ...inner };
}

/** Exports to tables keep properties as text. */
function parseObject(value: unknown): JsonObject | undefined {
  if (isJsonObject(value)) return value;
  if (typeof value !== 'string') return undefined;
  try {
    const json: unknown = JSON.parse(value);
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
