import { compileOn, compileWhere } from '../../api.ts';
import type { EventRecord } from '../../events/event-record.ts';
import { Segmentation } from '../../segmentation/segmentation.ts';
import { truncate } from '../../util/cut.ts';
import { escapeUnprintable } from '../../util/printable.ts';
import { type Io, unixTime } from '../io.ts';
import { moreSegments, segmentLines } from '../segment-lines.ts';
import { eventLines } from './event-lines.ts';
import { withWarnings } from './expression-answers.ts';
import type { State } from './state.ts';

/** Segments that are shown at once. */
const MOST_SEGMENTS = 20;

/** Events that a filter shows for a start. */
const MOST_EVENTS = 3;

const LONGEST_LINE = 120;

/** The current event. */
export function answerEvent({ io, sample }: State): string {
  const { current } = sample;
  return current === undefined ? sample.describe() : showEvent(io, sample.place(current), current);
}

/** The event that comes next, or the one before. */
export function answerStep({ io, sample }: State, by: 1 | -1): string {
  const event = sample.go(by);
  return event === undefined ? sample.describe() : showEvent(io, sample.place(event), event);
}

/** The next event that a filter is true for. */
export function answerFind({ io, sample, schema }: State, source: string): string {
  const filter = compileWhere(source, { schema, now: unixTime(io) });
  const event = sample.go(1, filter);
  const answer = event === undefined ? `None of ${sample.extent()}.` : showEvent(io, sample.place(event), event);
  return withWarnings(io, filter, answer);
}

/** Narrows the events down to those that a filter is true for, and shows the first of them; without a filter, all are there again. */
export function answerWhere({ io, sample, schema }: State, source: string): string {
  const filter = source === '' ? undefined : compileWhere(source, { schema, now: unixTime(io) });
  const left = sample.narrow(filter);
  if (filter === undefined) return `${sample.extent()}.`;
  if (left.length === 0) return withWarnings(io, filter, `None; still ${sample.extent()}.`);
  const shown = left.slice(0, MOST_EVENTS).map((event) => showShort(io, sample.place(event), event));
  return withWarnings(
    io,
    filter,
    [`${sample.extent()}.`, ...shown, ...(left.length > MOST_EVENTS ? ['…'] : [])].join('\n'),
  );
}

/** How many of the events are in each segment. */
export function answerOn({ io, sample, schema }: State, source: string): string {
  const on = compileOn(source, { schema, now: unixTime(io) });
  const segmentation = new Segmentation(false, undefined);
  for (const event of sample.left) segmentation.add(sample.ask(on, event), event);
  const result = segmentation.result(MOST_SEGMENTS);
  const { segments } = result.rest;
  const lines = segmentLines(io.out, result, 'events');
  if (segments > 0) lines.push(`… ${moreSegments(segments)}`);
  return withWarnings(io, on, [...lines, io.out.styled('dim', sample.extent())].join('\n'));
}

function showEvent({ out }: Io, place: string, event: EventRecord): string {
  return [out.styled('dim', place), ...eventLines(event, out.room)].join('\n');
}

/** On one line, as far as it goes. */
function showShort({ out }: Io, place: string, event: EventRecord): string {
  const text = escapeUnprintable(event.text().replace(/\s+/g, ' '));
  return truncate(`${place}: ${text}`, Math.min(LONGEST_LINE, out.room));
}
