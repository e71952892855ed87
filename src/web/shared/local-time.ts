import { findTimeZone } from '../../lang/operators/time-zone.ts';

/** Formats a time in Unix seconds as clocks in a time zone show it: `2025-06-01 00:12:36`. */
export function formatLocalTime(seconds: number, timeZone: string): string {
  const offset = findTimeZone(timeZone)?.readOffset(seconds) ?? 0;
  return new Date((seconds + offset) * 1000).toISOString().slice(0, 19).replace('T', ' ');
}
