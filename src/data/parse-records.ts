import { isJsonObject, type JsonObject } from '../base/json.ts';
import { parseJson } from '../base/parse-json.ts';
import type { Properties } from '../lang/value.ts';
import { type EventRecord, type RecordReading, toEventRecord } from './event-record.ts';
import type { ReportProblem } from './problems.ts';

/** Parses records up to a problem after which the file cannot be read. Reports broken records. */
export function parseRecords(found: readonly RawRecord[], report: ReportProblem): RecordReading {
  const records: EventRecord[] = [];
  for (const raw of found) {
    if ('problem' in raw && raw.last) return { records, end: raw };
    const record = 'problem' in raw ? raw.problem : readRecord(raw);
    if (typeof record === 'string') report(raw.line, record);
    else records.push(record);
  }
  return { records };
}

function readRecord({ text, line, object, around }: Extract<RawRecord, { readonly text: string }>) {
  return object === undefined
    ? parseRecord(text, line, around)
    : (toEventRecord(object, () => text, line) ?? 'not an object');
}

/** Parses a record, with the members around it. Returns the problem if it is not a JSON object. */
export function parseRecord(text: string, line: number, around?: JsonObject): EventRecord | string {
  try {
    const json = parseJson(text);
    const joined = around !== undefined && isJsonObject(json) ? { ...around, ...json } : json;
    return toEventRecord(joined, () => text, line) ?? 'not an object';
  } catch (error) {
    return `not JSON: ${(error as SyntaxError).message}`;
  }
}

/** The text of a record, or the problem with it. */
export type RawRecord =
  | {
      readonly line: number;
      readonly text: string;
      /** The record, if the text is not JSON. */
      readonly object?: Properties;
      /** Members of the objects around the record, which it has too unless its own have the same names. */
      readonly around?: JsonObject;
    }
  | {
      readonly line: number;
      readonly problem: string;
      /** The rest of the file cannot be read. */
      readonly last?: true;
    };
