import { type EventRecord, type RecordReading, toEventRecord } from '../../../data/event-record.ts';
import type { ReportProblem } from '../../../data/problems.ts';
import { generateShopSample } from '../../../data/shop-sample.ts';
import { inferSchema } from '../../../lang/check/infer-schema.ts';
import { formatInteger } from '../../../lang/util/strings.ts';
import type { EventStore } from './event-store.ts';
import type { EventsSource, Opened } from './messages.ts';
import { readBlob } from './read-blob.ts';

/** The maximum number of events to keep in the memory of a page. */
const MAX_EVENTS = 500_000;

/** The maximum number of broken records to list. */
const MAX_PROBLEMS = 10;

/** Milliseconds between progress reports. */
const REPORT_EVERY = 200;

/** Reads a source into the store and reports progress, and the schema at the end. Reports nothing once it is aborted. */
export async function openSource(
  source: EventsSource,
  store: EventStore,
  signal: AbortSignal,
  onProgress: (opened: Opened) => void,
): Promise<void> {
  const name = getName(source);
  const problems: string[] = [];
  let broken = 0;
  const report: ReportProblem = (line, reason) => {
    broken++;
    if (problems.length < MAX_PROBLEMS) problems.push(`${name}:${line}: ${reason}`);
  };
  const state = (end?: string) => ({ name, events: store.size, broken, problems, end, done: false });
  store.clear();
  onProgress(state());
  let end: string | undefined;
  let due = performance.now() + REPORT_EVERY;
  try {
    for await (const reading of readSource(source, report, signal)) {
      if (signal.aborted) return;
      const room = MAX_EVENTS - store.size;
      store.add(reading.records.slice(0, room));
      end = findEnd(name, reading, room);
      if (end !== undefined) break;
      if (performance.now() < due) continue;
      onProgress(state());
      due = performance.now() + REPORT_EVERY;
    }
  } catch (error) {
    end = `${name}: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (!signal.aborted) onProgress({ ...state(end), done: true, schema: inferSchema(store.all) });
}

function getName(source: EventsSource): string {
  if (source.kind === 'sample') return 'shop.ndjson';
  return source.kind === 'file' ? source.file.name : source.name;
}

async function* readSource(
  source: EventsSource,
  report: ReportProblem,
  signal: AbortSignal,
): AsyncGenerator<RecordReading> {
  if (source.kind === 'sample') yield { records: generateSample() };
  else if (source.kind === 'file') yield* readBlob(source.file, source.file.name, report);
  else yield* readBlob(await fetchServed(signal), source.name, report);
}

function generateSample(): EventRecord[] {
  return [...generateShopSample()].flatMap((event, index) => {
    const text = JSON.stringify(event);
    return toEventRecord(JSON.parse(text), () => text, index + 1) ?? [];
  });
}

/** Fetches the file that `onwhere play` serves. */
async function fetchServed(signal: AbortSignal): Promise<Blob> {
  const response = await fetch(new URL('events', getPageUrl()), { signal }).catch(() => {
    throw new Error('onwhere play is no longer running');
  });
  if (!response.ok) throw new Error(await response.text());
  return response.blob();
}

/** Returns the folder of the page. This script is in its folder `assets`. */
function getPageUrl(): URL {
  return new URL('..', self.location.href);
}

function findEnd(name: string, { records, end }: RecordReading, room: number): string | undefined {
  if (records.length > room) return `${name}: only the first ${formatInteger(MAX_EVENTS)} events are read`;
  return end && `${name}:${end.line}: ${end.problem}`;
}
