import { getOwnValue, isJsonObject, type JsonObject } from '../base/json.ts';
import type { Properties } from '../lang/value.ts';
import { type EventRecord, readId } from './event-record.ts';
import { flatten } from './flatten.ts';
import { readTimeValue } from './time-text.ts';
import { tryParseJson } from './try-parse-json.ts';

/** A tool that writes events in a shape of its own. */
interface Origin {
  /** The records, as in “Segment calls”. */
  readonly title: string;
  /** The fields of a record of the tool, one of each list: names, or names joined by dots that lead into objects. */
  readonly fields: readonly (readonly string[])[];
  /** The values of a field of a record of the tool, where its fields alone do not tell. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** The fields of each role, most telling first: some records lack the first. A role without a list is guessed. */
  readonly columns: Readonly<Partial<Record<'time' | 'user' | 'event', readonly string[]>>>;
  /** The member that holds the properties. The fields beside it are properties too. */
  readonly properties?: string;
}

/** The tools whose events are recognized, by name. A row is all that a tool needs. */
export const ORIGINS = {
  segment: {
    title: 'Segment or RudderStack calls',
    fields: [['type'], ['userId', 'anonymousId'], ['timestamp', 'originalTimestamp']],
    values: { type: ['track', 'page', 'screen', 'identify', 'group', 'alias'] },
    // Only `track` calls name an event.
    columns: { time: ['timestamp', 'originalTimestamp'], user: ['userId', 'anonymousId'], event: ['event', 'type'] },
    properties: 'properties',
  },
  posthog: {
    title: 'PostHog events',
    fields: [['uuid'], ['event'], ['distinct_id'], ['timestamp'], ['properties']],
    columns: { time: ['timestamp'], user: ['distinct_id'], event: ['event'] },
    properties: 'properties',
  },
  ga4: {
    title: 'Google Analytics 4 events',
    fields: [['event_name'], ['event_timestamp'], ['event_params']],
    columns: { time: ['event_timestamp'], user: ['user_id', 'user_pseudo_id'], event: ['event_name'] },
  },
  amplitude: {
    title: 'Amplitude events',
    fields: [['event_type'], ['event_time'], ['event_properties']],
    columns: { time: ['event_time'], user: ['user_id', 'device_id', 'amplitude_id'], event: ['event_type'] },
  },
  cloudtrail: {
    title: 'AWS CloudTrail records',
    fields: [['eventVersion'], ['eventSource'], ['eventName'], ['eventTime'], ['userIdentity']],
    columns: {
      time: ['eventTime'],
      user: ['userIdentity.userName', 'userIdentity.arn', 'userIdentity.principalId', 'userIdentity.invokedBy'],
      event: ['eventName'],
    },
  },
  har: {
    title: 'requests of a browser (HAR)',
    fields: [['startedDateTime'], ['request'], ['response'], ['timings']],
    // There is no user.
    columns: { time: ['startedDateTime'], user: [], event: ['request.method'] },
  },
  matomo: {
    title: 'Matomo visits',
    fields: [['idVisit'], ['visitorId'], ['actionDetails', 'serverTimestamp', 'firstActionTimestamp']],
    // A visit has many actions.
    columns: { time: ['serverTimestamp', 'firstActionTimestamp'], user: ['userId', 'visitorId'], event: [] },
  },
  otelLogs: {
    title: 'OpenTelemetry log records',
    fields: [
      ['timeUnixNano', 'observedTimeUnixNano'],
      ['body', 'eventName'],
      ['attributes', 'severityNumber', 'severityText'],
    ],
    columns: {
      time: ['timeUnixNano', 'observedTimeUnixNano'],
      user: ['attributes.user.id', 'attributes.enduser.id', 'attributes.session.id'],
      event: ['eventName', 'attributes.event.name', 'severityText'],
    },
  },
  otelSpans: {
    title: 'OpenTelemetry spans',
    fields: [['traceId'], ['spanId'], ['name'], ['startTimeUnixNano']],
    columns: {
      time: ['startTimeUnixNano'],
      user: ['attributes.user.id', 'attributes.enduser.id', 'attributes.session.id'],
      event: ['name'],
    },
  },
  snowplow: {
    title: 'Snowplow events',
    fields: [['event_id'], ['collector_tstamp'], ['v_collector', 'v_etl', 'v_tracker']],
    columns: {
      time: ['derived_tstamp', 'collector_tstamp'],
      user: ['user_id', 'domain_userid', 'network_userid'],
      // `event` only tells the kind, such as `unstruct`.
      event: ['event_name', 'event'],
    },
  },
  elastic: {
    title: 'logs in the Elastic Common Schema',
    fields: [['@timestamp'], ['ecs.version']],
    columns: {
      time: ['@timestamp'],
      user: ['user.id', 'user.name', 'client.ip', 'source.ip'],
      event: ['event.action', 'log.level'],
    },
  },
  elasticsearch: {
    title: 'documents of Elasticsearch',
    fields: [['_index'], ['_id'], ['_source']],
    columns: {},
    properties: '_source',
  },
  debezium: {
    title: 'changes of Debezium',
    fields: [['before', 'after'], ['source.connector'], ['op'], ['ts_ms']],
    // A change has no user.
    columns: { time: ['source.ts_ms', 'ts_ms'], user: [], event: ['op'] },
  },
  debeziumWithSchema: {
    title: 'changes of Debezium',
    fields: [['schema'], ['payload.source'], ['payload.op'], ['payload.ts_ms']],
    columns: { time: ['source.ts_ms', 'ts_ms'], user: [], event: ['op'] },
    properties: 'payload',
  },
  datadog: {
    title: 'logs of Datadog',
    fields: [['id'], ['type'], ['attributes.timestamp']],
    values: { type: ['log'] },
    columns: {
      time: ['timestamp'],
      user: ['attributes.usr.id', 'attributes.network.client.ip'],
      event: ['attributes.evt.name', 'status'],
    },
    properties: 'attributes',
  },
  cloudflare: {
    title: 'requests of Cloudflare',
    fields: [
      ['EdgeStartTimestamp', 'EdgeEndTimestamp'],
      ['ClientIP', 'RayID'],
      ['ClientRequestMethod', 'ClientRequestURI'],
    ],
    columns: {
      time: ['EdgeStartTimestamp', 'EdgeEndTimestamp'],
      user: ['ClientIP'],
      event: ['ClientRequestMethod'],
    },
  },
  kubernetes: {
    title: 'audit events of Kubernetes',
    fields: [['auditID'], ['stage'], ['verb'], ['requestReceivedTimestamp', 'stageTimestamp']],
    columns: { time: ['requestReceivedTimestamp', 'stageTimestamp'], user: ['user.username'], event: ['verb'] },
  },
  github: {
    title: 'events of GitHub',
    fields: [['type'], ['actor.login'], ['repo.name'], ['payload'], ['created_at']],
    columns: { time: ['created_at'], user: ['actor.login'], event: ['type'] },
  },
  stripe: {
    title: 'events of Stripe',
    fields: [['id'], ['object'], ['type'], ['created'], ['data.object']],
    values: { object: ['event'] },
    columns: { time: ['created'], user: ['data.object.customer'], event: ['type'] },
  },
} as const satisfies Readonly<Record<string, Origin>>;

