import type { EventRecord, RecordReading } from './event-record.ts';
import { parseRecord } from './parse-record.ts';
import type { ReportProblem } from './problems.ts';
import type { RawRecord } from './raw-record.ts';

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
