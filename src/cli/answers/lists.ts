import { formatInteger } from '../../base/strings.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { numberColumns, renderBars } from '../terminal/table.ts';
import { formatPercent } from './figures.ts';

/** A response of `/events/top/`. */
export interface TopEventsAnswer {
  readonly events: readonly { readonly event: string; readonly amount: number; readonly percent_change: number }[];
}

/** A response of `/events/properties/top/`. */
export type TopPropertiesAnswer = Readonly<Record<string, { readonly count: number }>>;

/** Renders a bar for each event. */
export function renderTopEvents(out: OutputStream, { events }: TopEventsAnswer): string[] {
  const rows = events.map(({ event, amount, percent_change }) => [
    event,
    formatInteger(amount),
    `${percent_change < 0 ? '-' : '+'}${formatPercent(Math.abs(percent_change))}`,
  ]);
  return renderBars(
    out,
    numberColumns('event', 'today', 'change'),
    rows,
    events.map(({ amount }) => amount),
  );
}

/** Renders a bar for each property. */
export function renderTopProperties(out: OutputStream, answer: TopPropertiesAnswer): string[] {
  const entries = Object.entries(answer).toSorted(([, left], [, right]) => right.count - left.count);
  const rows = entries.map(([name, { count }]) => [name, formatInteger(count)]);
  return renderBars(
    out,
    numberColumns('property', 'events'),
    rows,
    entries.map(([, { count }]) => count),
  );
}
