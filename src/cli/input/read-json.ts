import { type EventBatch, type EventRecord, toEventRecord } from './event-record.ts';
import { InputError } from './input-error.ts';
import type { Report } from './problems.ts';
import type { RawRecord } from './raw-record.ts';
import type { Splitter } from './splitter.ts';

/**
 * The records of a JSON file, cut out by the splitter, that are JSON objects; the others are reported.
 *
 * @throws {InputError} where the splitter cannot go on, after the records before that place.
 */
export async function* readJson(
  chunks: AsyncIterable<Buffer>,
  name: string,
  splitter: Splitter,
  report: Report,
): AsyncGenerator<EventBatch> {
  for await (const chunk of chunks) yield* batchOf(splitter.feed(chunk), name, report);
  yield* batchOf(splitter.end(), name, report);
}

function* batchOf(found: readonly RawRecord[], name: string, report: Report): Generator<EventBatch> {
  const end = found.find((raw) => 'problem' in raw && raw.last);
  const records: EventRecord[] = [];
  for (const raw of found) {
    if (raw === end) break;
    const record = 'problem' in raw ? raw.problem : parseText(raw.text, raw.line);
    if (typeof record === 'string') report(raw.line, record);
    else records.push(record);
  }
  yield { records };
  if (end !== undefined && 'problem' in end) throw new InputError(`${name}:${end.line}: ${end.problem}`);
}

/** The record, or what is wrong with it. */
function parseText(text: string, line: number): EventRecord | string {
  try {
    return toEventRecord(JSON.parse(text), text, line) ?? 'not an object';
  } catch (error) {
    return `not JSON: ${(error as SyntaxError).message}`;
  }
}
