import type { TimeZone } from './time-zone.ts';

/** The largest number that is read as seconds. Larger numbers are milliseconds. */
export const MAX_SECONDS = 0xffffffff;

/** The date, the time of day, the fraction and the zone of a date, each of the last three optional. */
export const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|([+-])(\d\d):(\d\d))?)?$/;

/**
 * Parses a date to Unix seconds, in UTC or another time zone if it has none. Returns undefined for other strings and for
 * days that do not exist (language, section 4, rule 10).
 */
export function parseDateTime(string: string, timeZone?: TimeZone): number | undefined {
  const match = DATE_TIME.exec(string);
  if (match === null) return undefined;
  const field = (index: number) => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(field) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [zoneHour, zoneMinute] = [field(8), field(9)];
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return undefined;
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return undefined;
  const local = midnight.getTime() / 1000 + hour * 3600 + minute * 60 + second;
  if (timeZone !== undefined && match[7] === undefined && !string.endsWith('Z')) return timeZone.toUnixSeconds(local);
  return local - (zoneHour * 60 + zoneMinute) * (match[7] === '-' ? -60 : 60);
}

/** Converts a number of seconds or, above {@link MAX_SECONDS}, milliseconds to whole seconds, rounded down. */
export function toSeconds(number: number): number | undefined {
  if (number < 1) return undefined;
  return Math.floor(number <= MAX_SECONDS ? number : number / 1000);
}
