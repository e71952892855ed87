import { ArraySplitter } from '../../../data/array-splitter.ts';
import type { RecordReading } from '../../../data/event-record.ts';
import { detectFormatByName, detectFormatByStart } from '../../../data/file-format.ts';
import { parseRecords } from '../../../data/parse-records.ts';
import type { ReportProblem } from '../../../data/problems.ts';
import { joinBytes } from '../../../lang/util/bytes.ts';
import { LineSplitter } from './line-splitter.ts';

/** Reads the records of a file in the browser: NDJSON, a JSON array or CSV, gzipped or not. */
export async function* readBlob(file: Blob, name: string, report: ReportProblem): AsyncGenerator<RecordReading> {
  const chunks = readChunks(file);
  const first = await chunks.next();
  if (first.done) return;
  const start = removeByteOrderMark(first.value);
  const format = detectFormatByName(name) ?? detectFormatByStart(decodeLatin1(start));
  if (format !== 'csv') {
    const splitter = format === 'array' ? new ArraySplitter() : new LineSplitter();
    yield parseRecords(splitter.feed(start), report);
    for await (const chunk of chunks) yield parseRecords(splitter.feed(chunk), report);
    yield parseRecords(splitter.end(), report);
    return;
  }
  const parts = [start];
  for await (const chunk of chunks) parts.push(chunk);
  // Loads the CSV parser only when it is needed.
  const { readCsvBlob } = await import('./read-csv.ts');
  yield* readCsvBlob(joinBytes(parts), report);
}

async function* readChunks(file: Blob): AsyncGenerator<Uint8Array> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (first !== 0x1f || second !== 0x8b) {
    yield* readStream(file.stream());
    return;
  }
  try {
    yield* readStream(file.stream().pipeThrough(new DecompressionStream('gzip')));
  } catch (cause) {
    throw new Error('the gzip data is damaged or cut off', { cause });
  }
}

/** Iterates over a stream. Not every browser supports `for await` over streams. */
async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    reader.releaseLock();
  }
}

/** Removes the byte order mark that some programs write before UTF-8 text. */
function removeByteOrderMark(bytes: Uint8Array): Uint8Array {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}

function decodeLatin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}
