import { parseDateTime } from '../operators/time.ts';
import type { Span } from '../source.ts';
import { binaryOf, callOf, literal, nowNode } from './conditions.ts';
import { refuseAt } from './refusal.ts';
import { type ForeignValue, unconditional } from './values.ts';

/** A moment, in Unix seconds or relative to the time of the query. */
export interface Moment {
  readonly base: 'epoch' | 'now';
  readonly seconds: number;
}

const UNITS = new Map([
  ['SECOND', 1],
  ['MINUTE', 60],
  ['HOUR', 3600],
  ['DAY', 86_400],
  ['WEEK', 604_800],
]);

/** Reads a date and time to whole seconds, in UTC. */
export function readMoment(text: string, span: Span): Moment {
  const seconds = parseDateTime(text.trim());
  if (seconds === undefined) refuseAt('time', span, `"${text}" is not a date and time as YYYY-MM-DD HH:MM:SS.`);
  if (seconds < 1 || /\.\d*[1-9]/.test(text)) refuseAt('time', span, 'Times are whole seconds from 1970 on.');
  return { base: 'epoch', seconds };
}

/** Returns the seconds of an interval such as `7 days`. */
export function readInterval(amount: number, unit: string, span: Span): number {
  const seconds = UNITS.get(unit.toUpperCase().replace(/S$/, ''));
  if (seconds === undefined)
    refuseAt('time', span, 'Intervals are a number of seconds, minutes, hours, days or weeks.');
  const total = amount * seconds;
  if (!Number.isSafeInteger(total)) refuseAt('time', span, 'Intervals are whole seconds.');
  return total;
}

/** Returns the value of a moment. Comparisons read the other side as a time. */
export function toTimeValue({ base, seconds }: Moment): ForeignValue {
  if (base === 'epoch') {
    const iso = new Date(seconds * 1000).toISOString();
    const text = iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : `${iso.slice(0, 19)}Z`;
    return unconditional({ expression: callOf('datetime', literal(text)), type: 'time' });
  }
  const expression =
    seconds === 0 ? nowNode() : binaryOf(seconds < 0 ? '-' : '+', nowNode(), literal(Math.abs(seconds)));
  return unconditional({ expression, type: 'time' });
}

export const TIME_NOTE = 'Times are compared in whole seconds, in UTC.';

/** Returns whether a string is written as a date or a date and time. */
export function looksLikeDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d/.test(text) && parseDateTime(text) !== undefined;
}
