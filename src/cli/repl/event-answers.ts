import { compileOn, compileWhere } from '../../api/expressions.ts';
import type { EventRecord } from '../../data/event-record.ts';
import { Segmentation } from '../../data/segmentation.ts';
import { escapeUnprintable, truncate } from '../../lang/util/strings.ts';
import { describeMoreSegments, renderSegments } from '../answers/segments.ts';
import { getUnixTime, type Io } from '../io.ts';
import { withWarnings } from './expression-answers.ts';
import { renderEvent } from './render.ts';
import type { ReplState } from './state.ts';

/** Segments that are shown at once. */
const MAX_SEGMENTS = 20;

/** Events that a filter shows for a start. */
const MAX_EVENTS = 3;

const MAX_LINE_LENGTH = 120;

/** The current event. */
export function answerEvent({ io, sample }: ReplState): string {
  const { current } = sample;
  return current === undefined ? sample.describe() : showEvent(io, sample.place(current), current);
}

/** The event that comes next, or the one before. */
export function answerStep({ io, sample }: ReplState, by: 1 | -1): string {
  const event = sample.go(by);
  return event === undefined ? sample.describe() : showEvent(io, sample.place(event), event);
}

/** The next event that a filter is true for. */
export function answerFind({ io, sample, schema }: ReplState, source: string): string {
  const filter = compileWhere(source, { schema, now: getUnixTime(io) });
  const event = sample.go(1, filter);
  const answer = event === undefined ? `None of ${sample.extent()}.` : showEvent(io, sample.place(event), event);
  return withWarnings(io, filter, answer);
}

/** Narrows the events down to those that a filter is true for, and shows the first of them; without a filter, all are there again. */
export function answerWhere({ io, sample, schema }: ReplState, source: string): string {
  const filter = source === '' ? undefined : compileWhere(source, { schema, now: getUnixTime(io) });
  const left = sample.narrow(filter);
  if (filter === undefined) return `${sample.extent()}.`;
  if (left.length === 0) return withWarnings(io, filter, `None; still ${sample.extent()}.`);
  const shown = left.slice(0, MAX_EVENTS).map((event) => showShort(io, sample.place(event), event));
  return withWarnings(
    io,
    filter,
    [`${sample.extent()}.`, ...shown, ...(left.length > MAX_EVENTS ? ['…'] : [])].join('\n'),
  );
}

/** How many of the events are in each segment. */
export function answerOn({ io, sample, schema }: ReplState, source: string): string {
  const on = compileOn(source, { schema, now: getUnixTime(io) });
  const segmentation = new Segmentation(false, undefined);
  for (const event of sample.left) segmentation.add(sample.ask(on, event), event);
  const result = segmentation.result(MAX_SEGMENTS);
  const { segments } = result.rest;
  const lines = renderSegments(io.out, result, 'events');
  if (segments > 0) lines.push(`… ${describeMoreSegments(segments)}`);
  return withWarnings(io, on, [...lines, io.out.styled('dim', sample.extent())].join('\n'));
}

function showEvent({ out }: Io, place: string, event: EventRecord): string {
  return [out.styled('dim', place), ...renderEvent(event, out.room)].join('\n');
}

/** On one line, as far as it goes. */
function showShort({ out }: Io, place: string, event: EventRecord): string {
  const text = escapeUnprintable(event.text().replace(/\s+/g, ' '));
  return truncate(`${place}: ${text}`, Math.min(MAX_LINE_LENGTH, out.room));
}
