import type { EventBatch } from './event-batch.ts';
import { type EventRecord, toEventRecord } from './event-record.ts';
import type { RawRecord } from './raw-record.ts';
import type { Report } from './report.ts';
import type { Splitter } from './splitter.ts';

/** The records of a JSON file, cut out by the splitter, that are JSON objects; the others are reported. */
export async function* readJson(
  chunks: AsyncIterable<Buffer>,
  splitter: Splitter,
  report: Report,
): AsyncGenerator<EventBatch> {
  for await (const chunk of chunks) yield { records: parse(splitter.feed(chunk), report) };
  yield { records: parse(splitter.end(), report) };
}

function parse(found: readonly RawRecord[], report: Report): EventRecord[] {
  const records: EventRecord[] = [];
  for (const raw of found) {
    const record = 'problem' in raw ? raw.problem : parseText(raw.text, raw.line);
    if (typeof record === 'string') report(raw.line, record);
    else records.push(record);
  }
  return records;
}

/** The record, or what is wrong with it. */
function parseText(text: string, line: number): EventRecord | string {
  try {
    return toEventRecord(JSON.parse(text), text, line) ?? 'not an object';
  } catch (error) {
    // The message quotes a few characters around the mistake, and some would upset a terminal.
    return `not JSON: ${(error as SyntaxError).message.replace(/\p{Cc}+/gu, ' ')}`;
  }
}
