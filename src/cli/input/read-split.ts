import type { EventBatch } from '../../data/event-record.ts';
import { ObjectSplitter } from '../../data/object-splitter.ts';
import { parseRecords, type RawRecord } from '../../data/parse-records.ts';
import type { ReportProblem } from '../../data/problems.ts';
import { InputError } from './input-error.ts';

/** Splits chunks of any size into records. */
interface Splitter {
  feed(chunk: Uint8Array): RawRecord[];
  end(): RawRecord[];
}

/**
 * Reads the records that a splitter finds. Reports broken ones.
 *
 * @throws {InputError} if the rest of the file cannot be read, after yielding the records before it.
 */
export async function* readSplit(
  splitter: Splitter,
  chunks: AsyncIterable<Buffer>,
  name: string,
  report: ReportProblem,
): AsyncGenerator<EventBatch> {
  for await (const chunk of chunks) yield* toBatch(splitter.feed(chunk), name, report);
  yield* toBatch(splitter.end(), name, report);
}

/**
 * Reads JSON objects that follow each other, or the array of objects in a single object.
 *
 * @param path The names of the list with the records in each object, joined by dots. `onNote` receives another choice.
 * @throws {InputError} if the rest of the file cannot be read, after yielding the records before it.
 */
export async function* readObjects(
  chunks: AsyncIterable<Buffer>,
  name: string,
  report: ReportProblem,
  { path, onNote }: { readonly path: string | undefined; readonly onNote: (note: string) => void },
): AsyncGenerator<EventBatch> {
  const splitter = new ObjectSplitter(undefined, path);
  for await (const chunk of chunks) yield* toBatch(splitter.feed(chunk), name, report);
  const last = splitter.end();
  if (path === undefined && splitter.wrapperName !== undefined) onNote(`the records are in "${splitter.wrapperName}"`);
  yield* toBatch(last, name, report);
}

function* toBatch(found: readonly RawRecord[], name: string, report: ReportProblem): Generator<EventBatch> {
  const { records, end } = parseRecords(found, report);
  yield { records };
  if (end !== undefined) throw new InputError(`${name}:${end.line}: ${end.problem}`);
}
