import { compileOn, compileWhere } from '../../api/expressions.ts';
import { escapeUnprintable, truncate } from '../../base/strings.ts';
import type { EventRecord } from '../../data/event-record.ts';
import { Segmentation } from '../../data/segmentation.ts';
import { describeMoreSegments, renderSegments } from '../answers/segments.ts';
import { getUnixTime, type Io } from '../io.ts';
import { withWarnings } from './expression-answers.ts';
import { renderEvent } from './render.ts';
import type { ReplState } from './state.ts';

/** The maximum number of segments to show. */
const MAX_SEGMENTS = 20;

/** The number of events that `.where` shows. */
const MAX_EVENTS = 3;

const MAX_LINE_LENGTH = 120;

/** Shows the current event. */
export function answerEvent({ io, sample }: ReplState): string {
  const { current } = sample;
  return current === undefined ? sample.describe() : showEvent(io, sample.place(current), current);
}

/** Goes to the next or previous event and shows it. */
export function answerStep({ io, sample }: ReplState, by: 1 | -1): string {
  const event = sample.go(by);
  return event === undefined ? sample.describe() : showEvent(io, sample.place(event), event);
}

/** Goes to the next event that matches a filter and shows it. */
export function answerFind(state: ReplState, source: string): string {
  const { io, sample, schema, timeZone } = state;
  const filter = compileWhere(source, { schema, timeZone, now: getUnixTime(io) });
  const event = sample.go(1, filter);
  const answer = event === undefined ? `No match in ${sample.extent()}.` : showEvent(io, sample.place(event), event);
  return withWarnings(state, source, 'where', answer);
}

/** Limits the sample to events that match a filter and shows the first of them. Without a filter, resets it. */
export function answerWhere(state: ReplState, source: string): string {
  const { io, sample, schema, timeZone } = state;
  const filter = source === '' ? undefined : compileWhere(source, { schema, timeZone, now: getUnixTime(io) });
  const left = sample.narrow(filter);
  if (filter === undefined) return `${sample.extent()}.`;
  if (left.length === 0) return withWarnings(state, source, 'where', `No match. Still using ${sample.extent()}.`);
  const shown = left.slice(0, MAX_EVENTS).map((event) => showShort(io, sample.place(event), event));
  return withWarnings(
    state,
    source,
    'where',
    [`${sample.extent()}.`, ...shown, ...(left.length > MAX_EVENTS ? ['…'] : [])].join('\n'),
  );
}

/** Counts the events of each segment. */
export function answerOn(state: ReplState, source: string): string {
  const { io, sample, schema, timeZone } = state;
  const on = compileOn(source, { schema, timeZone, now: getUnixTime(io) });
  const segmentation = new Segmentation(false, undefined);
  for (const event of sample.left) segmentation.add(sample.evaluate(on, event), event);
  const result = segmentation.result(MAX_SEGMENTS);
  const { segments } = result.rest;
  const lines = renderSegments(io.out, result, 'events');
  if (segments > 0) lines.push(`… ${describeMoreSegments(segments)}`);
  return withWarnings(state, source, 'on', [...lines, io.out.styled('dim', sample.extent())].join('\n'));
}

function showEvent({ out }: Io, place: string, event: EventRecord): string {
  return [out.styled('dim', place), ...renderEvent(event, out.room)].join('\n');
}

/** Renders an event on one line, cut to the terminal. */
function showShort({ out }: Io, place: string, event: EventRecord): string {
  const text = escapeUnprintable(event.text().replace(/\s+/g, ' '));
  return truncate(`${place}: ${text}`, Math.min(MAX_LINE_LENGTH, out.room));
}
