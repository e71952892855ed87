import { ArraySplitter } from './array-splitter.ts';
import type { EventBatch, EventRecord } from './event-record.ts';
import { InputError } from './input-error.ts';
import { parseRecord } from './parse-record.ts';
import type { Report } from './problems.ts';
import type { RawRecord } from './raw-record.ts';

/**
 * The elements of a JSON array that are JSON objects; the others are reported.
 *
 * @throws {InputError} where the array cannot be read any further, after the records before that place.
 */
export async function* readArray(
  chunks: AsyncIterable<Buffer>,
  name: string,
  report: Report,
): AsyncGenerator<EventBatch> {
  const splitter = new ArraySplitter();
  for await (const chunk of chunks) yield* batchOf(splitter.feed(chunk), name, report);
  yield* batchOf(splitter.end(), name, report);
}

function* batchOf(found: readonly RawRecord[], name: string, report: Report): Generator<EventBatch> {
  const end = found.find((raw) => 'problem' in raw && raw.last);
  const records: EventRecord[] = [];
  for (const raw of found) {
    if (raw === end) break;
    const record = 'problem' in raw ? raw.problem : parseRecord(raw.text, raw.line);
    if (typeof record === 'string') report(raw.line, record);
    else records.push(record);
  }
  yield { records };
  if (end !== undefined && 'problem' in end) throw new InputError(`${name}:${end.line}: ${end.problem}`);
}
