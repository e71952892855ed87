import { type EventRecord, type RecordReading, toEventRecord } from '../../../data/event-record.ts';
import type { ReportProblem } from '../../../data/problems.ts';
import { generateShopSample } from '../../../data/shop-sample.ts';
import { inferSchema } from '../../../lang/check/infer-schema.ts';
import { formatInteger } from '../../../lang/util/strings.ts';
import type { EventStore } from './event-store.ts';
import type { EventsSource, Opened } from './messages.ts';
import { readBlob } from './read-blob.ts';

/** More are not held: a page has only so much memory. */
const MAX_EVENTS = 500_000;

/** Broken records that are named one by one. */
const NAMED = 10;

/** How often to tell how far reading has come, in milliseconds. */
const TELL_EVERY = 200;

/** Reads a source into the store and tells how far it is, and at last what was found. What a newer opening ends tells nothing more. */
export async function openSource(
  source: EventsSource,
  store: EventStore,
  signal: AbortSignal,
  tell: (opened: Opened) => void,
): Promise<void> {
  const name = nameOf(source);
  const problems: string[] = [];
  let broken = 0;
  const report: ReportProblem = (line, reason) => {
    broken++;
    if (problems.length < NAMED) problems.push(`${name}:${line}: ${reason}`);
  };
  const state = (end?: string) => ({ name, events: store.size, broken, problems, end, done: false });
  store.clear();
  tell(state());
  let end: string | undefined;
  let due = performance.now() + TELL_EVERY;
  try {
    for await (const reading of readingsOf(source, report, signal)) {
      if (signal.aborted) return;
      const room = MAX_EVENTS - store.size;
      store.add(reading.records.slice(0, room));
      end = endOf(name, reading, room);
      if (end !== undefined) break;
      if (performance.now() < due) continue;
      tell(state());
      due = performance.now() + TELL_EVERY;
    }
  } catch (error) {
    end = `${name}: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (!signal.aborted) tell({ ...state(end), done: true, schema: inferSchema(store.all) });
}

function nameOf(source: EventsSource): string {
  if (source.kind === 'sample') return 'shop.ndjson';
  return source.kind === 'file' ? source.file.name : source.name;
}

async function* readingsOf(
  source: EventsSource,
  report: ReportProblem,
  signal: AbortSignal,
): AsyncGenerator<RecordReading> {
  if (source.kind === 'sample') yield { records: sample() };
  else if (source.kind === 'file') yield* readBlob(source.file, source.file.name, report);
  else yield* readBlob(await served(signal), source.name, report);
}

function sample(): EventRecord[] {
  return [...generateShopSample()].flatMap((event, index) => {
    const text = JSON.stringify(event);
    return toEventRecord(JSON.parse(text), () => text, index + 1) ?? [];
  });
}

/** The file that `onwhere play` was started with. */
async function served(signal: AbortSignal): Promise<Blob> {
  const response = await fetch(new URL('events', pageAddress()), { signal }).catch(() => {
    throw new Error('onwhere play is no longer running');
  });
  if (!response.ok) throw new Error(await response.text());
  return response.blob();
}

/** This script lies in the folder `assets` beside the page. */
function pageAddress(): URL {
  return new URL('..', self.location.href);
}

function endOf(name: string, { records, end }: RecordReading, room: number): string | undefined {
  if (records.length > room) return `${name}: only the first ${formatInteger(MAX_EVENTS)} events are held`;
  return end && `${name}:${end.line}: ${end.problem}`;
}
