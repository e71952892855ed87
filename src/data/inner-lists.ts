import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { EventRecord } from './event-record.ts';

/** Objects within objects that are searched for the records. */
const MAX_DEPTH = 4;

/** Returns whether a text has the names of a list, joined by dots: at most eight, of which none is empty. */
export function isRecordPath(text: string): boolean {
  return text.split('.').length <= 8 && !/(?:^|\.)(?:\.|$)/.test(text);
}

/** Returns the names that lead to each list of objects within an object, down to a depth. */
export function findInnerLists(object: JsonObject, depth: number): (readonly string[])[] {
  return Object.entries(object).flatMap(([name, value]) => {
    if (Array.isArray(value)) return isJsonObject(value[0]) ? [[name]] : [];
    if (depth === 1 || !isJsonObject(value)) return [];
    return findInnerLists(value, depth - 1).map((path) => [name, ...path]);
  });
}

/** Returns the lists that may be meant where a file has a single record that is no event, with names joined by dots. */
export function listRecordPaths(records: readonly EventRecord[]): string[] {
  const [record, ...others] = records;
  if (record === undefined || others.length > 0) return [];
  if (record.time !== undefined || record.distinctId !== undefined) return [];
  return findInnerLists(record.whole, MAX_DEPTH)
    .map((path) => path.join('.'))
    .filter(isRecordPath);
}
