import type { EventRecord } from '../../events/event-record.ts';
import { showValue } from '../../language/show-value.ts';
import { readValue } from '../../language/value.ts';
import { cut } from '../../util/cut.ts';
import { displayWidth } from '../../util/display-width.ts';
import { printable } from '../../util/printable.ts';

const LONGEST_NAME = 24;

/** An event for people, a property a line. What an expression cannot read, an object, is shown as JSON. */
export function eventLines({ event, properties }: EventRecord, columns: number): string[] {
  const named = event === undefined ? [] : [['event', printable(event)] as const];
  const own = Object.entries(properties).map(([name, raw]) => [name, show(raw)] as const);
  const entries = [...named, ...own].map(([name, value]) => [cut(printable(name), LONGEST_NAME), value] as const);
  const width = Math.min(
    entries.reduce((widest, [name]) => Math.max(widest, displayWidth(name)), 0),
    Math.ceil(columns / 2),
  );
  return entries.map(([name, value]) => {
    const shown = cut(name, width);
    return cut(`${shown}${' '.repeat(width - displayWidth(shown))}  ${value}`, columns);
  });
}

function show(raw: unknown): string {
  const value = readValue(raw);
  return value === undefined ? printable(JSON.stringify(raw) ?? 'undefined') : printable(showValue(value));
}
