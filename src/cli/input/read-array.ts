import { ArraySplitter } from '../../data/array-splitter.ts';
import type { EventBatch } from '../../data/event-record.ts';
import type { RawRecord } from '../../data/parse-records.ts';
import { parseRecords } from '../../data/parse-records.ts';
import type { ReportProblem } from '../../data/problems.ts';
import { InputError } from './input-error.ts';

/**
 * The elements of a JSON array that are JSON objects; the others are reported.
 *
 * @throws {InputError} where the array cannot be read any further, after the records before that place.
 */
export async function* readArray(
  chunks: AsyncIterable<Buffer>,
  name: string,
  report: ReportProblem,
): AsyncGenerator<EventBatch> {
  const splitter = new ArraySplitter();
  for await (const chunk of chunks) yield* batchOf(splitter.feed(chunk), name, report);
  yield* batchOf(splitter.end(), name, report);
}

function* batchOf(found: readonly RawRecord[], name: string, report: ReportProblem): Generator<EventBatch> {
  const { records, end } = parseRecords(found, report);
  yield { records };
  if (end !== undefined) throw new InputError(`${name}:${end.line}: ${end.problem}`);
}
