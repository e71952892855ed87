import type { EventRecord } from '../../events/event-record.ts';
import { showValue } from '../../language/show-value.ts';
import { readValue } from '../../language/value.ts';
import { truncate } from '../../util/cut.ts';
import { measureWidth } from '../../util/display-width.ts';
import { escapeUnprintable } from '../../util/printable.ts';

const MAX_NAME_LENGTH = 24;

/** An event for people, a property a line. What an expression cannot read, an object, is shown as JSON. */
export function renderEvent({ event, properties }: EventRecord, columns: number): string[] {
  const named = event === undefined ? [] : [['event', escapeUnprintable(event)] as const];
  const own = Object.entries(properties).map(([name, raw]) => [name, show(raw)] as const);
  const entries = [...named, ...own].map(
    ([name, value]) => [truncate(escapeUnprintable(name), MAX_NAME_LENGTH), value] as const,
  );
  const width = Math.min(
    entries.reduce((widest, [name]) => Math.max(widest, measureWidth(name)), 0),
    Math.ceil(columns / 2),
  );
  return entries.map(([name, value]) => {
    const shown = truncate(name, width);
    return truncate(`${shown}${' '.repeat(width - measureWidth(shown))}  ${value}`, columns);
  });
}

function show(raw: unknown): string {
  const value = readValue(raw);
  return value === undefined
    ? escapeUnprintable(JSON.stringify(raw) ?? 'undefined')
    : escapeUnprintable(showValue(value));
}
