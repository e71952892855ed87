import { compileOn, compileWhere } from '../../api.ts';
import type { EventRecord } from '../../events/event-record.ts';
import { Segmentation } from '../../segmentation/segmentation.ts';
import { currentTime } from '../../util/current-time.ts';
import { cut } from '../../util/cut.ts';
import { printable } from '../../util/printable.ts';
import { moreSegments, segmentLines } from '../segment-lines.ts';
import { roomOn, styled } from '../terminal.ts';
import { eventLines } from './event-lines.ts';
import { withWarnings } from './expression-answers.ts';
import type { State } from './state.ts';

/** Segments that are shown at once. */
const MOST_SEGMENTS = 20;

/** Events that a filter shows for a start. */
const MOST_EVENTS = 3;

const LONGEST_LINE = 120;

/** The current event. */
export function answerEvent({ sample }: State): string {
  const { current } = sample;
  return current === undefined ? sample.describe() : showEvent(sample.place(current), current);
}

/** The event that comes next, or the one before. */
export function answerStep({ sample }: State, by: 1 | -1): string {
  const event = sample.go(by);
  return event === undefined ? sample.describe() : showEvent(sample.place(event), event);
}

/** The next event that a filter is true for. */
export function answerFind({ sample, schema }: State, source: string): string {
  const filter = compileWhere(source, { schema, now: currentTime() });
  const event = sample.go(1, filter);
  const answer = event === undefined ? `None of ${sample.extent()}.` : showEvent(sample.place(event), event);
  return withWarnings(filter, answer);
}

/** Narrows the events down to those that a filter is true for, and shows the first of them; without a filter, all are there again. */
export function answerWhere({ sample, schema }: State, source: string): string {
  const filter = source === '' ? undefined : compileWhere(source, { schema, now: currentTime() });
  const left = sample.narrow(filter);
  if (filter === undefined) return `${sample.extent()}.`;
  if (left.length === 0) return withWarnings(filter, `None; still ${sample.extent()}.`);
  const shown = left.slice(0, MOST_EVENTS).map((event) => showShort(sample.place(event), event));
  return withWarnings(
    filter,
    [`${sample.extent()}.`, ...shown, ...(left.length > MOST_EVENTS ? ['…'] : [])].join('\n'),
  );
}

/** How many of the events are in each segment. */
export function answerOn({ sample, schema }: State, source: string): string {
  const on = compileOn(source, { schema, now: currentTime() });
  const segmentation = new Segmentation(false, undefined);
  for (const event of sample.left) segmentation.add(sample.ask(on, event), event);
  const result = segmentation.result(MOST_SEGMENTS);
  const { segments } = result.rest;
  const lines = segmentLines(result, 'events');
  if (segments > 0) lines.push(`… ${moreSegments(segments)}`);
  return withWarnings(on, [...lines, dim(sample.extent())].join('\n'));
}

function showEvent(place: string, event: EventRecord): string {
  return [dim(place), ...eventLines(event, roomOn(process.stdout))].join('\n');
}

/** On one line, as far as it goes. */
function showShort(place: string, event: EventRecord): string {
  const text = printable(event.text().replace(/\s+/g, ' '));
  return cut(`${place}: ${text}`, Math.min(LONGEST_LINE, roomOn(process.stdout)));
}

function dim(text: string): string {
  return styled(process.stdout, 'dim', text);
}
