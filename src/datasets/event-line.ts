import type { Properties } from '../language/value.ts';
import type { EventLine } from '../store/log-line.ts';
import { getOwnValue, isJsonObject } from '../util/json-object.ts';
import { readId } from './id-text.ts';
import { findJsonFlaw } from './json-flaw.ts';
import { describeJson } from './shown.ts';
import { checkEventTime } from './time-problem.ts';

const EVENT_FORM = 'Send {"event": …, "properties": {"token": …, "distinct_id": …, "time": …}}.';
const ID = 'Send a text that is not empty, or a number';

/** The line of the log that an event becomes, without its token; or, in words, why it cannot be stored and what to do. */
export function toEventLine(record: unknown): EventLine | string {
  if (!isJsonObject(record)) return `it is ${describeJson(record)}. ${EVENT_FORM}`;
  const event = getOwnValue(record, 'event');
  if (event === undefined) return `no event. ${EVENT_FORM}`;
  if (typeof event !== 'string' || event === '') return `event is ${describeJson(event)}. Send a name.`;
  const properties = getOwnValue(record, 'properties');
  if (properties === undefined) return `no properties. ${EVENT_FORM}`;
  if (!isJsonObject(properties)) return `properties is ${describeJson(properties)}. ${EVENT_FORM}`;
  return lineOf(event, properties);
}

function lineOf(event: string, { token, ...properties }: Properties): EventLine | string {
  const id = getOwnValue(properties, 'distinct_id');
  if (id === undefined) return `no distinct_id. ${ID}, among the properties.`;
  const distinctId = readId(id);
  if (distinctId === undefined) return `distinct_id is ${describeJson(id)}. ${ID}.`;
  const time = getOwnValue(properties, 'time');
  const problem = checkEventTime(time) ?? findJsonFlaw('properties', properties);
  if (problem !== undefined) return problem;
  const eventId = getOwnValue(properties, '$insert_id');
  if (eventId === undefined) return { event, time: time as number, distinct_id: distinctId, properties };
  const insertId = readId(eventId);
  if (insertId === undefined) return `$insert_id is ${describeJson(eventId)}. ${ID}, or leave it out.`;
  // Written out again, for a spread would take as long as all the checks.
  return { event, time: time as number, distinct_id: distinctId, insert_id: insertId, properties };
}
