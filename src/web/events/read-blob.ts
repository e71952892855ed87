import { joinBytes } from '../../base/bytes.ts';
import { ArraySplitter } from '../../data/array-splitter.ts';
import { detectEncoding, type Encoding, MARK_BYTES, Transcoder } from '../../data/encoding.ts';
import type { RecordReading } from '../../data/event-record.ts';
import { type DetectedFormat, detectFormatByName, detectStart, type FormatOptions } from '../../data/file-format.ts';
import { describeForeign, describeRefusal, type Remedies } from '../../data/foreign-format.ts';
import { LineSplitter } from '../../data/line-splitter.ts';
import { LogSplitter } from '../../data/log-splitter.ts';
import { ObjectSplitter } from '../../data/object-splitter.ts';
import { parseRecords } from '../../data/parse-records.ts';
import type { ReportProblem } from '../../data/problems.ts';

const SPLITTERS = { ndjson: LineSplitter, array: ArraySplitter, log: LogSplitter };

const REMEDIES: Remedies = {
  delimiter: 'If it is CSV, choose its delimiter under “Source”',
  encoding: (name) => `Choose the encoding ${name} under “Source”`,
  commandLine: 'A browser cannot read it. Open it with: onwhere play <file>',
};

/** Receives what reading a file finds out besides its records. */
export interface BlobListener {
  readonly onBroken: ReportProblem;
  readonly onFormat?: (found: DetectedFormat) => void;
}

/**
 * Reads the records of a file in the browser: NDJSON, other JSON or CSV, gzipped or not. Throws an error that describes
 * a file without records.
 */
export async function* readBlob(
  file: Blob,
  name: string,
  { onBroken: report, onFormat }: BlobListener,
  options: FormatOptions = {},
): AsyncGenerator<RecordReading> {
  const chunks = decode(readChunks(file), options.encoding);
  const { start, ...found } = await detectFormat(chunks, name, options);
  onFormat?.(found);
  const { format, delimiter } = found;
  if (format !== 'csv') {
    const splitter = format === 'objects' ? new ObjectSplitter(undefined, found.records) : new SPLITTERS[format]();
    yield parseRecords(splitter.feed(start), report);
    for await (const chunk of chunks) yield parseRecords(splitter.feed(chunk), report);
    yield parseRecords(splitter.end(), report);
    return;
  }
  const parts = [start];
  for await (const chunk of chunks) parts.push(chunk);
  // Loads the CSV parser only when it is needed.
  const { readCsvBlob } = await import('./read-csv.ts');
  yield* readCsvBlob(joinBytes(parts), delimiter, report, options);
}

/** Reads until the format is known. Returns it with the bytes read so far. */
async function detectFormat(
  chunks: AsyncGenerator<Uint8Array>,
  name: string,
  options: FormatOptions,
): Promise<DetectedFormat & { start: Uint8Array }> {
  let start = new Uint8Array();
  for (;;) {
    const next = await chunks.next();
    if (!next.done) start = joinBytes([start, next.value]) as Uint8Array<ArrayBuffer>;
    const text = decodeLatin1(start);
    const found = detectStart(name, text, next.done === true, options);
    if (found === undefined) continue;
    const isText = options.delimiter !== undefined || detectFormatByName(name) !== undefined;
    const refusal = describeForeign(text, isText) ?? found.refusal;
    if (refusal !== undefined) throw new Error(`this ${describeRefusal(refusal, REMEDIES)}`);
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

/** Converts other encodings to UTF-8 and removes the byte order mark, which decides before `chosen` does. */
async function* decode(chunks: AsyncGenerator<Uint8Array>, chosen: Encoding = 'utf-8'): AsyncGenerator<Uint8Array> {
  let first: Uint8Array = new Uint8Array();
  while (first.length <= MARK_BYTES) {
    const next = await chunks.next();
    if (next.done) break;
    first = joinBytes([first, next.value]);
  }
  const marked = detectEncoding(first);
  const encoding = marked === 'utf-8' ? chosen : marked;
  if (encoding === 'utf-8') {
    yield removeByteOrderMark(first);
    yield* chunks;
    return;
  }
  const transcoder = new Transcoder(encoding);
  try {
    yield transcoder.feed(first);
    for await (const chunk of chunks) yield transcoder.feed(chunk);
    yield transcoder.end();
  } catch (cause) {
    throw cause instanceof TypeError ? new Error(`this is not ${encoding} text`, { cause }) : cause;
  }
}

function removeByteOrderMark(bytes: Uint8Array): Uint8Array {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}

function decodeLatin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}
