import { getOwnValue, isJsonObject } from '../../../base/json.ts';
import { toWellFormed } from '../../../base/strings.ts';
import { suggest } from '../../../base/suggest.ts';
import { MAX_SECONDS } from '../../../lang/operators/time.ts';
import { formatDecimal, type Properties } from '../../../lang/value.ts';
import type { EventLine, PersonLine } from '../../store/log-line.ts';
import { PERSON_OPERATIONS, type PersonOperation } from '../../store/person-operations.ts';
import { findJsonFlaw } from './find-json-flaw.ts';
import { describeJson, quoteForMessage } from './quote-for-message.ts';

const PERSON_FORM = 'Send {"$token": …, "$distinct_id": …, "$set": {…}}.';

const ALL_OPERATIONS = `Send ${[...PERSON_OPERATIONS.keys()].join(', ')}.`;

/** Fields that are not operations: the person, the token, and fields that published clients send along. */
const NO_OPERATIONS: ReadonlySet<string> = new Set([
  ...['$token', '$distinct_id'],
  ...['$ip', '$time', '$ignore_time', '$ignore_alias'],
]);

/**
 * Returns the log line of an update of a person, with its operations only. Returns a message if it cannot be stored.
 */
export function toPersonLine(record: unknown): PersonLine | string {
  if (!isJsonObject(record)) return `it is ${describeJson(record)}. ${PERSON_FORM}`;
  const id = getOwnValue(record, '$distinct_id');
  if (id === undefined) return `no $distinct_id. ${PERSON_FORM}`;
  const distinctId = readId(id);
  if (distinctId === undefined) return `$distinct_id is ${describeJson(id)}. Send a non-empty string or a number.`;
  const operations = Object.entries(record).filter(([name]) => !NO_OPERATIONS.has(name));
  if (operations.length === 0) return `no operation. ${ALL_OPERATIONS}`;
  for (const [name, argument] of operations) {
    const problem = checkOperation(name, argument);
    if (problem !== undefined) return problem;
  }
  return { $distinct_id: distinctId, ...Object.fromEntries(operations) };
}

function checkOperation(name: string, argument: unknown): string | undefined {
  const operation = PERSON_OPERATIONS.get(name);
  return operation === undefined
    ? unknown(name)
    : (checkArgument(name, operation, argument) ?? findJsonFlaw(name, argument));
}

function unknown(name: string): string {
  const near = suggest(name, PERSON_OPERATIONS.keys());
  return `${quoteForMessage(name)} is not an operation. ${near === undefined ? ALL_OPERATIONS : `Did you mean ${near}?`}`;
}

function checkArgument(name: string, { takes }: PersonOperation, argument: unknown): string | undefined {
  if (!takes.isWhole(argument)) return `${name} is ${describeJson(argument)}. It takes ${takes.description}.`;
  const { isPart } = takes;
  const wrong = isPart && Object.entries(argument as object).find(([, part]) => !isPart(part));
  return (
    wrong && `${name}[${quoteForMessage(wrong[0])}] is ${describeJson(wrong[1])}. ${name} takes ${takes.description}.`
  );
}

const EVENT_FORM = 'Send {"event": …, "properties": {"token": …, "distinct_id": …, "time": …}}.';
const ID = 'Send a non-empty string or a number';

/** Returns the log line of an event without its token. Returns a message if it cannot be stored. */
export function toEventLine(record: unknown): EventLine | string {
  if (!isJsonObject(record)) return `it is ${describeJson(record)}. ${EVENT_FORM}`;
  const event = getOwnValue(record, 'event');
  if (event === undefined) return `no event. ${EVENT_FORM}`;
  if (typeof event !== 'string' || event === '') return `event is ${describeJson(event)}. Send a name.`;
  const properties = getOwnValue(record, 'properties');
  if (properties === undefined) return `no properties. ${EVENT_FORM}`;
  if (!isJsonObject(properties)) return `properties is ${describeJson(properties)}. ${EVENT_FORM}`;
  return toCheckedLine(event, properties);
}

function toCheckedLine(event: string, { token, ...properties }: Properties): EventLine | string {
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
  // Written out because a spread takes as long as all the checks.
  return { event, time: time as number, distinct_id: distinctId, insert_id: insertId, properties };
}

const SEND = 'Send Unix time in whole seconds, as a number';

/**
 * Describes why a value is not a valid event time; undefined for whole Unix seconds from 1 to `MAX_SECONDS`.
 *
 * `datetime` reads these numbers as seconds. 0 and below mean that no one set the date.
 */
export function checkEventTime(time: unknown): string | undefined {
  if (typeof time !== 'number') {
    return time === undefined ? `no time. ${SEND}, among the properties.` : `time is ${describeJson(time)}. ${SEND}.`;
  }
  if (time < 1) return `time is ${describeJson(time)}, which is not after 1970. ${SEND}.`;
  if (time > MAX_SECONDS) return `time is ${describeJson(time)}, ${tooLarge(time)}`;
  return Number.isInteger(time) ? undefined : `time is ${describeJson(time)}. ${SEND}: ${Math.floor(time)}.`;
}

function tooLarge(time: number): string {
  return time / 1000 > MAX_SECONDS + 1
    ? `which is after the year 2105. ${SEND}.`
    : `which is in milliseconds. ${SEND}: ${Math.floor(time / 1000)}.`;
}

/**
 * Returns a log line as written to disk, without a line break. Replaces lone surrogates, which UTF-8 cannot encode,
 * with U+FFFD.
 */
export function stringifyLine(line: EventLine | PersonLine): string {
  const text = JSON.stringify(line);
  // `JSON.stringify` escapes only lone surrogates this way; a literal backslash may match too.
  return text.includes('\\ud') ? JSON.stringify(toWellFormed(line)) : text;
}

/**
 * Returns an ID as stored in its column: a non-empty string unchanged, or a number as a decimal string. Returns
 * undefined for any other value.
 */
function readId(id: unknown): string | undefined {
  if (typeof id === 'number') return Number.isFinite(id) ? formatDecimal(id) : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
