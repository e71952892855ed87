import { FUNCTIONS } from './table.ts';
import { parseDateTime } from './time.ts';
import type { TimeZone } from './time-zone.ts';

/** Returns the functions of the language. `datetime` reads dates in the time zone of the query. */
export function getFunctions(timeZone: TimeZone | undefined): typeof FUNCTIONS {
  if (timeZone === undefined) return FUNCTIONS;
  const [ofStrings, ofNumbers] = FUNCTIONS.datetime.overloads;
  const zoned = { ...ofStrings, timeZone, evaluate: (string: string) => parseDateTime(string, timeZone) };
  return { ...FUNCTIONS, datetime: { ...FUNCTIONS.datetime, overloads: [zoned, ofNumbers] } };
}
