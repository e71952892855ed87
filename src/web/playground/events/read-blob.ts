import { ArraySplitter } from '../../../data/array-splitter.ts';
import { detectEncoding, MARK_BYTES, Transcoder } from '../../../data/encoding.ts';
import type { RecordReading } from '../../../data/event-record.ts';
import { type DetectedFormat, detectFormatByName, detectStart } from '../../../data/file-format.ts';
import { describeForeign } from '../../../data/foreign-format.ts';
import { ObjectSplitter } from '../../../data/object-splitter.ts';
import { parseRecords } from '../../../data/parse-records.ts';
import type { ReportProblem } from '../../../data/problems.ts';
import { joinBytes } from '../../../lang/util/bytes.ts';
import { LineSplitter } from './line-splitter.ts';

const SPLITTERS = { ndjson: LineSplitter, array: ArraySplitter, objects: ObjectSplitter };

/**
 * Reads the records of a file in the browser: NDJSON, other JSON or CSV, gzipped or not. Throws an error that describes
 * a file without records.
 */
export async function* readBlob(file: Blob, name: string, report: ReportProblem): AsyncGenerator<RecordReading> {
  const chunks = decode(readChunks(file));
  const { format, delimiter, start } = await detectFormat(chunks, name);
  if (format !== 'csv') {
    const splitter = new SPLITTERS[format]();
    yield parseRecords(splitter.feed(start), report);
    for await (const chunk of chunks) yield parseRecords(splitter.feed(chunk), report);
    yield parseRecords(splitter.end(), report);
    return;
  }
  const parts = [start];
  for await (const chunk of chunks) parts.push(chunk);
  // Loads the CSV parser only when it is needed.
  const { readCsvBlob } = await import('./read-csv.ts');
  yield* readCsvBlob(joinBytes(parts), delimiter, report);
}

/** Reads until the format is known. Returns it with the bytes read so far. */
async function detectFormat(
  chunks: AsyncGenerator<Uint8Array>,
  name: string,
): Promise<DetectedFormat & { start: Uint8Array }> {
  let start = new Uint8Array();
  for (;;) {
    const next = await chunks.next();
    if (!next.done) start = joinBytes([start, next.value]) as Uint8Array<ArrayBuffer>;
    const text = decodeLatin1(start);
    const found = detectStart(name, text, next.done === true);
    if (found === undefined) continue;
    const refusal = describeForeign(text, detectFormatByName(name) !== undefined) ?? found.refusal;
    if (refusal !== undefined) throw new Error(`this ${refusal}.`);
    return { ...found, start };
  }
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

/** Converts UTF-16 to UTF-8 and removes the byte order mark. */
async function* decode(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first: Uint8Array = new Uint8Array();
  while (first.length <= MARK_BYTES) {
    const next = await chunks.next();
    if (next.done) break;
    first = joinBytes([first, next.value]);
  }
  const encoding = detectEncoding(first);
  if (encoding === 'utf-8') {
    yield removeByteOrderMark(first);
    yield* chunks;
    return;
  }
  const transcoder = new Transcoder(encoding);
  yield transcoder.feed(first);
  for await (const chunk of chunks) yield transcoder.feed(chunk);
  yield transcoder.end();
}

function removeByteOrderMark(bytes: Uint8Array): Uint8Array {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}

function decodeLatin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}