export type OriginName = keyof typeof ORIGINS;

/** Returns whether a file with these fields may be that of a tool. */
export function mayHaveOrigin(names: readonly string[]): boolean {
  return Object.values(ORIGINS).some(({ fields }) =>
    hasEach(fields, (name) => names.includes(name.split('.')[0] ?? '') || names.includes(name)),
  );
}

/** Returns the fields of a role in records of a tool, most telling first; undefined if the role is guessed. */
export function listColumns(name: OriginName, role: keyof Origin['columns']): readonly string[] | undefined {
  const { columns }: Origin = ORIGINS[name];
  return columns[role];
}

function hasEach(fields: Origin['fields'], has: (name: string) => boolean): boolean {
  return fields.every((either) => either.some(has));
}

/** Returns whether a record has the shape of a tool. */
export function isOfOrigin(record: JsonObject, name: OriginName): boolean {
  const { fields, values = {} }: Origin = ORIGINS[name];
  return (
    hasEach(fields, (field) => hasField(record, field)) &&
    Object.entries(values).every(([field, allowed]) => allowed.includes(String(getOwnValue(record, field))))
  );
}

/** Returns whether a record has a field, also within objects: `a.b` in `{"a": {"b": 1}}` and in `{"a.b": 1}`. */
function hasField(record: JsonObject, field: string): boolean {
  if (Object.hasOwn(record, field)) return true;
  const dot = field.indexOf('.');
  const inner = dot === -1 ? undefined : getOwnValue(record, field.slice(0, dot));
  return isJsonObject(inner) && hasField(inner, field.slice(dot + 1));
}

/** Most of the first records have the shape of their tool; a few may be damaged. */
const MIN_SHARE = 0.8;

/** Returns the tool whose shape the first records of a file have. */
export function recognizeOrigin(records: readonly EventRecord[]): OriginName | undefined {
  const names = Object.keys(ORIGINS) as OriginName[];
  return names.find((name) => {
    const found = records.filter(({ whole }) => isOfOrigin(whole, name)).length;
    return found > 0 && found >= MIN_SHARE * records.length;
  });
}

/** Makes all fields of a record of a tool properties, nested ones with dotted names. Returns other records unchanged. */
export function openRecord(record: EventRecord, name: OriginName): EventRecord {
  const origin: Origin = ORIGINS[name];
  const { whole } = record;
  if (!isOfOrigin(whole, name)) return record;
  const opened = flatten(joinProperties(whole, origin.properties));
  const read = <Value>(columns: readonly string[] | undefined, readValue: (value: unknown) => Value | undefined) => {
    for (const column of columns ?? []) {
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
  const json = typeof value === 'string' ? tryParseJson(value) : value;
  return isJsonObject(json) ? json : undefined;
}
