import { parseJson } from '../../base/parse-json.ts';
import { formatInteger } from '../../base/strings.ts';
import { describeFields, findNested } from '../../data/describe-fields.ts';
import { type EventRecord, type RecordReading, toEventRecord } from '../../data/event-record.ts';
import { createFieldReader } from '../../data/field-mapping.ts';
import type { DetectedFormat } from '../../data/file-format.ts';
import { openSample } from '../../data/guess-fields.ts';
import { listRecordPaths } from '../../data/inner-lists.ts';
import { ORIGINS } from '../../data/origins.ts';
import { parseRecord } from '../../data/parse-records.ts';
import { peekRecords } from '../../data/peek-records.ts';
import type { ReportProblem } from '../../data/problems.ts';
import { generateShopSample } from '../../data/shop-sample.ts';
import type { EventStore } from './event-store.ts';
import type { EventsSource, FileShape, LoadProgress, ReadingChoices, ServerSample } from './messages.ts';
import { readBlob } from './read-blob.ts';
import type { RestoreRecord } from './record-list.ts';

/** The maximum number of events in memory. */
const MAX_EVENTS = 1_000_000;

/** How many columns the page offers. */
const MAX_COLUMNS = 1000;

/** How many broken records are described one by one. */
const MAX_PROBLEMS = 10;

/** Milliseconds between progress reports. */
const PROGRESS_INTERVAL = 200;

/** Reads a source into the store and reports progress, at the end with the schema. Reports nothing once aborted. */
export async function openSource(
  source: EventsSource,
  choices: ReadingChoices,
  store: EventStore,
  signal: AbortSignal,
  onProgress: (progress: LoadProgress) => void,
): Promise<void> {
  const name = getName(source);
  const problems: string[] = [];
  let broken = 0;
  const report: ReportProblem = (line, reason) => {
    broken++;
    if (problems.length < MAX_PROBLEMS) problems.push(`${name}:${line}: ${reason}`);
  };
  let shape: FileShape | undefined;
  const onShape = (found: FileShape) => {
    shape = found;
  };
  const getProgress = (end?: string) => ({ name, events: store.size, broken, problems, end, shape, done: false });
  store.clear();
  onProgress(getProgress());
  let end: string | undefined;
  let due = performance.now() + PROGRESS_INTERVAL;
  try {
    for await (const reading of readSource(source, choices, { onBroken: report, onShape, signal })) {
      if (signal.aborted) return;
      const room = MAX_EVENTS - store.size;
      store.add(reading.records.slice(0, room), reading.restore);
      end = describeEnd(name, reading, room);
      if (end !== undefined) break;
      if (performance.now() < due) continue;
      onProgress(getProgress());
      due = performance.now() + PROGRESS_INTERVAL;
    }
  } catch (error) {
    end = `${name}: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (!signal.aborted) {
    const { leftOut, isUnnamed } = store.toMemory();
    onProgress({
      ...getProgress(end),
      done: true,
      schema: store.inferSchema(),
      notes: { leftOut, isUnnamed },
    });
  }
}

function getName(source: EventsSource): string {
  if (source.kind === 'sample') return 'shop.ndjson';
  return source.kind === 'file' ? source.file.name : source.name;
}

/** Consecutive records of a source, and how to read them again from their texts, if that is possible. */
interface SourceReading extends RecordReading {
  readonly restore?: RestoreRecord | undefined;
}

interface SourceListener {
  readonly onBroken: ReportProblem;
  readonly onShape: (shape: FileShape) => void;
  readonly signal: AbortSignal;
}

async function* readSource(
  source: EventsSource,
  choices: ReadingChoices,
  { onBroken, onShape, signal }: SourceListener,
): AsyncGenerator<SourceReading> {
  if (source.kind === 'sample') {
    yield { records: createSample() };
    return;
  }
  if (source.kind === 'lines') {
    yield { records: joinSample(source) };
    return;
  }
  const [blob, name] =
    source.kind === 'file' ? [source.file, source.file.name] : [await fetchServedFile(signal), source.name];
  let format: DetectedFormat | undefined;
  const onFormat = (found: DetectedFormat) => {
    format = found;
  };
  const readings = readBlob(blob, name, { onBroken, onFormat }, choices);
  const onRecords = (shape: Omit<FileShape, 'delimiter'>) => onShape({ ...shape, delimiter: format?.delimiter });
  for await (const { restore, ...reading } of readFields(readings, choices, onRecords)) {
    // The text of a row of CSV or of a log does not tell the names of its fields, nor that of a record those around it.
    const isWhole = format?.format !== 'csv' && format?.format !== 'log' && format?.records === undefined;
    yield !isWhole ? reading : { ...reading, restore };
  }
}

/** Chooses the fields by the first records, and yields all records with these fields. */
async function* readFields(
  readings: AsyncGenerator<RecordReading>,
  { fields: chosen, flatten }: ReadingChoices,
  onShape: (shape: Omit<FileShape, 'delimiter'>) => void,
): AsyncGenerator<SourceReading> {
  const { records, all } = await peekRecords(readings, (reading) => reading.records);
  const opened = openSample(records, flatten);
  const fields = { ...opened.fields, ...chosen };
  if (records.length > 0) {
    onShape({
      title: fields.origin && ORIGINS[fields.origin].title,
      fields: describeFields(opened.records, fields, 'choose one below'),
      columns: listColumns(opened.records),
      nested: flatten ? undefined : findNested(opened.records),
      lists: listRecordPaths(records),
    });
  }
  const read = createFieldReader({ fields, flatten });
  const restore = (text: string, line: number) => read(parseRecord(text, line) as EventRecord);
  for await (const reading of all()) yield { ...reading, records: reading.records.map(read), restore };
}

function listColumns(records: readonly EventRecord[]): string[] {
  const names = records.flatMap(({ properties, whole }) => [...Object.keys(properties), ...Object.keys(whole)]);
  return [...new Set(names)].slice(0, MAX_COLUMNS);
}

function createSample(): EventRecord[] {
  return readLines([...generateShopSample()].map((event) => JSON.stringify(event)));
}

/** Returns the events of a server, each with the profile of its user. */
function joinSample({ events, people }: ServerSample): EventRecord[] {
  const profiles = new Map(readLines(people).map(({ distinctId, properties }) => [distinctId, properties]));
  return readLines(events).map((record) => ({ ...record, user: profiles.get(record.distinctId) }));
}

function readLines(lines: readonly string[]): EventRecord[] {
  return lines.flatMap((text, index) => toEventRecord(parseJson(text), () => text, index + 1) ?? []);
}

/** Fetches the file that `onwhere play` serves. */
async function fetchServedFile(signal: AbortSignal): Promise<Blob> {
  const response = await fetch(new URL('events', getPageUrl()), { signal }).catch(() => {
    throw new Error('onwhere play is no longer running');
  });
  if (!response.ok) throw new Error(await response.text());
  return response.blob().catch(() => {
    throw new Error('onwhere play could not read the file to its end');
  });
}

/** Returns the URL of the folder of the page. This script is in its subfolder `assets`. */
function getPageUrl(): URL {
  return new URL('..', self.location.href);
}

function describeEnd(name: string, { records, end }: RecordReading, room: number): string | undefined {
  if (records.length > room) return `${name}: only the first ${formatInteger(MAX_EVENTS)} events were read`;
  return end && `${name}:${end.line}: ${end.problem}`;
}
