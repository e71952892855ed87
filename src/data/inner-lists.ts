import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { EventRecord } from './event-record.ts';
import { readPair } from './flatten.ts';

/** Objects within objects that are searched for the records. */
const MAX_DEPTH = 4;

/** Returns whether a text has the names of a list, joined by dots: at most eight, of which none is empty. */
export function isRecordPath(text: string): boolean {
  return text.split('.').length <= 8 && !/(?:^|\.)(?:\.|$)/.test(text);
}

/** Returns the names that lead to each list of objects within an object, down to a depth. Lists are not searched. */
export function findInnerLists(object: JsonObject, depth: number): (readonly string[])[] {
  return Object.entries(object).flatMap(([name, value]) => {
    if (isListOfObjects(value)) return [[name]];
    if (depth === 1 || !isJsonObject(value)) return [];
    return findInnerLists(value, depth - 1).map((path) => [name, ...path]);
  });
}

/** Returns the lists that may be meant where the records of a file are no events, with names joined by dots. */
export function listRecordPaths(records: readonly EventRecord[]): string[] {
  const [first] = records;
  if (first === undefined || (records.length > 1 && !records.every(({ whole }) => isEnvelope(whole)))) return [];
  if (records.some(({ time, distinctId }) => time !== undefined || distinctId !== undefined)) return [];
  return findAllLists(first.whole, MAX_DEPTH)
    .map((path) => path.join('.'))
    .filter(isRecordPath);
}

/** Returns whether an object holds nothing but objects, at least one in a list, so that it is no record itself. */
export function isEnvelope(json: unknown): boolean {
  if (!isJsonObject(json)) return false;
  const values = Object.values(json);
  return values.some(isListOfObjects) && values.every((value) => isJsonObject(value) || isListOfObjects(value));
}

/** Returns the names that lead to each list of objects, also within others, except lists of keys and values. */
function findAllLists(object: JsonObject, depth: number): (readonly string[])[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const [first] = isListOfObjects(value) ? value : [value];
    if (!isJsonObject(first) || readPair(first) !== undefined) return [];
    const inner = depth === 1 ? [] : findAllLists(first, depth - 1).map((path) => [name, ...path]);
    return Array.isArray(value) ? [[name], ...inner] : inner;
  });
}

function isListOfObjects(value: unknown): value is JsonObject[] {
  return Array.isArray(value) && isJsonObject(value[0]);
}
