import { type EventRecord, type RecordReading, toEventRecord } from './event-record.ts';
import type { ReportProblem } from './problems.ts';

/** The records that were cut out, up to where nothing can be told apart any more; those that are broken are reported. */
export function parseRecords(found: readonly RawRecord[], report: ReportProblem): RecordReading {
  const records: EventRecord[] = [];
  for (const raw of found) {
    if ('problem' in raw && raw.last) return { records, end: raw };
    const record = 'problem' in raw ? raw.problem : parseRecord(raw.text, raw.line);
    if (typeof record === 'string') report(raw.line, record);
    else records.push(record);
  }
  return { records };
}

/** The record that a text holds, or what is wrong with it. */
export function parseRecord(text: string, line: number): EventRecord | string {
  try {
    return toEventRecord(JSON.parse(text), () => text, line) ?? 'not an object';
  } catch (error) {
    return `not JSON: ${(error as SyntaxError).message}`;
  }
}

/** A record cut out of its file but not parsed yet, or what kept it from being cut out. */
export type RawRecord =
  | { readonly line: number; readonly text: string }
  | {
      readonly line: number;
      readonly problem: string;
      /** Nothing behind it can be told apart: the file cannot be read any further. */
      readonly last?: true;
    };
